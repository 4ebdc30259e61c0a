#!/usr/bin/env python3
"""talus sample writes the same packing as CSV, as LAMMPS data and as text for Yade: the same spheres with the same overlaps, also in a cell that
was sheared far. LAMMPS and Yade read their files themselves where they are installed. And what is refused."""
import itertools
import pathlib
import re
import shutil
import subprocess

import numpy as np
from program import Faults, done, scratch, sets, talus

faults = Faults()
check = faults.check

# Spheres of two materials at random, some of which touch; the cell deforms as it likes. Nothing of it is at rest.
SCENE = """\
[material.sand]
density = 2650
young = "20 MPa"
friction = 0.3

[material.lead]
density = 11340
young = "20 MPa"
friction = 0.3

[grains.sand]
material = "sand"
count = 40
sizes = { kind = "uniform", min = "0.8 mm", max = "1.2 mm" }
place = { kind = "random-without-overlap", scale = 0.7 }

[grains.lead]
material = "lead"
count = 20
sizes = { kind = "single", diameter = "1 mm" }
place = { kind = "random-without-overlap", scale = 0.7 }

[cell]
size = ["4.0 mm", "3.8 mm", "4.2 mm"]
PERIODIC
[dynamics]
overlap_limit = 1
local_damping = 0.9

[output]
vtk = false

[[stage]]
kind = "deform"
rate = RATE
steps = 3000
"""
STILL = "[0, 0, 0, 0, 0, 0, 0, 0, 0]"


def run(folder, name, rate=STILL, periodic=""):
    (folder / f"{name}.toml").write_text(SCENE.replace("RATE", rate).replace("PERIODIC", periodic))
    done("run", folder / f"{name}.toml", "--quiet", "--threads", 1, "--out", folder / name)
    with open(folder / name / "series.csv") as file:
        rows = [line.strip().split(",") for line in file]
    last = dict(zip((name.split(" ")[0] for name in rows[0]), rows[-1]))
    return float(last["Z"])


class Packing:
    """Cell (edges as columns), which of its edges repeat, radii, places, densities."""

    def __init__(self, cell, periodic, radius, place, density=None, low=(0, 0, 0)):
        self.cell, self.periodic, self.low = np.array(cell, float), periodic, np.array(low, float)
        self.radius, self.place, self.density = np.array(radius, float), np.array(place, float), density
        order = np.lexsort((np.round(self.radius, 15),))
        self.sorted_radii = self.radius[order]

    def overlaps(self):
        """Of all pairs that touch, over all images near by."""
        reach = [range(-2, 3) if repeats else (0,) for repeats in self.periodic]
        found = []
        for image in itertools.product(*reach):
            apart = self.place[:, None] - self.place[None] + self.cell @ image
            overlap = self.radius[:, None] + self.radius[None] - np.linalg.norm(apart, axis=2)
            here = np.triu(np.ones_like(overlap, bool), 1) if not any(image) else np.ones_like(overlap, bool)
            found += [(o, 1 if not any(image) else 0.5) for o in overlap[here & (overlap > 0)]]
        return found

    def summary(self):
        found = self.overlaps()
        return {"grains": len(self.radius), "volume of the cell": abs(np.linalg.det(self.cell)) if all(self.periodic) else 0,
                "volume of grains": (4 / 3 * np.pi * self.radius ** 3).sum(), "mass": self.mass(), "contacts": sum(weight for _, weight in found),
                "overlap in all": sum(o * weight for o, weight in found)}

    def mass(self):
        return 0 if self.density is None else (4 / 3 * np.pi * self.density * self.radius ** 3).sum()

    def fractions(self):
        return np.linalg.solve(self.cell, (self.place - self.low).T).T


def read_csv(path):
    lines = path.read_text().splitlines()
    edges = [list(map(float, line.split(":")[1].split())) for line in lines if line.startswith("# edge")]
    along = next(line for line in lines if line.startswith("# periodic")).split(":")[1].split()
    names = [name.split(" ")[0] for name in next(line for line in lines if not line.startswith("#")).split(",")]
    rows = np.array([list(map(float, line.split(","))) for line in lines if not line.startswith(("#", "uid"))])
    column = {name: rows[:, k] for k, name in enumerate(names)}
    return Packing(np.array(edges).T, [edge in along for edge in "abc"], column["radius"], rows[:, [names.index(k) for k in "xyz"]], column["density"])


