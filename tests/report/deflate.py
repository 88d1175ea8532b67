#!/usr/bin/env python3
"""What src/report deflates, zlib inflates: the same bytes, and not many more than zlib itself would need.

    deflate.py PROGRAM
"""

import random
import struct
import subprocess
import sys
import zlib


def cases():
    draw = random.Random(1)
    yield "nothing", b"", None
    yield "one byte", b"x", None
    yield "two bytes", b"ab", None
    yield "zeros", bytes(1_000_000), 1.2
    yield "noise", draw.randbytes(200_000), 1.01
    yield "text", b"the same words again and again, " * 5000, 1.2
    yield "every byte", bytes(range(256)) * 300, 1.5
    # Frequencies that grow like Fibonacci numbers make the deepest codes.
    a, b, deep = 1, 1, bytearray()
    for k in range(24):
        deep += bytes([k]) * a
        a, b = b, a + b
    draw.shuffle(order := list(deep))
    yield "deep codes", bytes(order), 1.1
    far = draw.randbytes(40_000)
    yield "matches beyond the window", far + far, 1.01
    near = draw.randbytes(32_000)
    yield "matches at the end of the window", near + near, 1.05
    smooth = b"".join(struct.pack("<i", (k * k) // 7) for k in range(50_000))
    yield "planes", bytes(smooth[k::4][i] for k in range(4) for i in range(50_000)), 1.15
    for length in (2, 3, 4, 257, 258, 259, 260, 32767, 32768, 32769, 65535, 65536):
        yield f"length {length}", bytes(draw.choices(b"ab", k=length)), None


failed = 0
for name, data, factor in cases():
    done = subprocess.run([sys.argv[1]], input=data, stdout=subprocess.PIPE, check=True)
    inflater = zlib.decompressobj(-15)
    back = inflater.decompress(done.stdout) + inflater.flush()
    rival = len(zlib.compress(data, 9))
    wrong = []
    if back != data or not inflater.eof or inflater.unused_data:
        wrong.append("other bytes come back")
    if factor and len(done.stdout) > factor * rival + 64:
        wrong.append(f"{len(done.stdout)} bytes, zlib needs {rival}")
    failed += bool(wrong)
    print(f"{'FAILED' if wrong else 'ok'}: {name}: {len(data)} -> {len(done.stdout)} bytes {' '.join(wrong)}")
sys.exit(failed > 0)
