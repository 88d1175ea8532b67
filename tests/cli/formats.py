"""Formats that other programs read: CSV and VTK of results, models from URDF."""

import base64
import csv
import io
import math
import os
import pathlib
import struct
import xml.etree.ElementTree as tree

from harness import check, in_directory, read_csv, within_width

SOLIDS = """
[bodies.ball]
shape = { sphere = 0.5 }
density = 2
position = [0, 0, 0]
angular_velocity = [0.3, 0.2, 1]
[bodies.brick]
shape = { box = [1, 2, 3] }
density = 1
position = [3, 0, 0]
angular_velocity = [0.1, 2, 0.3]
[bodies.can]
shape = { cylinder = [0.5, 2] }
density = 1
position = [6, 0, 0]
velocity = [0, 1, 0]
[bodies.pill]
shape = { capsule = [0.25, 1] }
density = 1
position = [9, 0, 0]
[particles.p]
mass = 1
position = [0, 5, 0]
velocity = [1, 2, 3]
[rods.arm]
between = ["p", [0, 6, 0]]
[springs.coil]
between = ["p", [0, 0, 9]]
stiffness = 1
[run]
scheme = "rattle"
step = 0.01
until = 0.1
initial = "project"
"""

VOLUMES = {"ball": 4 / 3 * math.pi * 0.5**3, "brick": 6, "can": math.pi * 0.25 * 2,
           "pill": math.pi * 0.0625 * 1 + 4 / 3 * math.pi * 0.25**3}

# ---- a reader of VTK files


def read_array(element, order):
    """Numbers of a DataArray: its size in bytes as eight bytes, then its bytes, in base64; texts as codes."""
    if element.get("type") == "String":
        codes = [int(word) for word in element.text.split()]
        return bytes(codes).decode().split("\0")[:-1]
    raw = base64.b64decode(element.text, validate=True)
    size, = struct.unpack_from(order + "Q", raw)
    if size != len(raw) - 8:
        raise ValueError("size of an array")
    kind = {"Float64": "d", "Int64": "q"}[element.get("type")]
    return list(struct.unpack(f"{order}{size // 8}{kind}", raw[8:]))


def read_vtp(path):
    """Numbers of cells, fields, and arrays by the element that they are in."""
    root = tree.parse(path).getroot()
    order = {"LittleEndian": "<", "BigEndian": ">"}[root.get("byte_order")]
    data = root.find("PolyData")
    piece = data.find("Piece")
    found = {"sizes": {key: int(value) for key, value in piece.attrib.items()},
             "fields": {a.get("Name"): read_array(a, order) for a in data.find("FieldData")}}
    for part in piece:
        arrays = {}
        for a in part:
            values, width = read_array(a, order), int(a.get("NumberOfComponents", 1))
            arrays[a.get("Name")] = values if width == 1 else [values[k:k + width]
                                                              for k in range(0, len(values), width)]
        found[part.tag] = arrays
    return found


def is_sound(vtp):
    """Arrays have an entry for each point or cell, cells have points that there are."""
    sizes = vtp["sizes"]
    points = sizes["NumberOfPoints"]
    cells = 0
    for kind, number in (("Verts", "NumberOfVerts"), ("Lines", "NumberOfLines"), ("Polys", "NumberOfPolys")):
        ends, members = vtp[kind]["offsets"], vtp[kind]["connectivity"]
        if len(ends) != sizes[number] or sorted(ends) != ends or (ends[-1] if ends else 0) != len(members):
            return False
        if any(not 0 <= k < points for k in members):
            return False
        cells += sizes[number]
    return (len(vtp["Points"]["Points"]) == points and
            all(len(values) == points for values in vtp["PointData"].values()) and
            all(len(values) == cells for values in vtp.get("CellData", {}).values()))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def volumes(vtp):
    """Of the polygons of each item, by the theorem of Gauss: positive where they look outwards."""
    points, result, begin = vtp["Points"]["Points"], {}, 0
    items = vtp["CellData"]["item"][vtp["sizes"]["NumberOfLines"]:]
    for end, item in zip(vtp["Polys"]["offsets"], items):
        corners = [points[k] for k in vtp["Polys"]["connectivity"][begin:end]]
        for b, c in zip(corners[1:], corners[2:]):
            result[item] = result.get(item, 0) + dot(corners[0], cross(b, c)) / 6
        begin = end
    return result


# ---- exports


def csv_is_that_of_the_run(call):
    for model in ("four-particles", "slider-crank", "rolling-penny"):
        call(f"run {model} -o {model}.h5 --csv {model}.csv --until 0.2 -q")
        code, out, err = call(f"export {model}.h5 -o again.csv")
        check(f"export {model}", code == 0 and err == "", out + err)
        within_width(f"export {model}", out)
        check(f"export {model}: the bytes of the run",
              pathlib.Path("again.csv").read_bytes() == pathlib.Path(f"{model}.csv").read_bytes())
    whole = list(csv.reader(open("slider-crank.csv", encoding="utf-8")))
    _, out, _ = call("export slider-crank.h5 -o - --channels crank,E --every 7")
    chosen = list(csv.reader(io.StringIO(out)))
    columns = [whole[0].index(name) for name in chosen[0]]
    rows = [k for k in range(len(whole) - 1) if k % 7 == 0 or k == len(whole) - 2]
    check("export: chosen columns", chosen[0] == ["t", "crank[1]", "crank[2]", "E"], str(chosen[0]))
    check("export: every seventh row and the last",
          chosen[1:] == [[whole[k + 1][c] for c in columns] for k in rows])


