#!/usr/bin/env python3
"""Reads the pictures of a run with VTK's own reader.

    read_vtk.py FOLDER            the vtk/ folder of a run: every entry of every .pvd is read and must make sense
    read_vtk.py --sample PROGRAM  the program writes pictures and what must be found in them; every value is compared

Exit status 0 when all is well; otherwise the first fault is printed.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def fail(*words):
    sys.exit("read_vtk: " + " ".join(str(word) for word in words))


def check(is_true, *words):
    if not is_true:
        fail(*words)


class Picture:
    """One .vtp file as numpy arrays."""

    def __init__(self, path):
        errors = []
        reader = vtkXMLPolyDataReader()
        for event in (vtkCommand.ErrorEvent, vtkCommand.WarningEvent):
            reader.AddObserver(event, lambda *_: errors.append(path))
        reader.SetFileName(str(path))
        reader.Update()
        check(not errors and reader.GetErrorCode() == 0, path, "is not accepted by VTK")
        data = reader.GetOutput()
        points = data.GetPoints()
        self.points = vtk_to_numpy(points.GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))
        self.vertices = data.GetNumberOfVerts()
        self.lines = vtk_to_numpy(data.GetLines().GetConnectivityArray()).reshape(-1, 2)
        self.polygons = data.GetNumberOfPolys()
        self.polygon_ends = vtk_to_numpy(data.GetPolys().GetOffsetsArray())
        self.point_data = self.arrays(data.GetPointData())
        self.cell_data = self.arrays(data.GetCellData())
        self.time = self.arrays(data.GetFieldData())["TimeValue"][0]

    @staticmethod
    def arrays(group):
        return {group.GetArrayName(i): vtk_to_numpy(group.GetArray(i)) for i in range(group.GetNumberOfArrays())}


def collection(path):
    """(time, file) of each entry of a .pvd."""
    entries = xml.parse(path).getroot().find("Collection")
    return [(float(entry.get("timestep")), path.parent / entry.get("file")) for entry in entries]


def check_grains(picture, path):
    n = len(picture.points)
    check(picture.vertices == n, path, "has", picture.vertices, "vertices for", n, "points")
    check(np.isfinite(picture.points).all(), path, "has a point that is not finite")
    for name, width in {"uid": 1, "radius": 1, "velocity": 3, "spin": 3, "force": 3}.items():
        values = picture.point_data.get(name)
        check(values is not None, path, "lacks", name)
        check(values.shape == ((n,) if width == 1 else (n, width)), path, name, "has the shape", values.shape)
    check((np.diff(picture.point_data["uid"].astype(np.int64)) > 0).all(), path, "is not in the order of uids")


def check_contacts(picture, path):
    n = len(picture.lines)
    check(len(picture.points) == 2 * n, path, "has", len(picture.points), "points for", n, "lines")
    for name in ("normal_force", "shear_force", "overlap", "law"):
        check(len(picture.cell_data.get(name, [])) == n, path, "lacks", name)


def check_cell(picture, path):
    corners = len(picture.points)
    check((corners, len(picture.lines)) in ((4, 4), (8, 12)), path, "is not the outline of a box")


def check_outlines(picture, path):
    """Convex, counter-clockwise, and none larger than its radius allows."""
    check(picture.polygons == len(picture.cell_data["uid"]) > 0, path, "has", picture.polygons, "polygons")
    check(picture.polygon_ends[-1] == len(picture.points), path, "has points that belong to no polygon")
    for k, (first, last) in enumerate(zip(picture.polygon_ends, picture.polygon_ends[1:])):
        corners = picture.points[first:last, :2]
        edges = np.roll(corners, -1, axis=0) - corners
        ahead = np.roll(edges, -1, axis=0)
        size = picture.cell_data["radius"][k]
        check((edges[:, 0] * ahead[:, 1] - edges[:, 1] * ahead[:, 0] > -1e-9 * size ** 2).all(), path, "grain", k, "is not convex")
        check(np.ptp(corners, axis=0).max() <= 2 * size * (1 + 1e-9), path, "grain", k, "is larger than its radius")


CHECKS = {"grains": check_grains, "contacts": check_contacts, "cell": check_cell}


def check_folder(folder):
    times = {}
    for name, check_one in CHECKS.items():
        entries = collection(folder / f"{name}.pvd")
        check(entries, folder, f"{name}.pvd is empty")
        times[name] = [time for time, _ in entries]
        check(all(a <= b for a, b in zip(times[name], times[name][1:])), name, "times fall")
        for time, path in entries:
            picture = Picture(path)
            check(picture.time == time, path, "has the time", picture.time, "instead of", time)
            check_one(picture, path)
    if (folder / "outlines.pvd").exists():
        times["outlines"] = [time for time, _ in collection(folder / "outlines.pvd")]
        for _, path in collection(folder / "outlines.pvd"):
            check_outlines(Picture(path), path)
    check(all(each == times["grains"] for each in times.values()), folder, "collections have different times")


def check_sample(folder):
    check_folder(folder)
    want = json.loads((folder / "want.json").read_text())
    cell = np.array(want["cell"]).T  # edges are columns
    dimension = cell.shape[1]

    time, path = collection(folder / "grains.pvd")[-1]
    check(time == want["time"], path, "has the time", time)
    picture = Picture(path)
    grains = sorted(want["grains"], key=lambda grain: grain["uid"])
    check(len(picture.points) == len(grains), path, "has", len(picture.points), "grains instead of", len(grains))
    for name in grains[0]:
        if name == "unwrapped":
            continue
        expected = np.array([grain[name] for grain in grains])
        check(np.array_equal(picture.point_data[name], expected), path, name, "differs")
    types = {"uid": np.uint32, "material": np.uint32, "radius": np.float64}
    for name, kind in types.items():
        check(picture.point_data[name].dtype == kind, path, name, "has the type", picture.point_data[name].dtype)
    check("position" not in picture.point_data, path, "holds positions twice")

    unwrapped = np.array([grain["unwrapped"] for grain in grains])
    inverse = np.linalg.inv(cell[:dimension])
    fraction = picture.points[:, :dimension] @ inverse.T
    periods = (unwrapped - picture.points)[:, :dimension] @ inverse.T
    rounding = 1e-12  # a few roundings of numbers up to 10
    for k, is_periodic in enumerate(want["periodic"]):
        if is_periodic:
            check((fraction[:, k] > -rounding).all() and (fraction[:, k] < 1 + rounding).all(), path, "is not wrapped")
        else:
            check((abs(periods[:, k]) < rounding).all(), path, "was moved along an open edge")
    check((abs(periods - np.round(periods)) < rounding).all(), path, "was moved by a part of a period")
    check((picture.points[:, dimension:] == 0).all(), path, "left the plane")

    empty = Picture(collection(folder / "contacts.pvd")[0][1])
    check(len(empty.lines) == 0, "the first picture must have no contacts")
    picture = Picture(collection(folder / "contacts.pvd")[-1][1])
    contacts = want["contacts"]
    check(len(picture.lines) == len(contacts), "there are", len(picture.lines), "contacts")
    ends = picture.points[picture.lines]
    for k, name in enumerate(("from", "to")):
        check(np.array_equal(ends[:, k], [contact[name] for contact in contacts]), "contacts:", name, "differs")
    for name in ("normal_force", "shear_force", "overlap", "law"):
        check(np.array_equal(picture.cell_data[name], [contact[name] for contact in contacts]), name, "differs")

    picture = Picture(collection(folder / "cell.pvd")[-1][1])
    length = np.linalg.norm(np.diff(picture.points[picture.lines], axis=1)[:, 0], axis=1).sum()
    expected = 2 ** (dimension - 1) * np.linalg.norm(cell, axis=0).sum()
    check(math.isclose(length, expected, rel_tol=1e-12), "the outline has the length", length, "instead of", expected)
    check(np.allclose(picture.points.mean(axis=0), cell.sum(axis=1) / 2), "the outline is not centred on the cell")


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--sample":
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.argv[2], folder], check=True)
            for name in ("plane", "space"):
                check_sample(pathlib.Path(folder) / name)
    elif len(sys.argv) == 2:
        check_folder(pathlib.Path(sys.argv[1]))
    else:
        sys.exit(__doc__)
    print("read_vtk: no faults")


if __name__ == "__main__":
    main()
