#!/usr/bin/env python3
"""Samples that are squeezed, put at fixed points, or laid in layers: closed forms, threads, interruptions, refusals, and the shipped scenes on few grains."""
import math
import pathlib
import shutil

from program import SOURCE, Faults, done, figures, scratch, sets, state_hash, talus
from wall_tests import rows_of

faults = Faults()

# A simple cubic lattice of equal spheres, G 3 GPa, nu 0.3, d 1 mm: Hertz's force at an overlap x is h x^1.5, h = 2 G sqrt(r)/(3 (1 - nu)) with r = d/2 the radius of
# each of two equal spheres, and r/2 in the reduced radius.
G, NU, D = 3e9, 0.3, 1e-3
LATTICE = """\
title = "squeezed lattice"
method = "dem"
[material.ball]
density = 2650
shear_modulus = 3e9
poisson = 0.3
friction = 0.3
[contact]
law = "hertz-mindlin"
[grains.crystal]
sizes = {{ kind = "single", diameter = "1 mm" }}
place = {{ kind = "lattice", lattice = "sc", repeats = [3, 3, 3], strain = -1e-3 }}
[cell]
periodic = [1, 1, 1]
[dynamics]
rotation = "inhibited"
local_damping = 0.7
[[stage]]
kind = "squeeze"
rate = "1 1/s"
{end}
[probes]
every = 100
"""


def squeezed(folder):
    """A lattice keeps its symmetry: all of it moves with the cell."""
    for name, end in (("stress", 'pressure = "500 kPa"'), ("solid", "porosity = 0.4765")):
        (folder / f"{name}.toml").write_text(LATTICE.format(end=end))
        done("run", f"{name}.toml", "--quiet", "--threads", 1, "--out", name, folder=folder)
        rows = rows_of(folder / name)
        last, first = rows[-1], rows[0]
        shrunk = (1 - first["porosity"]) / (1 - last["porosity"])
        faults.near(f"{name}: volume by the rate", math.log(shrunk), -3 * last["time"], 1e-3)
        spacing = D * (math.pi / 6 / (1 - last["porosity"])) ** (1 / 3)
        overlap = D - spacing
        force = 4 / 3 * (G / (1 - NU)) * math.sqrt(D / 4) * overlap**1.5 if overlap > 0 else 0
        faults.near(f"{name}: pressure of the lattice", last["sigma_zz"], force / spacing**2, 1e-6)
    stress = [row["sigma_zz"] for row in rows_of(folder / "stress")]
    faults.check(stress[-1] >= 5e5 > stress[-3], "squeeze: does not end at its pressure", stress[-4:])
    solid = [row["porosity"] for row in rows_of(folder / "solid")]
    faults.check(solid[-1] <= 0.4765 < solid[-3], "squeeze: does not end at its porosity", solid[-4:])


# Balls in a column, each 1 mm away from the next, linear springs of k. Layers of one ball.
K, DENSITY, RADIUS = 1e5, 2500, 1e-3
COLUMN = """\
title = "column in layers"
method = "dem"
[material.ball]
density = 2500
young = 1e9
friction = 0.3
[contact]
law = "linear"
normal_stiffness = 1e5
[grains.column]
sizes = {{ kind = "single", radius = "1 mm" }}
place = {{ kind = "list", positions = ["2 mm", "2 mm", "1.5 mm", "2 mm", "2 mm", "4.5 mm", "2 mm", "2 mm", "7.5 mm"] }}
[cell]
size = ["4 mm", "4 mm", "9 mm"]
periodic = [1, 1, 0]
[boundary.base]
kind = "platen"
face = "z_low"
{lid}
[dynamics]
local_damping = 0.5
{gravity}
[[stage]]
kind = "layers"
layers = 3
unbalanced = 1e-9
max_steps = 2000000
{more}
[probes]
every = 200
[output]
hash_every = 200
vtk = false
"""
LID = '[boundary.lid]\nkind = "platen"\nface = "z_high"'
FALLING = dict(lid="", gravity='gravity = [0, 0, "-9.81 m/s2"]', more="")
PRESSED = dict(lid=LID, gravity="", more='porosity = [0.8688, 0.8687, 0.8686]\nplaten = "lid"\nspeed = "20 mm/s"')


def column(folder, name, words, *more):
    (folder / f"{name}.toml").write_text(COLUMN.format(**words))
    done("run", f"{name}.toml", "--quiet", "--out", name, *more, folder=folder)
    return folder / name