def ensembles_are_exported(call):
    call("sweep henon-heiles-ensemble -o many.h5 --csv many.csv --until 1 --step 0.1 -q")
    code, out, err = call("export many.h5 -o again.csv -q")
    rows, expected = ([dict(row) for row in csv.DictReader(open(name, encoding="utf-8"))]
                      for name in ("again.csv", "many.csv"))
    shared = [name for name in rows[0] if name in expected[0]]
    check("export: an ensemble", code == 0 and out == "" and len(rows) == len(expected) and len(shared) > 5, err)
    check("export: numbers of an ensemble", all(a[n] == b[n] for a, b in zip(rows, expected) for n in shared))
    code, _, err = call("export many.h5 -o many.pvd")
    check("export: an ensemble has no motion", code != 0 and "sweep" in err and not os.path.exists("many.pvd"), err)


def motion_is_exported(call):
    pathlib.Path("solids & co.toml").write_text(SOLIDS, encoding="utf-8")
    call("run 'solids & co.toml' -o 'solids & co.h5' --csv solids.csv -q")
    code, out, err = call("export 'solids & co.h5' -o 'solids & co.pvd' --every 5")
    check("export: VTK", code == 0 and err == "", out + err)
    within_width("export: VTK", out)
    names, rows = read_csv("solids.csv")
    root = tree.parse("solids & co.pvd").getroot()
    sets = [entry.attrib for entry in root.find("Collection")]
    times = sorted({float(s["timestep"]) for s in sets})
    check("export: times", root.get("type") == "Collection" and times == [rows[k][0] for k in (0, 5, 10)], str(times))
    check("export: parts", {s["name"] for s in sets} == {"bodies", "points", "shapes"}, str(sets[:4]))
    for entry in sets:
        row = rows[[r[0] for r in rows].index(float(entry["timestep"]))]
        vtp = read_vtp(entry["file"])
        check(f"{entry['file']}: is sound", is_sound(vtp))
        values = dict(zip(names, row))
        check(f"{entry['file']}: fields", {k: v[0] for k, v in vtp["fields"].items()} ==
              {"TimeValue": row[0], **{k: values[k] for k in ("T", "V", "E")}}, str(vtp["fields"]))
        if entry["name"] != "shapes":
            points_are_those_of_rows(entry["name"], vtp, values)
        else:
            shapes_have_volumes(vtp)


def points_are_those_of_rows(part, vtp, values):
    data = vtp["PointData"]
    check(f"export {part}: names", data["name"] == (["ball", "brick", "can", "pill"] if part == "bodies" else ["p"]))
    for k, name in enumerate(data["name"]):
        for where, label in ((vtp["Points"]["Points"], name), (data["velocity"], name + "'")):
            check(f"export {part}: {label}", where[k] == [values[f"{label}[{i}]"] for i in (1, 2, 3)])
        if part == "points":
            continue
        omega = [values[f"{name}.omega[{i}]"] for i in (1, 2, 3)]
        axes = [data[e][k] for e in ("e1", "e2", "e3")]
        check(f"export: quaternion of {name}",
              data["quaternion"][k] == [values[f"{name}.quaternion[{i}]"] for i in (1, 2, 3, 4)])
        check(f"export: axes of {name}", all(abs(dot(a, b) - (i == j)) < 1e-12 for i, a in enumerate(axes)
                                             for j, b in enumerate(axes)))
        check(f"export: spin of {name}", all(abs(dot(data["angular_velocity"][k], axes[i]) - omega[i]) < 1e-12
                                             for i in range(3)))


def shapes_have_volumes(vtp):
    """Polygons lie inside of round shapes, and miss a few per cent of them."""
    found = [v for v in volumes(vtp).values() if v > 0.04][:4]
    check("export: solids", len(found) == 4 and
          all(0.95 * v < w <= v * (1 + 1e-12) for w, v in zip(found, VOLUMES.values())), str(found))
    check("export: all look outwards", all(v > 0 for v in volumes(vtp).values()))
    check("export: a spring is a line", vtp["sizes"]["NumberOfLines"] == 1)


def exports_are_refused(call):
    call("run kepler -o orbit.h5 --until 0.1 --channels E -q")
    for command, words, code in (
            ("export orbit.h5", ["needs -o", "orbit.h5 -o out.csv"], 2),
            ("export orbit.h5 -o orbit.h5", ["would replace"], 2),
            ("export orbit.h5 -o orbit.vtk", ["does not say what to write", "OUT.pvd"], 2),
            ("export orbit.h5 -o x.csv --channels e", ["nothing called 'e'", "did you mean 'E'?"], 2),
            ("export orbit.h5 -o x.csv --every 0", ["--every"], 2),
            ("export orbit.h5 -o x.pvd", ["lacks coordinates", "without --channels"], 1),
            ("export none.h5 -o x.csv", ["none.h5"], 4),
            ("export orbit.h5 -o no/where/x.csv", ["no/where/x.csv"], 4)):
        got, out, err = call("" + command)
        check(command, got == code and out == "" and all(w in err for w in words), err)
        within_width(command, err)
    check("refused exports write nothing", not os.path.exists("x.csv") and not os.path.exists("x.pvd"))
    call("run kepler -o orbit.h5 --until 0.1 -q")
    pathlib.Path("taken").write_text("", encoding="utf-8")
    code, _, err = call("export orbit.h5 -o taken.pvd")
    check("export: the directory is a file", code == 4 and "taken" in err, err)


def at_home(suite):
    """A suite that works in a directory of its own, and calls the program there."""
    def inside(program, directory):
        home = os.getcwd()
        os.chdir(directory)
        try:
            suite(lambda command: program.run(f"cd '{directory}' && livens {command}"))
        finally:
            os.chdir(home)
    return in_directory(inside)


SUITES = [at_home(suite) for suite in (csv_is_that_of_the_run, ensembles_are_exported, motion_is_exported,
                                       exports_are_refused)]
