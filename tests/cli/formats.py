"""Formats that other programs read: CSV and VTK of results, models from URDF."""

import base64
import csv
import io
import math
import os
import pathlib
import struct
import xml.etree.ElementTree as tree

from harness import ROOT, check, in_directory, read_csv, within_width

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


# ---- robots

ROBOTS = ROOT / "examples" / "robots"

# The same robots by hand: Lagrangians in the angles of joints, and bodies in other axes.
BY_HAND = {"two-link-arm": """
[coordinates]
shoulder = 0.7
elbow = -0.4
[energy]
kinetic = "(0.083 + 0.25 + 1)/2*shoulder'^2 + (0.33 + 1)/2*(shoulder' + elbow')^2 \
+ cos(elbow)*shoulder'*(shoulder' + elbow')"
potential = "-9.81*(1.5*cos(shoulder) + cos(shoulder + elbow))"
[forces.friction]
on = ["shoulder", "elbow"]
force = ["-0.1*shoulder'", "0.5 - 0.1*elbow'"]
""", "scara": """
[coordinates]
joint1 = 0.3
joint2 = 0.9
joint3 = 0.02
joint4 = -0.2
[definitions]
a = "joint1 + joint2"
b = "joint1 + joint2 - joint4"
elbow = "0.325*[cos(joint1), sin(joint1)]"
outer = "elbow + 0.1375*[cos(a), sin(a)]"
wrist = "elbow + 0.275*[cos(a), sin(a)]"
grip = "wrist + 0.02*[cos(b), sin(b)]"
[energy]
kinetic = "(0.086 + 8*0.1625^2)/2*joint1'^2 + 3*norm2(outer') + 0.0532/2*a'^2 + 0.6*norm2(wrist') \
+ 0.4*norm2(grip') + 0.0009/2*b'^2 + joint3'^2"
potential = "-2*9.81*joint3"
[forces.motors]
on = ["joint1", "joint2", "joint3", "joint4"]
force = ["3 - 0.8*joint1'", "-1 - 0.3*joint2'", "-40*joint3' - 2*tanh(joint3'/0.01)", "0.05 - 0.01*joint4'"]
""", "six-axis-arm": """
[gravity]
acceleration = [0, 0, -9.81]
[bodies.b1]
mass = 13
inertia = [0.35, 0.35, 0.35]
position = [0, 0, 0]
[bodies.b2]
mass = 17.4
inertia = [0.13, 0.524, 0.539]
position = [0.068, -0.2275, 0.006]
rotation = ["pi/2", 0, 0]
[bodies.b3]
mass = 4.8
inertia = [0.066, 0.078, 0.0125]
position = [0.4318, -0.16415, 0.07]
[bodies.b4]
mass = 0.82
inertia = [0.0018, 0.0013, 0.0018]
position = [0.4521, -0.15005, 0.4508]
rotation = ["pi/2", 0, 0]
[bodies.b5]
mass = 0.34
inertia = [0.0003, 0.0004, 0.0003]
position = [0.4521, -0.15005, 0.4318]
[bodies.b6]
mass = 0.09
inertia = [0.00015, 0.00015, 0.00004]
position = [0.4521, -0.15005, 0.4638]
""" + "".join(f"""[joints.{name}]
type = "revolute"
between = ["{one}", "{other}"]
at = {at}
axis = {axis}
""" for name, one, other, at, axis in (
    ("waist", "ground", "b1", [0, 0, 0], [0, 0, 1]),
    ("shoulder", "b1", "b2", [0, 0, 0], [0, -1, 0]),
    ("elbow", "b2", "b3", [0.4318, 0, 0], [0, -1, 0]),
    ("wrist1", "b3", "b4", [0.4521, -0.15005, 0], [0, 0, 1]),
    ("wrist2", "b4", "b5", [0.4521, -0.15005, 0.4318], [0, -1, 0]),
    ("wrist3", "b5", "b6", [0.4521, -0.15005, 0.4318], [0, 0, 1])))}

STARTS = {"two-link-arm": "--set shoulder=0.7 --set elbow=-0.4",
          "scara": "--set joint1=0.3 --set joint2=0.9 --set joint3=0.02 --set joint4=-0.2", "six-axis-arm": ""}
EFFORTS = {"two-link-arm": "--input effort_elbow=0.5", "six-axis-arm": "",
           "scara": "--input effort_joint1=3 --input effort_joint2=-1 --input effort_joint4=0.05"}
BOUNDS = {"two-link-arm": 1e-10, "scara": 1e-8, "six-axis-arm": 1e-10}


