#!/usr/bin/env python3
"""Tests that walls and cells make, against closed forms, and the shipped scenes of them on small samples."""
import csv
import math
import pathlib

from program import Faults, done, figures, scratch, sets, state_hash, summary, talus

faults = Faults()

# A simple cubic lattice of equal balls with linear springs: k = 1 MN/m along the normal, half of it across; d = 1 mm; strained by 1e-3.
K, D, SHARE = 1e6, 1e-3, 0.5
LATTICE = """\
title = "lattice"
method = "dem"
[material.ball]
density = 2650
young = 1e9
poisson = 0.2
friction = {friction}
[contact]
law = "linear"
normal_stiffness = 1e6
shear_ratio = 0.5
[grains.crystal]
sizes = {{ kind = "single", radius = "0.5 mm" }}
place = {{ kind = "lattice", lattice = "{lattice}", repeats = [{repeats}, {repeats}, {repeats}], strain = 1e-3, mode = "isotropic" }}
[cell]
periodic = [1, 1, 1]
[dynamics]
rotation = "inhibited"
local_damping = 0.3
[[stage]]
kind = "cyclic"
cycles = {cycles}
probe_every = 20
max_steps = 400000
{stage}
[analysis]
kind = "cyclic"
[probes]
every = 100
"""


# The same lattice between two platens.
PLATENS = """\
[boundary.base]
kind = "platen"
face = "z_low"
[boundary.lid]
kind = "platen"
face = "z_high"
[dynamics]"""


def cycles(folder, name, stage, lattice="sc", friction=0.0, count=2, repeats=3, between_platens=False):
    scene = folder / f"{name}.toml"
    text = LATTICE.format(stage=stage, lattice=lattice, friction=friction, cycles=count, repeats=repeats)
    if between_platens:
        text = text.replace("periodic = [1, 1, 1]", "periodic = [1, 1, 0]").replace("strain = 1e-3,", "strain = 1e-3, offset = 0.4995,").replace("[dynamics]", PLATENS)
    scene.write_text(text)
    done("run", scene, "--quiet", "--threads", 1, "--out", folder / name)
    got = figures(folder / name)
    print(name, {k: v for k, v in got.items() if "damping" in k or "modulus" in k or "strain" in k}, flush=True)
    faults.check(got["cycles_done"] == count, name, "made", got["cycles_done"], "cycles")
    return got


def lattices(folder):
    # One-dimensional compression: M = k/l of a simple cubic lattice, sqrt(2) (k/l) of a face-centred one where springs along the normals
    # alone act, l = d (1 - 1e-3) the distance of centres. Its strains of 1e-4 change l by as much, and turn the normals of the fcc lattice.
    length = D * (1 - 1e-3)
    for lattice, factor in (("sc", 1), ("fcc", math.sqrt(2))):
        got = cycles(folder, f"uniaxial-{lattice}", 'mode = "uniaxial"\nstrain = [0, 2e-4]\nrate = 0.1', lattice)
        faults.near(f"{lattice}: constrained modulus", got["secant_modulus"], factor * K / length, 2e-3)
        faults.near(f"{lattice}: resilient modulus", got["resilient_modulus"], factor * K / length, 2e-3)
        faults.near(f"{lattice}: an elastic lattice dissipates nothing", got["damping_ratio"], 0, 1e-6)
        faults.near(f"{lattice}: and keeps no strain", got["permanent_strain"] / 2e-4, 0, 1e-2)  # the way turns within 100 steps
    # The same between two stresses: the axial stress is 1e-3 K/D = 1 MPa at the start.
    got = cycles(folder, "uniaxial-stress", 'mode = "uniaxial"\nstress = ["0.9 MPa", "1.1 MPa"]\nrate = 0.5', count=3)
    faults.near("by stress: resilient modulus", got["resilient_modulus"], K / length, 1e-3)
    faults.near("by stress: damping", got["damping_ratio"], 0, 1e-6)
    # Triaxial, free sides: of a simple cubic lattice E = k/d too, its lateral stress does not change.
    got = cycles(folder, "triaxial", 'mode = "triaxial"\nconfining = "1 MPa"\nstress = ["-50 kPa", "50 kPa"]\nrate = 0.5', count=3)
    faults.near("triaxial: resilient modulus", got["resilient_modulus"], K / length, 1e-3)
    faults.near("triaxial: damping", got["damping_ratio"], 0, 1e-3)  # the servo of the sides lags a little


