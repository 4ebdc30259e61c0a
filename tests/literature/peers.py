#!/usr/bin/env python3
"""One of our packings through Talus, LAMMPS and LIGGGHTS: the same spheres, velocities, law and steps.

    peers.py [--out docs/validation.md]     prints a table; with --out puts it into the page, between its marks

The packing of 1,000 spheres of bench/peer_codes gets velocities of up to 0.02 m/s at random and some more that draw it out along x and
press it along y, and moves in its fixed periodic box for 500 steps of 2 us: Hertz-Mindlin, E = 100 MPa, nu = 0.3, elastic, with friction
0.5 and without. LAMMPS has the same law in both (a force that grows by increments and
falls with the stiffness); LIGGGHTS has another one in shear (elongation times the stiffness of the moment), so it is compared without
friction. A code that is not installed (Debian packages lammps and liggghts) is named and not compared: its rows are not counted as
tried. The box stays as it is because the codes move bodies and box of a deforming one in other orders.
"""
import argparse
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("TALUS_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
sys.path[:0] = [str(SOURCE / "tests/scenario")]
from program import done, scratch  # noqa: E402

STEPS, DT = 500, 2e-6
BEGIN, END = "<!-- peers: begin -->\n", "<!-- peers: end -->\n"

SCENE = """
title = "Packing of the peers"
method = "dem"
dimension = 3
[material.grain]
density = 2500
young = 1e8
poisson = 0.3
friction = {friction}
restitution = 1
[contact]
law = "hertz-mindlin"
[grains.pack]
place = {{ kind = "file", file = "pack.csv" }}
[cell]
size = [{size}]
[dynamics]
time_step = {dt}
[[stage]]
kind = "deform"
steps = {steps}
[probes]
every = {steps}
[output]
vtk = false
"""

LAMMPS = """
units si
atom_style sphere
boundary p p p
newton off
comm_modify vel yes
read_data case.data
neighbor 5e-5 bin
neigh_modify every 1 delay 0 check yes
pair_style granular
pair_coeff * * hertz/material 1.0e8 0.0 0.3 tangential mindlin_rescale/force NULL 0.0 {friction} damping velocity
timestep {dt}
fix move all nve/sphere
compute touching all contact/atom
compute z all reduce ave c_touching
compute p all pressure NULL virial
thermo_style custom step c_p c_p[1] c_p[2] c_p[3] c_z
thermo_modify norm no
thermo {steps}
run {steps}
"""

LIGGGHTS = """
atom_style granular
atom_modify map array
boundary p p p
newton off
communicate single vel yes
units si
read_data case.data
neighbor 5e-5 bin
neigh_modify every 1 delay 0 check yes
fix young all property/global youngsModulus peratomtype 1.0e8
fix poisson all property/global poissonsRatio peratomtype 0.3
fix rebound all property/global coefficientRestitution peratomtypepair 1 1.0
fix friction all property/global coefficientFriction peratomtypepair 1 {friction}
pair_style gran model hertz tangential history tangential_damping off
pair_coeff * *
timestep {dt}
fix move all nve/sphere
compute touching all contact/atom
compute z all reduce ave c_touching
compute heat all temp
compute p all pressure heat virial
thermo_style custom step c_p c_p[1] c_p[2] c_p[3] c_z
thermo_modify norm no lost ignore
thermo {steps}
run {steps}
"""

QUANTITIES = ("P", "sigma_xx", "sigma_yy", "sigma_zz", "Z")
# Share of their value. Without friction the equations are the same, and so is Verlet's method: what is left is rounding that grows. With
# friction, shear forces follow the steps in first order, and the codes take the stiffness at other moments of a step. Contacts: two of
# 2,600 that have just closed or opened.
TOLERANCE = {0.0: 1e-6, 0.5: 5e-4}
CONTACTS = 1e-3
CASES = [("LAMMPS", "lmp", LAMMPS, 0.5), ("LAMMPS", "lmp", LAMMPS, 0.0), ("LIGGGHTS", "liggghts", LIGGGHTS, 0.0)]


def numbers(friction):
    return dict(dt=DT, steps=STEPS, friction=friction)


def make_case(folder, friction):
    subprocess.run([sys.executable, SOURCE / "bench/peer_codes/case.py", SOURCE / "bench/peer_codes/pack1000.dump.gz", "1,1,1", folder / "case"],
                   check=True)
    head, *rows = (folder / "case.txt").read_text().split("\n")
    size = [float(x) for x in head.split()[1:]]
    with open(folder / "pack.csv", "w") as file:
        file.write("x [m],y [m],z [m],radius [m],vx [m/s],vy [m/s],vz [m/s]\n")
        for row in filter(None, rows):
            q = [float(x) for x in row.split()]
            file.write(",".join(f"{x:.17g}" for x in q) + "\n")
    (folder / "pack.toml").write_text(SCENE.format(size=", ".join(f"{x:.17g}" for x in size), **numbers(friction)))


def run_talus(folder):
    done("run", folder / "pack.toml", "--quiet", "--out", folder / "run")
    with open(folder / "run/series.csv") as file:
        rows = list(csv.reader(file))
    last = dict(zip((title.split(" [")[0] for title in rows[0]), map(float, rows[-1])))
    return {"P": last["p"], **{name: last[name] for name in QUANTITIES[1:]}}


def run_peer(program, text, folder, friction):
    (folder / "in.peer").write_text(text.format(**numbers(friction)))
    result = subprocess.run([program, "-log", "none", "-in", "in.peer"], cwd=folder, capture_output=True, text=True, timeout=200)
    number = r"([-+\d.eE]+)"
    rows = re.findall(rf"^ *{STEPS}" + rf" +{number}" * 5 + r" *$", result.stdout, re.M)
    if not rows:
        sys.exit(f"{program} gave no row for step {STEPS}:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return dict(zip(QUANTITIES, map(float, rows[-1])))


def page(rows, missing):
    lines = [BEGIN, "| code | quantity after 500 steps | expected: that code | obtained: Talus | difference | tolerance | pass |", "|---|---|---|---|---|---|---|"]
    lines += [f"| {code} | {name} | {theirs:.6g} | {ours:.6g} | {100 * off:.2g} % | {100 * most:.2g} % | {'yes' if off <= most else '**no**'} |"
              for code, name, theirs, ours, off, most in rows]
    lines += [f"\n{code} was not installed." for code in sorted(missing)]
    return lines[0] + "\n".join(lines[1:]) + "\n" + END


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, help="page to put the table into")
    out = parser.parse_args().out
    rows, missing = [], set()
    for friction in (0.5, 0.0):
        with scratch() as name:
            folder = pathlib.Path(name)
            make_case(folder, friction)
            ours = run_talus(folder)
            for code, program, text, mine in CASES:
                if mine != friction:
                    continue
                if not shutil.which(program):
                    missing |= {code}
                    continue
                theirs = run_peer(program, text, folder, friction)
                for quantity in QUANTITIES:
                    off = abs(ours[quantity] - theirs[quantity]) / abs(theirs[quantity])
                    rows.append((code, f"{quantity}, friction {friction}", theirs[quantity], ours[quantity], off, CONTACTS if quantity == "Z" else TOLERANCE[friction]))
    for code in sorted(missing):
        print(f"{code} is not installed (Debian package {code.lower()}): not compared")
    for code, quantity, a, b, off, most in rows:
        print(f"{code:10} {quantity:24} expected {a:14.8g} obtained {b:14.8g} difference {off:.2e} tolerance {most:.0e} {'yes' if off <= most else 'NO'}")
    wrong = sum(row[4] > row[5] for row in rows)
    print(f"SUITE peers: tried {len(rows)}, survived {len(rows) - wrong}, refused 0, equal 0, failures {wrong}")
    if out:
        text = out.read_text()
        if BEGIN in text:
            before, rest = text.split(BEGIN, 1)
            text = before + page(rows, missing) + rest.split(END, 1)[1]
        else:
            text += "\n" + page(rows, missing)
        out.write_text(text)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