def read_lammps(path):
    text = path.read_text()
    first = text.splitlines()[0]
    number = r"(-?[\d.e+-]+)"
    bounds = [list(map(float, re.search(rf"^{number} {number} {axis}lo {axis}hi$", text, re.M).groups())) for axis in "xyz"]
    tilt = re.search(rf"^{number} {number} {number} xy xz yz$", text, re.M)
    xy, xz, yz = map(float, tilt.groups()) if tilt else (0, 0, 0)
    size = [high - low for low, high in bounds]
    periodic = [word == "p" for word in re.search(r"boundary (\w) (\w) (\w)", first).groups()]
    for name, value, edge, repeats in (("xy", xy, size[0], periodic[0]), ("xz", xz, size[0], periodic[0]), ("yz", yz, size[1], periodic[1])):
        check(not repeats or abs(value) <= edge / 2 * (1 + 1e-12), path.name, name, "is", value, "of an edge of", edge)
    atoms = np.array([list(map(float, line.split())) for line in re.search(r"\nAtoms\n\n(.*?)(\n\n|\Z)", text, re.S).group(1).splitlines()])
    count = int(re.search(r"^(\d+) atoms$", text, re.M).group(1))
    check(count == len(atoms) and len(set(atoms[:, 0])) == count, path.name, "has", len(atoms), "atoms for", count)
    check(set(atoms[:, 1]) == {1, 2}, path.name, "has the types", set(atoms[:, 1]))
    return Packing([[size[0], xy, xz], [0, size[1], yz], [0, 0, size[2]]], periodic, atoms[:, 2] / 2, atoms[:, 4:7], atoms[:, 3],
                   [low for low, _ in bounds])


def read_yade(path):
    lines = path.read_text().splitlines()
    check(not any(line == "" for line in lines), path.name, "has an empty line: Yade stumbles")
    head = [line for line in lines if line.startswith("#")]
    cell, periodic = np.eye(3), [False] * 3
    if head and head[0].startswith("##PERIODIC::"):
        cell, periodic = np.diag(list(map(float, head[0].split()[1:]))), [True] * 3
    elif head:
        cell, periodic = np.array(list(map(float, head[0].split(":")[1].split()))).reshape(3, 3), [True] * 3
    rows = np.array([list(map(float, line.split())) for line in lines if not line.startswith("#")])
    return Packing(cell, periodic, rows[:, 3], rows[:, :3])


def by_lammps(path, packing):
    if not shutil.which("lmp"):
        return None
    boundary = " ".join("p" if repeats else "f" for repeats in packing.periodic)
    (path.parent / "in.lmp").write_text(f"""units si
atom_style sphere
boundary {boundary}
comm_modify vel yes
read_data {path}
pair_style gran/hooke 1e5 NULL 0 NULL 0.5 0
pair_coeff * *
compute touching all contact/atom
compute contacts all reduce sum c_touching
compute mass all property/atom mass
compute masses all reduce sum c_mass
thermo_style custom step atoms vol c_contacts c_masses
fix integrate all nve/sphere
run 0
print "FOUND $(atoms) $(vol:%20.15g) $(c_contacts) $(c_masses:%20.15g)"
""")
    result = subprocess.run(["lmp", "-in", "in.lmp", "-log", "none"], cwd=path.parent, capture_output=True, text=True, timeout=120)
    found = re.search(r"^FOUND (\S+) +(\S+) +(\S+) +(\S+)", result.stdout, re.M)
    if not check(found, "LAMMPS does not read", path, result.stdout[-2000:], result.stderr[-500:]):
        return None
    atoms, volume, contacts, mass = map(float, found.groups())
    return {"grains": atoms, "volume of the cell": volume if all(packing.periodic) else 0, "contacts": contacts / 2, "mass": mass}


def by_yade(path, packing, collides):
    """Its collider takes no bodies that span half of a cell in the cell's own coordinates: cells that were sheared far are read, not more."""
    if not shutil.which("yade"):
        return None
    rows = ",".join(repr(float(x)) for x in packing.cell.flatten())
    (path.parent / "look.py").write_text(f"""from yade import ymport
O.periodic = {all(packing.periodic)}
if O.periodic: O.cell.hSize = Matrix3({rows})
O.bodies.append(ymport.text('{path}'))
O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=0),
             InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_FrictPhys()], [Law2_ScGeom_FrictPhys_CundallStrack()])]
O.dt = 1e-12
if {collides}: O.step()
real = [i for i in O.interactions if i.isReal]
print('FOUND', len(O.bodies), O.cell.volume if O.periodic else 0, sum(4/3*3.141592653589793*b.shape.radius**3 for b in O.bodies),
      len(real), sum(i.geom.penetrationDepth for i in real))
""")
    result = subprocess.run(["yade", "-n", "-x", "look.py"], cwd=path.parent, capture_output=True, text=True, timeout=120)
    found = re.search(r"^FOUND (.*)$", result.stdout, re.M)
    if not check(found, "Yade does not read", path, result.stdout[-2000:], result.stderr[-500:]):
        return None
    names = ("grains", "volume of the cell", "volume of grains", "contacts", "overlap in all")
    return dict(zip(names if collides else names[:3], map(float, found.group(1).split())))