def by_platen(folder):
    # Three balls between two platens are four springs k in a row, one row to each square of the lattice. Height and strain are measured from
    # where the lid was at the start.
    height, spacing = 3 * D * (1 - 1e-3), D * (1 - 1e-3)
    modulus = K / 4 * height / spacing**2
    got = cycles(folder, "platen", 'mode = "platen"\nplaten = "lid"\nspeed = "0.5 mm/s"\nstress = ["0.6 MPa", "0.8 MPa"]', count=3, between_platens=True)
    faults.near("by a platen: resilient modulus", got["resilient_modulus"], modulus, 5e-3)
    faults.near("by a platen: damping", got["damping_ratio"], 0, 1e-3)


def sliding(folder):
    # Simple shear of a simple cubic lattice: planes that stick, spring k_t, then slide at mu sigma. With amplitude a and yield strain
    # y = mu sigma d/k_t the loop is a parallelogram: damping 2/pi (1 - y/a). One layer: of several, some would slide alone, since the
    # normals turn with the strain and take sigma off the stiffness, k_t/l - sigma.
    mu, sigma, amplitude = 0.1, 1e6, 1e-3
    yields = mu * sigma * D / (SHARE * K)
    got = cycles(folder, "slides", f'mode = "simple"\nconfining = "1 MPa"\nstrain = [-{amplitude}, {amplitude}]\nrate = 0.8', friction=mu, count=2, repeats=1)
    # The way turns within 100 steps: the loop is a little wider than asked for. Normals turn by 1e-3, a hundredth of mu.
    rows = [row for row in rows_of(folder / "slides") if row["half_cycles"] >= 2]
    stress, strain = ([row[name] for row in rows] for name in ("loop_stress", "loop_strain"))
    width = (max(strain) - min(strain)) / 2
    faults.near("amplitude of a block that sticks and slides", width, amplitude, 5e-2)
    faults.near("its damping", got["damping_ratio"], 2 / math.pi * (1 - yields / width), 2e-2)
    faults.near("its largest stress", max(stress) - min(stress), 2 * mu * sigma, 2e-2)
    got = cycles(folder, "sticks", f'mode = "simple"\nconfining = "1 MPa"\nstrain = [-{amplitude / 10}, {amplitude / 10}]\nrate = 0.2', friction=mu, count=2, repeats=1)
    faults.near("a block that only sticks: shear modulus", got["secant_modulus"], SHARE * K / (D * (1 - 1e-3)) - sigma, 1e-4)
    faults.near("and its damping", got["damping_ratio"], 0, 1e-6)


def rows_of(folder):
    with (folder / "series.csv").open() as file:
        rows = list(csv.reader(file))
    names = [title.split(" [")[0] for title in rows[0]]
    return [dict(zip(names, map(float, row))) for row in rows[1:]]


SMALL = {
    "cyclic-triaxial": sets(grains=80, cycles=2, stage__cycles__inertial_number=1e-3, stage__0__steps=1500),
    "oedometer": sets(grains=90, size="4 mm", height="5.5 mm", stage__0__steps=1500),
    "shear-box": sets(grains__sand__count=95, displacement="0.4 mm", speed="0.4 m/s", stage__0__steps=1500,
                      cell__size='["6 mm","2.4 mm","6 mm"]', boundary__lower_left__point='["0 mm","0 mm","2.75 mm"]',
                      boundary__lower_right__point='["6 mm","0 mm","2.75 mm"]', boundary__upper_left__point='["0 mm","0 mm","3.25 mm"]',
                      boundary__upper_right__point='["6 mm","0 mm","3.25 mm"]', probes__every=50),
    "repose": sets(grains=60, cell__size='["10 mm","6 mm","25 mm"]', way="12 mm", speed="0.4 m/s", stage__fill__min_time="0.02 s",
                   stage__fill__max_time="0.05 s", stage__rest__max_time="0.05 s"),
    "drum": sets(grains=30, boundary__drum__point='["8.5 mm","0 mm","8.5 mm"]', boundary__drum__diameter="24 mm", cell__size='["17 mm","8 mm","17 mm"]',
                 time="0.1 s", spin="60 rpm", stage__fill__max_time="0.05 s"),
}
MUST_HAVE = {"cyclic-triaxial": "resilient_modulus", "oedometer": "constrained_modulus_unloading", "shear-box": "phi_peak_deg",
             "repose": "run_out_mm", "drum": "dynamic_angle_deg"}