def robots_are_those_by_hand(call):
    for robot, text in BY_HAND.items():
        code, out, err = call(f"import '{ROBOTS}/{robot}.urdf' -o {robot}.toml {STARTS[robot]}")
        check(f"import {robot}", code == 0 and f"{robot}.toml: " in out, err)
        within_width(f"import {robot}", out)
        code, _, err = call(f"check {robot}.toml --strict")
        check(f"import {robot}: checks", code == 0, err)
        pathlib.Path("hand.toml").write_text(text, encoding="utf-8")
        how = "--scheme lobatto --stages 4 --step 0.005 --until 0.5 -q --every 1000"
        codes = [call(f"run {robot}.toml {how} {EFFORTS[robot]} --csv imported.csv"),
                 call(f"run hand.toml {how} --csv hand.csv")]
        check(f"import {robot}: runs", all(c[0] == 0 for c in codes), str(codes))
        imported, by_hand = (dict(zip(names, rows[-1])) for names, rows in map(read_csv, ("imported.csv", "hand.csv")))
        joints = [name[:-len("_position")] for name in imported if name.endswith("_position")]
        moved = 0
        for joint in joints:
            other = by_hand.get(joint, by_hand.get(f"{joint}.angle"))
            moved = max(moved, abs(other))
            check(f"import {robot}: {joint} is that by hand",
                  abs(imported[f"{joint}_position"] - other) < BOUNDS[robot], f"{imported[joint + '_position']} {other}")
        check(f"import {robot}: it moves", moved > 0.1 and len(joints) in (2, 4, 6))
        check(f"import {robot}: energies are those by hand",
              abs(imported["T"] - by_hand["T"]) < 10 * BOUNDS[robot] * max(1, by_hand["T"]))


LINK = """<link name="{0}"><inertial><origin xyz="{1}"/><mass value="{2}"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
"""


def robot_of(*parts):
    return '<robot name="r">\n' + "".join(parts) + "</robot>\n"


def joint_of(name, kind, parent, child, inside=""):
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="1 0 0"/><axis xyz="0 1 0"/>{inside}</joint>\n')


def joints_of_all_types(call):
    links = "".join(LINK.format(name, "0.5 0 0", 1) for name in ("a", "b", "c", "d", "f"))
    text = robot_of('<link name="world"/>\n', links, '<link name="frame"/>\n', joint_of("j1", "revolute", "world", "a"),
                    joint_of("j2", "prismatic", "a", "b", '<mimic joint="j1" multiplier="0.5" offset="0.1"/>'),
                    joint_of("j3", "fixed", "b", "c"), joint_of("j4", "planar", "world", "d"),
                    joint_of("j5", "floating", "world", "f"), joint_of("j6", "continuous", "d", "frame"))
    pathlib.Path("all.urdf").write_text(text, encoding="utf-8")
    code, _, err = call("import all.urdf -o all.toml --set j1=0.2")
    model = pathlib.Path("all.toml").read_text(encoding="utf-8") if code == 0 else ""
    check("import: all types", code == 0, err)
    check("import: fixed links are one body", "[bodies.b]\nmass = 2\n" in model and "[bodies.c]" not in model, model)
    check("import: Steiner", "inertia = [0.2, 0.7, 0.7]" in model, model)  # two of 0.1, 1 m apart, 1 kg each
    check("import: no mass at an end", "frame" in err and "j6" in err and "[joints.j6]" not in model, err)
    check("import: floating is free", "[bodies.f]" in model and "j5" not in model.split("[parameters]")[1])
    code, out, err = call("check all.toml --json")
    check("import: freedom", '"freedom": 10' in out, out[:2000])  # j1 with j2, a plane 3, free 6
    call("run all.toml -q --until 0.3 --csv all.csv")
    names, rows = read_csv("all.csv")
    worst = max(abs(dict(zip(names, r))["j2_position"] - 0.1 - 0.5 * dict(zip(names, r))["j1_position"]) for r in rows)
    check("import: mimic holds", worst < 1e-12, str(worst))
    call("import all.urdf -o free.toml --root floating")
    code, _, err = call("import all.urdf -o free.toml --root floating")
    check("import: a root that floats needs mass", code == 1 and "'world' moves and has no mass" in err, err)
    pathlib.Path("free.urdf").write_text(robot_of(LINK.format("hull", "0 0 0", 2), LINK.format("fin", "0 0 0", 1),
                                                  joint_of("j", "revolute", "hull", "fin")), encoding="utf-8")
    call("import free.urdf -o free.toml --root floating")
    _, out, _ = call("check free.toml --json")
    check("import: a root that floats", '"freedom": 7' in out, out[:500])


