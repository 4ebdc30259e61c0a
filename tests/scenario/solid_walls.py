#!/usr/bin/env python3
"""Cones, meshes and flexible walls in scenes: forces, threads, interruptions, a sample cut out by a mesh, refusals."""
import math
import pathlib
import shutil

from program import SOURCE, Faults, done, figures, scratch, sets, state_hash, talus
from wall_tests import rows_of

faults = Faults()
QUIET = sets(output__vtk="false", output__film_frames=0, output__hash_every=200, probes__every=200)
CONE = QUIET + sets(height="80 mm", diameter="70 mm", cell_height="42 mm", cone_start="100 mm", cone_way="40 mm", stage__rest__max_time="0.002 s", stage__penetration__velocity='["0 m/s","0 m/s","-4 m/s"]')
FLEXIBLE = QUIET + sets(diameter="6 mm", height="9 mm", columns=6, rows=3, strain_max=0.03)


def scenes(folder):
    for name in ("chamber-cone", "chamber-cell-b", "triaxial-flexible"):
        text = (SOURCE / "scenes" / f"{name}.toml").read_text().replace("steps = 8000", "steps = 2000")
        (folder / f"{name}.toml").write_text(text.replace("unbalanced = 1e-5", "unbalanced = 5e-4"))


def run(folder, scene, out, *more):
    done("run", f"{scene}.toml", "--quiet", "--out", out, *more, folder=folder)
    return folder / out


def same_bits(folder, scene, size, share):
    whole = run(folder, scene, scene, "--threads", 1, *size)
    part = run(folder, scene, f"{scene}-part", "--threads", 2, *size, "--until", share * rows_of(whole)[-1]["time"])
    done("resume", part, "--quiet", "--threads", 1)
    faults.check(state_hash(part) == state_hash(whole), f"{scene}: stopped and resumed with other threads: another hash")
    return whole


def cone(folder):
    """About 900 balls, and a cone half as wide as eight of them: it meets a resistance, the sum of the forces is that on the wall."""
    whole = same_bits(folder, "chamber-cone", CONE + sets(probes__wall_loads="true"), 0.6)
    got = figures(whole)
    print({name: got[name] for name in ("penetration_end_mm", "tip_force_N", "tip_resistance", "sleeve_share", "tip_force_max_N")})
    faults.near("penetration", got["penetration_end_mm"], 40, 1e-3)
    faults.check(got["tip_force_max_N"] > 0, "the tip meets no resistance", got["tip_force_max_N"])
    faults.near("resistance", got["tip_resistance"], got["tip_force_N"] / (math.pi * 0.01**2), 1e-9)
    for row in rows_of(whole)[-5:]:
        faults.near("tip and sleeve are the force on the wall", row["tip_force"] + row["sleeve_force"], row["wall_cone_force_z"], 1e-9)
    # The same cone as a mesh of 64 sides: a little thinner, and no sleeve of its own.
    sides = 64
    points = ["v 0 0 0"] + [f"v {10 * math.cos(2 * math.pi * k / sides)} {10 * math.sin(2 * math.pi * k / sides)} {z}" for z in (17.32, 500) for k in range(sides)] + ["v 0 0 500"]
    at = lambda row, k: 2 + row * sides + k % sides
    facets = [f"f 1 {at(0, k + 1)} {at(0, k)}" for k in range(sides)] + [f"f {at(0, k)} {at(0, k + 1)} {at(1, k + 1)} {at(1, k)}" for k in range(sides)]
    facets += [f"f {2 + 2 * sides} {at(1, k)} {at(1, k + 1)}" for k in range(sides)]
    (folder / "cone.obj").write_text("\n".join(points + facets) + "\n")
    text = (folder / "chamber-cone.toml").read_text()
    first, last = text.index('kind = "revolution"'), text.index("[dynamics]")
    mesh = 'kind = "mesh"\nmaterial = "wall"\nfile = "cone.obj"\nunit = "1 mm"\npoint = ["35 mm", "35 mm", "$cone_start"]\n\n'
    (folder / "mesh-cone.toml").write_text(text[:first] + mesh + text[last:])
    meshed = same_bits(folder, "mesh-cone", CONE, 0.6)
    solid, mesh = (max(row["tip_force"] + row["sleeve_force"] for row in rows_of(where)) for where in (whole, meshed))
    faults.near("largest force on the cone as a mesh", mesh, solid, 0.3)
    return text