def scenes(folder):
    """Small versions: two threads give the bits of one, and an interrupted run ends as an uninterrupted one."""
    for scene, size in SMALL.items():
        size = [*size, *sets(output__checkpoint_every=500, output__vtk="false")]
        one, two, part = (folder / f"{scene}-{name}" for name in ("one", "two", "part"))
        done("run", scene, "--quiet", "--threads", 1, "--out", one, *size)
        done("run", scene, "--quiet", "--threads", 2, "--out", two, *size)
        end = summary(one)["provenance"]["time_s"]
        done("run", scene, "--quiet", "--threads", 1, "--out", part, "--until", 0.83 * end, *size)
        done("resume", part, "--quiet", "--threads", 2)
        faults.check(state_hash(one) == state_hash(two), f"{scene}: two threads give another hash")
        faults.check(state_hash(one) == state_hash(part), f"{scene}: an interrupted run gives another hash")
        faults.check((one / "series.csv").read_text() == (part / "series.csv").read_text(), f"{scene}: an interrupted run has another series")
        got = figures(one)
        faults.check(got.get(MUST_HAVE[scene]) is not None, f"{scene}: no {MUST_HAVE[scene]}", summary(one)["figures"].get(MUST_HAVE[scene]))
        print(scene, {name: value for name, value in list(got.items())[:9]}, flush=True)


def forces(folder):
    """Columns of loads, and that what a lid and a base feel agrees in a sheared box."""
    out = folder / "loads"
    size = [*SMALL["shear-box"], *sets(probes__wall_loads="true")]
    done("run", "shear-box", "--quiet", "--threads", 1, "--out", out, *size)
    last = rows_of(out)[-1]
    walls = [name.removesuffix("_force_x").removeprefix("wall_") for name in last if name.endswith("_force_x")]
    faults.check(sorted(walls) == ["base", "lid", "lower_left", "lower_right", "upper_left", "upper_right"], "walls with loads:", walls)
    upper = sum(last[f"wall_{w}_force_x"] for w in ("lid", "upper_left", "upper_right"))
    area = last["wall_lid_force"] / last["wall_lid_stress"]
    faults.near("shear stress is the force on the group over the area", last["shear_stress"], -upper / area, 1e-9)


def bad_input():
    ledge = 'boundary.lower_left.end=[1,0,0]'
    cases = {
        "a ledge without a right angle": (["shear-box", "--set", ledge], ["across the normal"]),
        "no such wall": (["shear-box", *sets(stage__shear__walls="uper")], ["no wall and no group", "groups: upper"]),
        "slides into the sample": (["shear-box", "--set", 'stage.shear.velocity=["0 m/s","0 m/s","1 m/s"]'], ["not along its plane"]),
        "targets in the wrong order": (["cyclic-triaxial", *sets(high="-10 kPa")], ["not above the first"]),
        "a drum that stands": (["drum", "--set", "boundary.drum.axis=[0,0,1]", "--set", "cell.periodic=[0,0,1]"], ["no cylinder that lies"]),
        "a ledge that spins": (["shear-box", *sets(boundary__upper_left__control="velocity", boundary__upper_left__spin="1/s")], ["a ledge does not turn"]),
        "a group that holds a load": (["shear-box", *sets(stage__shear__wall__upper__control="stress", stage__shear__wall__upper__stress="1 kPa", stage__shear__wall__upper__speed_max=1)],
                                      ["the walls of a group move together"]),
    }
    for name, (words, says) in cases.items():
        result = talus("check", *words)
        faults.check(result.returncode == 2, f"{name}: exit {result.returncode}", result.stdout[-300:])
        for word in says:
            faults.check(word in result.stderr, f"{name}: the message lacks '{word}':", result.stderr)


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        lattices(folder)
        by_platen(folder)
        sliding(folder)
        bad_input()
        scenes(folder)
        forces(folder)
    faults.finish()


if __name__ == "__main__":
    main()
