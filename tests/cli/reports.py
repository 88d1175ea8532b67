"""Pages: what is in them is what the run has written, read here by other means; nothing else is."""

import base64
import json
import math
import os
import pathlib
import re
import struct
import zlib

from harness import check, in_directory, read_csv, within_width

EVIL = "</script><script>alert(1)</script> \"'&<!-- ]]> <img src=x onerror=alert(2)>"


def read_columns(path):
    names, rows = read_csv(path)
    return names, [list(column) for column in zip(*rows)]


def read_page(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    found = re.findall(r'<script type="application/json" id="livens-data">(.*?)</script>', text, re.S)
    check(f"{path}: one place for data", len(found) == 1)
    return text, json.loads(found[0])


def unpack(packed, count, rows, size, shifts):
    """Columns as src/report/pack.h describes them."""
    raw = zlib.decompress(base64.b64decode(packed), -15)
    check("bytes of a table", len(raw) == count + count * rows * size, f"{len(raw)} {count} {rows}")
    bits, columns = 8 * size, []
    for c in range(count):
        order, sums, column = raw[c], [0] * (raw[c] + 1), []
        at = count + c * rows
        for k in range(rows):
            y = sum(raw[at + byte * count * rows + k] << 8 * byte for byte in range(size))
            sums[order] = (y >> 1) ^ -(y & 1)
            for n in range(order - 1, -1, -1):
                sums[n] += sums[n + 1]
            pattern = (sums[0] << shifts[c]) % 2**bits
            column.append(struct.unpack("<f" if size == 4 else "<d", pattern.to_bytes(size, "little"))[0])
        columns.append(column)
    return columns


def read_table(table):
    rows, width = table["rows"], table["width"]
    times = unpack(table["t"], 1, rows, 8, [0])[0]
    shifts = [column[3] for column in table["columns"]]
    sets = 3 if table["bands"] else 1
    columns = unpack(table["data"], sets * width, rows, 4, shifts * sets)
    names = [(column[0], column[2]) for column in table["columns"]]
    return times, [dict(zip(names, columns[k * width:(k + 1) * width])) for k in range(sets)]


def is_near(a, b, relative):
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= relative * abs(b) + 1e-37


def numbers(program, directory):
    """Every number of a page is that of the CSV file, rounded."""
    page, rows = f"{directory}/p.html", f"{directory}/p.csv"
    code, out, err = program.run(f"livens run pendulum3d --until 2 --report {page} --csv {rows}")
    check("run --report", code == 0 and "p.html" in out, out + err)
    within_width("summary with a page", out.replace(directory, "."))
    names, columns = read_columns(rows)
    _, data = read_page(page)
    run = data["runs"][0]
    seen = set()
    for kind in ("watch", "columns"):
        times, sets = read_table(run["tables"][kind])
        check(f"times of {kind}", times == columns[names.index("t")])
        for (name, what), values in sets[0].items():
            exact = columns[names.index(name)]
            if what == "change":
                exact = [abs(x - exact[0]) for x in exact]
            relative = 2**-16 if what == "value" else 2**-9
            if what == "size":
                exact = [abs(x) for x in exact]
            bad = [k for k in range(len(exact)) if not is_near(values[k], exact[k], relative)]
            check(f"column {name}", not bad, f"row {bad[:1]}: {values[bad[0]]} and {exact[bad[0]]}" if bad else "")
            seen.add(name)
    check("all columns are there", seen | {"t"} == set(names), str(set(names) - seen))


def thinned(program, directory):
    """Of a long run there is a part, and the range of the rest."""
    page, rows = f"{directory}/long.html", f"{directory}/long.csv"
    command = "livens run kepler --step 0.01 --until 200"
    code, out, err = program.run(f"{command} --report {page} --csv {rows}")
    check("a long run", code == 0 and "1 of 8 rows" in out, out + err)
    names, columns = read_columns(rows)
    text, data = read_page(page)
    table = data["runs"][0]["tables"]["watch"]
    check("every eighth row", table["every"] == 8 and table["seen"] == 20001, str(table["every"]))
    times, (values, least, most) = read_table(table)
    energy = columns[names.index("T")]
    for k, t in enumerate(times[:-1]):
        part = energy[8 * k:8 * k + 8]
        for got, right in ((values, part[0]), (least, min(part)), (most, max(part))):
            if not is_near(got["T", "value"][k], right, 2**-16):
                check(f"range of row {k}", False, f"{got['T', 'value'][k]} and {right}")
    check("the last row is there", times[-1] == 200 and times == sorted(times))
    check("a page has a size", len(text) < 2_300_000, str(len(text)))


def reproducible(program, directory, model="four-particles --until 0.5"):
    """The same bytes from a run, again, from its file, and from elsewhere; no path, no time."""
    pages = [f"{directory}/{name}.html" for name in "abcd"]
    os.mkdir(f"{directory}/elsewhere")
    run = f"livens run {model}"
    for command in (f"{run} --report {pages[0]}", f"{run} -o {directory}/elsewhere/x.h5 --report {pages[1]}",
                    f"livens report {directory}/elsewhere/x.h5 -o {pages[2]}"):
        code, out, err = program.run(command)
        check(command, code == 0, err)
    first = pathlib.Path(pages[0]).read_bytes()
    check("the same page of a second run", pathlib.Path(pages[1]).read_bytes() == first)
    check("the same page from the file", pathlib.Path(pages[2]).read_bytes() == first)
    check("no path", directory.encode() not in first and b"/tmp/" not in first)
    code, out, err = program.run(f"livens report {directory}/elsewhere/x.h5 -o -")
    check("a page to standard output", code == 0 and out.encode() == first and "kB" in err, err[:200])
    _, data = read_page(pages[0])
    command = data["runs"][0]["command"]
    code, out, err = program.run(f"{command} --report {pages[3]}")
    check("the command of a page makes the page", code == 0 and pathlib.Path(pages[3]).read_bytes() == first, command + err)


def evil(program, directory):
    model = f"{directory}/evil.toml"
    text = (f"# {EVIL}\nname = '''{EVIL}'''\ndescription = \"\\u0001 \\u2028 </SCRIPT\\t>\"\n"
            "[coordinates]\nx = { value = 1, velocity = 0 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n"
            "[run]\nscheme = \"rattle\"\nstep = 0.1\nuntil = 1\n")
    pathlib.Path(model).write_text(text)
    page = f"{directory}/evil.html"
    code, out, err = program.run(f"livens run {model} --report {page}")
    check("a model with an evil name", code == 0, err)
    html, data = read_page(page)
    run = data["runs"][0]
    check("its name is text", run["title"] == EVIL and run["model"] == text and "\x01" in run["description"])
    check("nothing ends the script", html.count("alert(1)") == html.count("\\u003cscript>alert(1)") > 0)


def small(program, directory):
    page = f"{directory}/four.html"
    code, out, err = program.run(f"livens run four-particles --report {page}")
    check("a page of 51 columns and 1001 rows is small", code == 0 and os.path.getsize(page) < 200_000, out + err)


def several(program, directory):
    a, b, page = (f"{directory}/{name}" for name in ("a.h5", "b.h5", "both.html"))
    program.run(f"livens run kepler --until 5 --step 0.05 -o {a}")
    program.run(f"livens run kepler --until 5 --step 0.1 --scheme em -o {b}")
    code, out, err = program.run(f"livens report {a} {b} -o {page}")
    check("two runs in a page", code == 0, err)
    _, data = read_page(page)
    check("their schemes", [run["scheme"] for run in data["runs"]][1] == "em" and len(data["runs"]) == 2)


def refused(program, directory):
    h5 = f"{directory}/r.h5"
    code, out, err = program.run(f"livens run kepler --until 1 -o {h5}")
    check("a file", code == 0, err)
    for command, exit_code, words in (
            (f"livens report {h5}", 2, "report needs -o OUT.html"),
            (f"livens report -o {directory}/x.html", 2, "report needs OUT.h5"),
            (f"livens report {h5} -o {h5}", 2, "would replace the results"),
            (f"livens report {h5} -o {directory}/x.h5", 2, "ends like HDF5"),
            (f"livens report {directory}/none.h5 -o {directory}/x.html", 4, "none.h5"),
            (f"livens report {h5} -o {directory}/none/x.html", 4, "cannot write"),
            (f"livens run kepler --report {directory}/none/x.html", 4, "cannot write"),
            (f"livens run kepler --report {directory}/x.h5", 2, "ends like HDF5"),
            ("livens run kepler --report - --csv -", 2, "both write to standard output"),
            ("livens run kepler --report - --json", 2, "both write to standard output")):
        code, out, err = program.run(command)
        check(command.replace(directory, "."), code == exit_code and words in err, f"{code} {err}")
    check("nothing is left behind", not [f for f in os.listdir(directory) if "html" in f], str(os.listdir(directory)))


def stopped(program, directory):
    """A run that fails has a page up to there, which says why."""
    model, page = f"{directory}/falls.toml", f"{directory}/falls.html"
    pathlib.Path(model).write_text(
        "[coordinates]\nx = { value = 1, velocity = -1 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"log(x)\"\n"
        "[outputs]\ny = \"x\"\n[run]\nscheme = \"rattle\"\nstep = 0.01\nuntil = 3\n")
    code, out, err = program.run(f"livens run {model} --report {page}")
    check("a run that fails", code in (1, 3), f"{code} {err}")
    _, data = read_page(page)
    run = data["runs"][0]
    check("the page of a run that stopped", run["failure"] and run["time"] < 3 and run["tables"]["watch"]["rows"] > 50,
          str(run.get("failure")))


def reproducible_bodies(program, directory):
    """Of bodies a file has other numbers than the run had; the picture is the same."""
    reproducible(program, directory, "heavy-top --until 0.05")
    _, data = read_page(f"{directory}/c.html")
    check("bodies have a picture", data["runs"][0]["tables"]["view"]["rows"] == 51)


SUITES = [in_directory(suite) for suite in (numbers, thinned, reproducible, reproducible_bodies, evil, small, several, refused, stopped)]