def layers(folder):
    weight = DENSITY * 4 / 3 * math.pi * RADIUS**3 * 9.81
    got = figures(column(folder, "falling", FALLING, "--threads", 1))
    # Springs carry 3, 2 and 1 weights. What subtracting heights of some millimetres leaves of digits is 1e-16 m.
    sunk = 6 * RADIUS - got["surface_m"]
    faults.near("column of three layers: overlaps", sunk, 6 * weight / K, 1e-4)
    level = 6 * RADIUS - 2 / 3 * (3 + 5 + 6) * weight / K  # twice the height of the centre of mass
    faults.near("its porosity", got["porosity_laid"], 1 - 3 * 4 / 3 * math.pi * RADIUS**3 / (16e-6 * level), 1e-9)
    rows = rows_of(column(folder, "pressed", PRESSED, "--threads", 1))
    # The platen stands where the porosity was reached; three balls and two walls are four springs in a row.
    solid = 3 * 4 / 3 * math.pi * RADIUS**3
    height = solid / (1 - rows[-1]["porosity"]) / 16e-6
    faults.check(0.8684 < rows[-1]["porosity"] <= 0.8686, "pressed layers: porosity", rows[-1]["porosity"])
    faults.near("pressed layers: stress", rows[-1]["sigma_zz"], K * (6 * RADIUS - height) / 4 / 16e-6, 1e-6)
    # What springs held when the platen was lifted is in the ledger. Steps of a part of the time of an impact: 1e-3 of the energy.
    faults.near("pressed layers: ledger", rows[-1]["energy_residual_rel"], 0, 5e-3)


def same_bits(folder):
    for name, words in (("falling", FALLING), ("pressed", PRESSED)):
        whole = state_hash(folder / name)
        two = column(folder, f"{name}2", words, "--threads", 2)
        faults.check(state_hash(two) == whole, f"{name}: 2 threads: another hash")
        end = rows_of(folder / name)[-1]["time"]
        for share in (0.2, 0.5, 0.8):
            part = column(folder, f"{name}-{share}", words, "--threads", 1, "--until", share * end)
            done("resume", part, "--quiet", "--threads", 2)
            faults.check(state_hash(part) == whole, f"{name}: stopped at {share} of its time: another hash")


def refused(folder):
    falling, pressed = COLUMN.format(**FALLING), COLUMN.format(**PRESSED)
    lattice = LATTICE.format(end="porosity = 0.4")
    cases = {
        "two ends": (lattice.replace("porosity = 0.4", 'porosity = 0.4\npressure = "1 kPa"'), "one of porosity and pressure"),
        "no end": (lattice.replace("porosity = 0.4", ""), "pressure"),
        "an open cell": (lattice.replace("periodic = [1, 1, 1]", "periodic = [1, 1, 0]"), "open along z"),
        "no gravity": (COLUMN.format(lid="", gravity="", more=""), "gravity does not act"),
        "an empty layer": (falling.replace("layers = 3", "layers = 9"), "has no grains"),
        "no surface": (falling.replace("[1, 1, 0]", "[1, 1, 1]"), "periodic"),
        "too few porosities": (pressed.replace("0.8687, 0.8686", "0.8687"), "2 porosities for 3 layers"),
        "upper layers looser": (pressed.replace("0.8687, 0.8686", "0.8686, 0.8687"), "larger porosity"),
        "no such platen": (pressed.replace('platen = "lid"', 'platen = "led"'), "did you mean 'lid'"),
        "a platen that looks up": (pressed.replace('platen = "lid"', 'platen = "base"'), "face down"),
        "wide grains at fixed points": ((SOURCE / "scenes/prepare-fixed-points.toml").read_text().replace("default = 0.97", "default = 0.90"), "m apart"),
    }
    for what, (scene, words) in cases.items():
        (folder / "bad.toml").write_text(scene)
        result = talus("run", "bad.toml", "--quiet", "--threads", 1, "--out", "bad", folder=folder)
        faults.check(result.returncode == 2 and words in result.stderr, f"{what}: exit {result.returncode}:", result.stderr)
        shutil.rmtree(folder / "bad", ignore_errors=True)


SMALL = {
    "prepare-isotropic": sets(grains=100), "prepare-thornton": sets(grains=100), "prepare-fixed-points": sets(grains=100),
    "prepare-layers": sets(grains=250, stage__layers__porosity="[0.62, 0.60, 0.58]"), "chamber-cloud": sets(diameter="50 mm", cloud_height="150 mm", stage__rest__max_time="0.02 s"),
}


def shipped(folder):
    for name, size in SMALL.items():
        done("run", SOURCE / f"scenes/{name}.toml", "--quiet", "--threads", 1, "--out", folder / name, *size, *sets(output__vtk="false", output__film_frames=0))
        got = figures(folder / name)
        print(name, {k: got[k] for k in ("n0", "Z0", "porosity_final", "Z_final", "pressure_final", "surface_m", "porosity_laid") if k in got}, flush=True)
        if name in ("prepare-isotropic", "prepare-thornton", "prepare-fixed-points"):
            faults.near(f"{name}: pressure", got["pressure_final"], 1e4, 0.01)
            faults.check(0.3 < got["n0"] < 0.45, name, "has a porosity of", got["n0"])
        if name == "chamber-cloud":
            faults.check(0.35 < got["porosity_laid"] < 0.55, name, "has a porosity of", got["porosity_laid"])


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        squeezed(folder)
        layers(folder)
        same_bits(folder)
        refused(folder)
        shipped(folder)
    faults.finish()


if __name__ == "__main__":
    main()