def same(what, mine, reference):
    for name, value in mine.items():
        if name == "mass" and value == 0:
            continue  # Yade's text holds none
        near = 1e-9 if name != "overlap in all" else 1e-8  # a difference of lengths that are some tens of times larger
        check(abs(value - reference[name]) <= near * abs(reference[name]), f"{what}: {name} is {value} instead of {reference[name]}")


def formats(folder, name, z, collides=True):
    for ending in ("csv", "data", "txt"):
        done("sample", folder / name, "--out", folder / f"{name}.{ending}")
    packing = {"csv": read_csv(folder / f"{name}.csv"), "lammps": read_lammps(folder / f"{name}.data"), "yade": read_yade(folder / f"{name}.txt")}
    reference = packing["csv"].summary()
    print(name, reference, flush=True)
    # Contacts of a grain with its own image count once in Z and are seen from both ends here: none in a cell of three grains and more.
    check(abs(z * reference["grains"] / 2 - reference["contacts"]) < 1e-9, f"{name}: the run has", z * reference["grains"] / 2, "contacts")
    for format_, p in packing.items():
        same(f"{name}, {format_}", p.summary(), reference)
        check(np.array_equal(p.sorted_radii, packing["csv"].sorted_radii) or np.allclose(p.sorted_radii, packing["csv"].sorted_radii, rtol=1e-15), name, format_, "has other radii")
        inside = p.fractions()
        check((inside > -1e-12).all() and (inside < 1 + 1e-12).all(), f"{name}, {format_}: a grain is outside of the cell")
    check(set(packing["csv"].density) == {2650, 11340}, name, "has other densities:", set(packing["csv"].density))
    for program, found in (("LAMMPS", by_lammps(folder / f"{name}.data", packing["lammps"])), ("Yade", by_yade(folder / f"{name}.txt", packing["yade"], collides))):
        print(f"{name}, as {program} reads it:", found or "not installed", flush=True)
        same(f"{name}, as {program} reads it", found or {}, reference)


def refused(folder):
    run(folder, "layer", periodic="periodic = [1, 1, 0]")
    done("sample", folder / "layer", "--out", folder / "layer.data")
    check("boundary p p f" in (folder / "layer.data").read_text(), "an open edge is not told to LAMMPS")
    (folder / "runs").mkdir()
    (folder / "layer").rename(folder / "runs/layer")
    for arguments, words in (((folder / "runs/layer", "--out", folder / "x.txt"), "along some edges only"),
                             ((folder / "runs/layer", "--out", folder / "x.dat"), "--format csv, lammps or yade"),
                             ((folder / "runs/layer", "--out", folder / "x.txt", "--motion"), "no place for velocities"),
                             ((folder / "runs", "--out", folder / "x.csv"), f"did you mean '{folder / 'runs/layer'}'?"),
                             ((folder / "rums", "--out", folder / "x.csv"), "did you mean '"),
                             ((folder / "runs/layer", "--out", folder / "x.csv", "--format", "yade3"), "yade3")):
        result = talus("sample", *arguments)
        check(result.returncode == 2 and words in result.stderr, *arguments, f": exit {result.returncode}:", result.stderr)
        check(not list(folder.glob("x.*")), *arguments, ": a file was written")
    plane = talus("run", "polygons", "--quiet", "--threads", 1, "--out", folder / "plane", "--until", 1e-6, *sets(output__vtk="false"))
    check(plane.returncode == 0, plane.stderr)
    result = talus("sample", folder / "plane", "--out", folder / "x.data")
    check(result.returncode == 2 and "of the plane" in result.stderr, "a plane sample for LAMMPS: exit", result.returncode, result.stderr)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        formats(folder, "upright", run(folder, "upright"))
        # As simple shear leaves it, and with every component of the velocity gradient: LAMMPS wants such a cell turned and straightened.
        formats(folder, "leaning", run(folder, "leaning", "[0, 0, 20, 0, 0, 0, 0, 0, 0]"))
        formats(folder, "sheared", run(folder, "sheared", "[0, 0, 200, 0, 0, 0, 0, 0, 0]"), collides=False)
        formats(folder, "deformed", run(folder, "deformed", "[5, 45, 100, -30, -10, -75, 60, 40, 0]"), collides=False)
        done("sample", folder / "deformed", "--out", folder / "moving.data", "--motion")
        check("Velocities" in (folder / "moving.data").read_text(), "no velocities were written")
        refused(folder)
    faults.finish()


if __name__ == "__main__":
    main()
