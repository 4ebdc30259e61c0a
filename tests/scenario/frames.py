#!/usr/bin/env python3
"""ParaView files of a run: how many, when, and what they show of a triaxial test. Read by VTK itself."""
import pathlib
import re

import numpy as np
import read_vtk
from program import Faults, done, files_in, scratch, sets, summary

faults = Faults()
check = faults.check
SMALL = sets(grains=150, strain_max=0.01)


def run(folder, *words):
    done("run", "triaxial", "--quiet", "--threads", 1, "--out", folder, *SMALL, *words)
    return read_vtk.collection(folder / "vtk/grains.pvd")


def step_of(path):
    return int(re.search(r"-(\d{12})", path.name).group(1))


def series(folder):
    lines = (folder / "series.csv").read_text().splitlines()
    rows = np.array([[float(x) if x else np.nan for x in line.split(",")] for line in lines[1:]])
    return {name.split(" ")[0]: rows[:, k] for k, name in enumerate(lines[0].split(","))}


def main():
    with scratch() as name:
        folder = pathlib.Path(name)
        frames = run(folder / "whole")
        read_vtk.check_folder(folder / "whole/vtk")
        columns = series(folder / "whole")
        first = columns["step"][np.flatnonzero(columns["stage"] == 4)[0]]  # the shear
        shown = [(time, path) for time, path in frames if step_of(path) >= first]
        looks = (summary(folder / "whole")["provenance"]["steps"] - first) / 100
        print(len(frames), "frames,", len(shown), "from the start of the test,", looks, "looks at its progress", flush=True)
        check(step_of(frames[0][1]) == 0, "no frame of the sample as placed")
        check(len({time for time, _ in frames}) == len(frames) == len({path for _, path in frames}), "a frame is listed twice")
        check(min(50, looks) - 2 <= len(shown) <= 51 and looks >= 50, len(shown), "frames of a test of", looks, "looks")
        height = [np.ptp(read_vtk.Picture(path.with_name(path.name.replace("grains", "cell"))).points[:, 2]) for _, path in shown]
        strain = -np.log(np.array(height) / height[0])
        check(abs(np.diff(strain) - 0.01 / 50).max() < 0.01 / 50, "frames are not even in strain:", strain)

        start, end = (read_vtk.Picture(shown[k][1]) for k in (0, -1))
        check(not start.point_data["displacement"].any(), "grains have moved when the test begins")
        # Grains move with the cell, and about as much on their own as a small sample under 1 % of strain lets them.
        mean = np.linalg.lstsq(np.column_stack([end.points, np.ones(len(end.points))]), end.point_data["displacement"], rcond=None)[0]
        faults.near("strain by displacements", np.log(1 - mean[2, 2]), strain[-1], 0.25)
        contacts = read_vtk.Picture(pathlib.Path(str(shown[-1][1]).replace("grains", "contacts")))
        faults.near("coordination", end.point_data["coordination"].mean(), columns["Z"][-1], 1e-12)
        volume = (4 / 3 * np.pi * end.point_data["radius"] ** 3 * end.point_data["mean_stress"]).sum()
        cell = read_vtk.Picture(pathlib.Path(str(shown[-1][1]).replace("grains", "cell"))).points
        faults.near("mean stress", volume / np.prod(np.ptp(cell, axis=0)), columns["p"][-1], 1e-5)
        check(len(contacts.lines) * 2 == end.point_data["coordination"].sum(), "contacts are not those of the grains")

        # As asked for. A stop in the first stage leaves a picture of itself, which goes with the resume.
        check(len(run(folder / "ends", *sets(output__vtk_frames=0))) == 6, "without frames there is one at the start and at the end of each stage")
        few = [path for _, path in run(folder / "few", *sets(output__vtk_frames=10)) if step_of(path) >= first]
        check(10 <= len(few) <= 12, len(few), "frames in place of ten")
        end_of_first = columns["time"][np.flatnonzero(columns["stage"] == 1)[0]]
        stopped = run(folder / "stopped", "--until", 0.4 * end_of_first)
        check(len(stopped) == 2 and stopped[-1][1].name.endswith("-stop.vtp") and stopped[-1][0] >= 0.4 * end_of_first, "a stop leaves", stopped)
        read_vtk.check_folder(folder / "stopped/vtk")
        done("resume", folder / "stopped", "--quiet", "--threads", 1)
        check(files_in(folder / "stopped/vtk") == files_in(folder / "whole/vtk"), "stopped and resumed: other frames")
    faults.finish()


if __name__ == "__main__":
    main()
