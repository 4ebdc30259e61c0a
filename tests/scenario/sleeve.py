#!/usr/bin/env python3
"""Six soft discs in three rows of two between platens that do not push, inside a membrane: each pair is pressed by the
stress times the height of its row. A stage waits for the mean speed that it is told: all discs are equally fast. And what is
told of rigid discs in the biaxial test."""
import csv
import math
import pathlib
import re

from program import SOURCE, TINY_BIAXIAL, Faults, done, figures, scratch, sets, summary, talus

SCENE = """
title = "Discs inside a membrane"
method = "dem"
dimension = 2
[material.soil]
density = "1000 kg/m3"
young = "1 GPa"
friction = 0.5
restitution = 0.2
[contact]
law = "linear"
normal_stiffness = "1 MPa"
[grains.soil]
sizes = { kind = "single", diameter = "1 m" }
place = { kind = "list", positions = ["2.5 m", "0.5 m", "3.5 m", "0.5 m", "2.5 m", "1.5 m", "3.5 m", "1.5 m",
                                      "2.5 m", "2.5 m", "3.5 m", "2.5 m"] }
[cell]
size = ["6 m", "3 m"]
periodic = [0, 0]
[boundary.base]
kind = "platen"
face = "y_low"
[boundary.cap]
kind = "platen"
face = "y_high"
[boundary.sleeve]
kind = "membrane"
stress = "1 kPa"
[dynamics]
local_damping = 0.5
[[stage]]
kind = "relax"
membrane = true
unbalanced = 0.5
[probes]
every = 10
[output]
vtk = false
"""
MASS = 6 * 1000 * math.pi / 4  # kg, of all discs


def last_row(folder, name, **settings):
    run = folder / name
    done("run", folder / "sleeve.toml", "--quiet", "--threads", 1, "--out", run, *sets(**settings))
    with open(run / "series.csv", newline="") as file:
        row = list(csv.DictReader(file))[-1]
    return {key.split(" ")[0]: float(value) for key, value in row.items()}


faults = Faults()
with scratch() as path:
    folder = pathlib.Path(path)
    (folder / "sleeve.toml").write_text(SCENE)
    rest = last_row(folder, "rest", stage__0__unbalanced=1e-9)
    faults.check(abs(rest["force_max"] - 1000) < 1e-6 and abs(rest["force_mean"] - 1000) < 1e-6, "pairs carry",
                 rest["force_mean"], "N, not 1000 N")
    faults.check(rest["Z"] == 1, "discs have", rest["Z"], "contacts, not one")
    speed = 1e-6
    soon, late = last_row(folder, "soon"), last_row(folder, "late", stage__0__mean_speed=f"{speed} m/s")
    faults.check(math.sqrt(2 * soon["kinetic"] / MASS) > 10 * speed, "the stage ends at rest without being told")
    faults.check(math.sqrt(2 * late["kinetic"] / MASS) < speed, "the stage ends at a mean speed of",
                 math.sqrt(2 * late["kinetic"] / MASS), "m/s")
    faults.check(late["step"] > soon["step"], "the stage does not wait")

    # Rigid discs: how far they turn is known as of polygons. Stopped before shear there is no circle, and it says so. Trimmed to nothing.
    text = (SOURCE / "scenes/biaxial-small-dense.toml").read_text()
    for line in ("vertices", "shape_spread"):
        text = re.sub(rf"^{line} .*\n", "", text, flags=re.M)
    discs = folder / "discs.toml"
    discs.write_text(text.replace('shape = "polygon"', 'shape = "disc"'))
    words = ["run", discs, "--quiet", "--threads", 1, *TINY_BIAXIAL, *sets(tolerance=1e-3, output__vtk="false")]
    done(*words, "--out", folder / "discs")
    faults.check(figures(folder / "discs")["e_rve"] is not None, "discs: no void ratio in the circle")
    faults.check((folder / "discs/turned.png").exists(), "discs: no picture of how far they turned")
    done(*words, "--until", 5, "--out", folder / "early")
    early = summary(folder / "early")["figures"]["e_rve"]
    faults.check(early["value"] is None and "not sheared" in early["reason"], "stopped before shear:", early)
    none = talus(*(str(w).replace("height=8 m", "height=0.01 m") for w in words), "--out", folder / "none")
    faults.check(none.returncode == 3 and "took all grains away" in none.stderr, "all grains are cut off:", none.returncode, none.stderr)
faults.finish()