def flexible(folder):
    whole = same_bits(folder, "triaxial-flexible", FLEXIBLE, 0.8)
    rows = rows_of(whole)
    held = [row for row in rows if row["stage"] == 3]
    ways = [held[-1][name] - held[0][name] for name in held[-1] if name.startswith("wall_side_") and name.endswith("_position")]
    stress = [held[-1][name] for name in held[-1] if name.startswith("wall_side_") and name.endswith("_stress")]
    print("ways of facets during shear:", sorted(ways), "mean stress:", sum(stress) / len(stress))
    faults.check(len(ways) == 18 and len(set(ways)) == 18, "facets move together:", ways)
    faults.near("mean stress on the facets", sum(stress) / len(stress), 1e5, 0.15)
    faults.check(sum(ways) < 0, "the sample does not widen:", sum(ways))
    faults.check(abs(rows[-1]["energy_residual_rel"]) < 0.05, "the ledger does not close:", rows[-1]["energy_residual_rel"])


def cut_by_mesh(folder, text):
    """Copies of a slice without its wall are not cut: a cell of chamber-cell-a is."""
    for name in ("chamber-a", "chamber-cell-a"):
        scene = (SOURCE / "scenes" / f"{name}.toml").read_text().replace("steps = 8000", "steps = 2000").replace("unbalanced = 1e-5", "unbalanced = 5e-4")
        (folder / f"{name}.toml").write_text(scene)
    shutil.copy(SOURCE / "tests/data/keys/box.obj", folder)
    scene = (folder / "chamber-a.toml").read_text()
    scene = scene.replace('kind = "cylinder"\nmaterial = "wall"\naxis = [0, 0, 1]\ndiameter = "$diameter"', 'kind = "mesh"\nmaterial = "wall"\nfile = "box.obj"\nunit = "50 mm"\nside = "inside"\npoint = ["5 mm", "5 mm", "0 mm"]')
    (folder / "boxed.toml").write_text(scene)
    size = QUIET + sets(height="50 mm", diameter="60 mm", cell_height="50 mm", stage__rest__max_time="0.0005 s", analysis__boxes="[1, 1, 3]")
    done("sample", run(folder, "boxed", "boxed", "--threads", 1, *size), "--out", "boxed.csv", folder=folder)
    places = rows_of_csv(folder / "boxed.csv")
    faults.check(len(places) > 100, "the mesh leaves", len(places), "grains")
    slack = 1e-3  # they have moved a little since
    faults.check(all(5e-3 - slack < p["x"] < 55e-3 + slack and 5e-3 - slack < p["y"] < 55e-3 + slack for p in places), "grains lie outside the mesh")


def rows_of_csv(path):
    import csv
    with path.open() as file:
        table = list(csv.reader(file))
    names = [title.split(" [")[0] for title in table[0]]
    rows = [dict(zip(names, map(float, row))) for row in table[1:]]
    return [row for row in rows if row["radius"] > 0]


def refused(folder, text):
    open_mesh = "\n".join((SOURCE / "tests/data/keys/box.obj").read_text().splitlines()[:-1]) + "\n"
    (folder / "open.obj").write_text(open_mesh)
    (folder / "text.obj").write_text("nothing\n")
    mesh = (folder / "mesh-cone.toml").read_text()
    flexible = (folder / "triaxial-flexible.toml").read_text()
    cases = {
        "an open mesh": (mesh.replace("cone.obj", "open.obj"), "it is open"),
        "no mesh": (mesh.replace("cone.obj", "text.obj"), "file"),
        "a mesh that is not there": (mesh.replace("cone.obj", "cones.obj"), "cones.obj"),
        "no unit": (mesh.replace('unit = "1 mm"\n', ""), "unit"),
        "a hollow profile": (text.replace('["0 mm", "17.32 mm", "500 mm"]', '["0 mm", "17.32 mm", "100 mm"]').replace('["0 mm", "10 mm", "10 mm"]', '["0 mm", "1 mm", "10 mm"]'), "not convex"),
        "too few radii": (text.replace('["0 mm", "10 mm", "10 mm"]', '["0 mm", "10 mm"]'), "2 radii for 3 heights"),
        "no such wall": (text.replace('cone = "cone"', 'cone = "con"'), "cone"),
        "another axis": (text.replace('cone = "cone"', 'cone = "cone"\nup = [1, 0, 0]'), "another axis"),
        "two columns": (flexible.replace('"$columns"', "2"), "columns"),
        "a periodic cell": (flexible.replace("periodic = [0, 0, 0]", "periodic = [0, 0, 1]"), "periodic"),
    }
    for what, (scene, words) in cases.items():
        (folder / "bad.toml").write_text(scene)
        size = FLEXIBLE if scene is cases[what][0] and "flexible" in scene else CONE
        result = talus("run", "bad.toml", "--quiet", "--threads", 1, "--out", "bad", *size, folder=folder)
        faults.check(result.returncode == 2 and words in result.stderr, f"{what}: exit {result.returncode}:", result.stderr)
        shutil.rmtree(folder / "bad", ignore_errors=True)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        scenes(folder)
        text = cone(folder)
        flexible(folder)
        cut_by_mesh(folder, text)
        refused(folder, text)
    faults.finish()


if __name__ == "__main__":
    main()
