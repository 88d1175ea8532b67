#!/usr/bin/env python3
"""Compares the TOML reader with Python's tomllib on hand-written, mutated and random documents.

    oracle.py PROGRAM [COUNT [SEED]]

PROGRAM is toml_to_json. Both readers have to accept or refuse each document alike, and to find
the same tree in it: kinds, values, floats to the last bit, order of keys. The one difference
that is allowed, and counted, is an integer that needs more than 64 bits.
"""

import datetime
import json
import random
import struct
import subprocess
import sys

try:
    import tomllib
except ImportError:
    print("skipped: Python has no tomllib before 3.11")
    sys.exit(77)

sys.dont_write_bytecode = True  # leave no files beside the sources
from seeds import BIG_INTEGERS, INVALID, TOKENS, VALID

COUNT = 60000
SEED = 20240229


def follows_toml_1_0():
    """Later versions of TOML allow a comma at the end of an inline table."""
    try:
        tomllib.loads("a = {b = 1,}")
    except tomllib.TOMLDecodeError:
        return True
    return False


# ---- the corpus


def to_bytes(document):
    return document.encode() if isinstance(document, str) else document


def flip_bytes(rng, text, _other):
    out = bytearray(text)
    for _ in range(rng.randint(1, 3)):
        if out:
            i = rng.randrange(len(out))
            out[i] = rng.choice((out[i] ^ (1 << rng.randrange(8)), rng.randrange(256),
                                 rng.randrange(32, 127)))
    return bytes(out)


def insert_token(rng, text, _other):
    for _ in range(rng.randint(1, 2)):
        i = rng.randint(0, len(text))
        text = text[:i] + rng.choice(TOKENS).encode() + text[i:]
    return text


def delete_span(rng, text, _other):
    if not text:
        return text
    i = rng.randrange(len(text))
    return text[:i] + text[i + rng.randint(1, 4):]


def duplicate_span(rng, text, _other):
    if not text:
        return text
    i = rng.randrange(len(text))
    span = text[i:i + rng.randint(1, 12)]
    j = rng.randint(0, len(text))
    return text[:j] + span + text[j:]


def shuffle_lines(rng, text, _other):
    lines = text.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def drop_line(rng, text, _other):
    lines = text.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def splice_lines(rng, text, other):
    """Some lines of one document among those of another."""
    lines, more = text.split(b"\n"), other.split(b"\n")
    i, j = rng.randint(0, len(lines)), rng.randrange(len(more))
    return b"\n".join(lines[:i] + more[j:j + rng.randint(1, 4)] + lines[i:])


def splice_bytes(rng, text, other):
    return text[:rng.randint(0, len(text))] + other[rng.randint(0, len(other)):]


def change_newlines(rng, text, _other):
    return text.replace(b"\n", b"\r\n") if rng.random() < 0.8 else text.replace(b"\n", b"\r")


def swap_value(rng, text, other):
    """The value of some line of the other document for one of this."""
    lines = text.split(b"\n")
    values = [line.split(b"=", 1)[1] for line in other.split(b"\n") if b"=" in line]
    places = [i for i, line in enumerate(lines) if b"=" in line]
    if not values or not places:
        return text
    i = rng.choice(places)
    lines[i] = lines[i].split(b"=", 1)[0] + b"=" + rng.choice(values)
    return b"\n".join(lines)


MUTATIONS = [flip_bytes, insert_token, insert_token, delete_span, duplicate_span, shuffle_lines,
             drop_line, splice_lines, splice_lines, splice_bytes, change_newlines, swap_value]


def random_definitions(rng):
    """A few headers and keys of very few names: most collide in one way or another."""
    def path():
        return ".".join(rng.choice("abc") for _ in range(rng.choice((1, 1, 2, 2, 3))))

    def value():
        members = ", ".join(path() + " = 1" for _ in range(rng.randint(0, 2)))
        return rng.choice(("1", "1", "[]", "{%s}" % members, "[{%s}]" % members))

    lines = []
    for _ in range(rng.randint(2, 7)):
        form = rng.choice(("[%s]", "[[%s]]", "%s = " + value(), "%s = " + value()))
        lines.append(form % path())
    return "\n".join(lines).encode()


def build_corpus(count, seed):
    rng = random.Random(seed)
    valid = [to_bytes(d) for d in VALID]
    everything = valid + [to_bytes(d) for d in INVALID + BIG_INTEGERS]
    corpus = list(everything)
    while len(corpus) < len(everything) + count:
        if rng.random() < 0.25:
            corpus.append(random_definitions(rng))
            continue
        # Mostly from valid documents, as one error hides all that come after it.
        text = rng.choice(valid if rng.random() < 0.85 else everything)
        other = rng.choice(valid if rng.random() < 0.85 else everything)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            text = rng.choice(MUTATIONS)(rng, text, other)
        corpus.append(text)
    return corpus