def loops_are_closed_by_hand(call):
    """A four-bar linkage: three bars of a tree, and a joint of the model."""
    bars = "".join(LINK.format(name, "0 0 0.5", 1) for name in ("a", "c"))
    text = robot_of('<link name="world"/>\n', bars, LINK.format("b", "0.5 0 0", 1),
                    '<joint name="ja" type="continuous"><parent link="world"/><child link="a"/><axis xyz="0 1 0"/></joint>',
                    '<joint name="jb" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/>'
                    '<axis xyz="0 1 0"/></joint>',
                    '<joint name="jc" type="continuous"><parent link="world"/><child link="c"/><origin xyz="1 0 0"/>'
                    '<axis xyz="0 1 0"/></joint>')
    pathlib.Path("loop.urdf").write_text(text, encoding="utf-8")
    call("import loop.urdf -o loop.toml")
    with open("loop.toml", "a", encoding="utf-8") as model:
        model.write('[joints.close]\ntype = "point_on_line"\nbetween = ["b", "c"]\nat = [1, 0, 1]\naxis = [0, 1, 0]\n')
    code, out, err = call("check loop.toml --json")
    check("import: a loop", code == 0 and '"freedom": 1' in out, err + out[:500])


def robots_are_refused(call):
    good = LINK.format("a", "0 0 1", 1)
    world = '<link name="w"/>\n'
    cases = (("<robot>\n<link name='a'>\n</robot>", ":3:3: error: </robot> where </link> is expected", "opens at line 2"),
             ("<robot", ":1:7:", "end of the file"),
             ("", "error:", "empty"),
             ("<robot><link name='a' name='b'/></robot>", ":1:23:", "twice"),
             ("<robot><link name=a/></robot>", ":1:19:", "in quotes"),
             ("<robot>&lol;<link name='&lol;'/></robot>", ":1:25:", "unknown entity"),
             ('<!DOCTYPE r [<!ENTITY a "aaa">]>\n<robot/>', ":1:13:", "not read"),
             ("<a>" * 300, ":1:605:", "nested"),
             ("<sdf/>", ":1:2:", "no URDF"),
             ("<robot xmlns:xacro='x'>\n<xacro:macro/></robot>", ":2:2:", "xacro robot.xacro > robot.urdf"),
             ("<robot/>", ":1:2:", "no <link>"),
             (robot_of(good, good), ":4:12:", "two links called 'a'"),
             (robot_of(world, good), ":3:12:", "one root"),
             (robot_of(world, good, joint_of("j", "hinge", "w", "a")), ":5:22:", "no type 'hinge'"),
             (robot_of(world, good, joint_of("j", "revolute", "w", "A")), "no link 'A'", "did you mean 'a'?"),
             (robot_of(world, good, joint_of("j", "revolute", "a", "a")), ":5:13:", "to itself"),
             (robot_of(world, good, joint_of("j", "fixed", "w", "a")), ":2:12:", "nothing of the robot moves"),
             (robot_of(world, good, joint_of("j", "revolute", "w", "a"), joint_of("k", "revolute", "w", "a")), ":6:13:",
              "no loops"),
             (robot_of(world, good.replace('"1"', '"1 2"'), joint_of("j", "revolute", "w", "a")), ":3:59:",
              "must be a number"),
             (robot_of(world, good.replace('"0 0 1"', '"0 0"'), joint_of("j", "revolute", "w", "a")), ":3:38:",
              "three numbers"),
             (robot_of(world, good.replace('value="1"', 'value="-1"'), joint_of("j", "revolute", "w", "a")), ":3:",
              "negative"),
             (robot_of(world, good.replace('izz="0.1"', 'izz="0.3"'), joint_of("j", "revolute", "w", "a")), ":3:12:",
              "no body has the inertia of link 'a'"),
             (robot_of(world, '<link name="m"/>\n', good, joint_of("j", "revolute", "w", "m"),
                       joint_of("k", "revolute", "m", "a")), ":3:12:", "'m' moves and has no mass"),
             (robot_of(world, good, joint_of("j", "revolute", "w", "a", '<mimic joint="k"/>')), "no joint 'k'", ":5:"))
    for text, *words in cases:
        pathlib.Path("bad.urdf").write_text(text, encoding="utf-8")
        code, out, err = call("import bad.urdf -o bad.toml")
        check(f"import {text[:60]!r}", code == 1 and out == "" and all(w in err for w in words), f"{code} {err}")
        within_width(f"import {words[-1]}", "\n".join(line for line in err.splitlines() if " | " not in line))
    check("refused robots write nothing", not os.path.exists("bad.toml"))
    pathlib.Path("good.urdf").write_text(robot_of(world, good, joint_of("j", "revolute", "w", "a")), encoding="utf-8")
    for options, words in (("", "needs -o"), ("-o x.toml --set k=1", "no joint 'k'"), ("-o x.toml --set j", "no joint with"),
                           ("-o x.toml --root free", "--root"), ("-o good.urdf", "would replace")):
        code, out, err = call(f"import good.urdf {options}")
        check(f"import {options}", code == 2 and words in err, err)
    code, out, err = call("import good.urdf -o - -q")
    check("import: to standard output", code == 0 and out.startswith("# r, from good.urdf") and err == "", err)


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
                                       exports_are_refused, robots_are_those_by_hand, joints_of_all_types,
                                       loops_are_closed_by_hand, robots_are_refused)]