# ---- both readers, in one form: a scalar is (type, value), a table ("table", ((key, value), ...))


def expected_scalar(value):
    if isinstance(value, str):
        return ("string", value)
    if isinstance(value, bool):
        return ("bool", "true" if value else "false")
    if isinstance(value, int):
        return ("integer", str(value))
    if isinstance(value, float):
        return ("float", float_bits(value))
    if isinstance(value, datetime.datetime):
        text = value.strftime("T%H:%M:%S.%f")
        text = "%04d-%02d-%02d%s" % (value.year, value.month, value.day, text)
        if value.tzinfo is None:
            return ("datetime-local", text)
        minutes = value.utcoffset() // datetime.timedelta(minutes=1)
        return ("datetime", "%s%+d" % (text, minutes))
    if isinstance(value, datetime.date):
        return ("date-local", "%04d-%02d-%02d" % (value.year, value.month, value.day))
    return ("time-local", value.strftime("T%H:%M:%S.%f"))


def expected_tree(value):
    if isinstance(value, dict):
        return ("table", tuple((k, expected_tree(v)) for k, v in value.items()))
    if isinstance(value, list):
        return [expected_tree(v) for v in value]
    return expected_scalar(value)


def float_bits(value):
    return "nan" if value != value else struct.pack(">d", value).hex()


def json_object(pairs):
    if len(pairs) == 2 and pairs[0][0] == "type" and isinstance(pairs[0][1], str):
        kind, value = pairs[0][1], pairs[1][1]
        return (kind, float_bits(float(value)) if kind == "float" else value)
    return ("table", tuple(pairs))


def has_big_integer(value):
    if isinstance(value, dict):
        return any(has_big_integer(v) for v in value.values())
    if isinstance(value, list):
        return any(has_big_integer(v) for v in value)
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def read_python(document):
    """The tree of values, or None if the document is refused."""
    try:
        return tomllib.loads(document.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None


def read_livens(program, corpus):
    framed = b"".join(b"%d\n%s" % (len(d), d) for d in corpus)
    run = subprocess.run([program], input=framed, stdout=subprocess.PIPE, check=False)
    lines = run.stdout.split(b"\n")[:-1]
    if run.returncode != 0 or len(lines) != len(corpus):
        print("%s ended with %d after %d of %d documents" % (program, run.returncode, len(lines),
                                                             len(corpus)))
        print("0 passed, 1 failed")
        sys.exit(1)
    return lines


def compare(document, line):
    """(what went wrong or None, was it accepted, was it the known difference)"""
    tree = read_python(document)
    if line == b"error":
        if tree is None:
            return None, False, False
        if has_big_integer(tree):
            return None, False, True
        return "refused, but tomllib reads %r" % (tree,), False, False
    shown = line.decode(errors="backslashreplace")
    if tree is None:
        return "read as %s, but tomllib refuses" % shown, True, False
    try:
        same = json.loads(line, object_pairs_hook=json_object) == expected_tree(tree)
    except ValueError:  # not JSON or not UTF-8
        same = False
    if not same:
        return "read as %s, but tomllib reads %r" % (shown, tree), True, False
    return None, True, False


def check_seeds():
    """The seeds have to be what their lists say."""
    wrong = [d for d in VALID if read_python(to_bytes(d)) is None]
    wrong += [d for d in INVALID if read_python(to_bytes(d)) is not None]
    wrong += [d for d in BIG_INTEGERS if not has_big_integer(read_python(to_bytes(d)))]
    for document in wrong:
        print("seed in the wrong list: %r" % document)
    return len(wrong)


def main():
    if not follows_toml_1_0():
        print("skipped: this tomllib reads a later version of TOML than 1.0")
        sys.exit(77)
    sys.set_int_max_str_digits(0)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else SEED

    failed = check_seeds()
    corpus = build_corpus(count, seed)
    accepted = known = 0
    for document, line in zip(corpus, read_livens(sys.argv[1], corpus)):
        problem, valid, big = compare(document, line)
        accepted += valid
        known += big
        if problem:
            failed += 1
            print("%r\n    %s" % (document, problem))

    print("%d seeds, %d mutated and random documents, %d of all valid, %d with known differences "
          "(integers beyond 64 bits)" % (len(corpus) - count, count, accepted, known))
    print("%d passed, %d failed" % (len(corpus) - failed, failed))
    sys.exit(1 if failed else 0)


main()
