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
        self.polygon_corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray())
        self.point_data = self.arrays(data.GetPointData())
        self.cell_data = self.arrays(data.GetCellData())
        self.time = self.arrays(data.GetFieldData())["TimeValue"][0]

    def faces(self):
        """Corners of each polygon."""
        return [self.points[self.polygon_corners[first:last]] for first, last in zip(self.polygon_ends, self.polygon_ends[1:])]

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
    for name, width in {"uid": 1, "radius": 1, "velocity": 3, "spin": 3, "force": 3, "coordination": 1, "mean_stress": 1, "displacement": 3}.items():
        values = picture.point_data.get(name)
        check(values is not None, path, "lacks", name)
        check(values.shape == ((n,) if width == 1 else (n, width)), path, name, "has the shape", values.shape)
    check((np.diff(picture.point_data["uid"].astype(np.int64)) > 0).all(), path, "is not in the order of uids")


def check_contacts(picture, path):
    n = len(picture.lines)
    check(len(picture.points) == 2 * n, path, "has", len(picture.points), "points for", n, "lines")
    widths = {"normal_force": 1, "shear_force": 1, "overlap": 1, "law": 1, "uid_a": 1, "uid_b": 1, "normal": 3, "force": 3}
    for name, width in widths.items():
        values = picture.cell_data.get(name)
        check(values is not None and values.shape == ((n,) if width == 1 else (n, 3)), path, "lacks", name)
    for name in ("normal_force", "shear_force"):  # of both ends of a line: tubes take their radius from points
        values = picture.point_data.get(name)
        check(values is not None and np.array_equal(values[picture.lines], np.repeat(picture.cell_data[name].astype(np.float32), 2).reshape(-1, 2)),
              path, name, "of the points is not that of the line")
    size = np.linalg.norm(picture.cell_data["normal"], axis=1)
    check(np.allclose(size, 1, atol=1e-6), path, "has a normal that is no unit vector")
    along = (picture.cell_data["normal"] * picture.cell_data["force"]).sum(axis=1)
    scale = np.linalg.norm(picture.cell_data["force"], axis=1).max(initial=0)
    check(np.allclose(along, picture.cell_data["normal_force"], atol=1e-6 * scale), path, "normal_force is not the force along the normal")


def check_sums(grains, contacts, path):
    """Each contact is one of two bodies; where every grain is a sphere, volume times mean stress sums up to the work of forces on branches."""
    uid = grains.point_data["uid"]
    ends = np.concatenate([contacts.cell_data["uid_a"], contacts.cell_data["uid_b"]])
    count = np.array([(ends == u).sum() for u in uid]) if len(uid) <= 5000 else None
    check(count is None or np.array_equal(count, grains.point_data["coordination"]), path, "coordination is not the number of contacts")
    if "rotation" in grains.point_data or (grains.points[:, 2] == 0).all():
        return  # not spheres in space
    lines = contacts.points[contacts.lines]
    branch = lines[:, 0] - lines[:, 1]
    flipped = ~np.isin(contacts.cell_data["uid_a"], uid)  # of lines that begin at b: a is a wall
    branch[flipped] *= -1
    whole = (contacts.cell_data["force"].astype(float) * branch).sum() / 3
    volume = 4 / 3 * np.pi * grains.point_data["radius"] ** 3
    check(math.isclose((volume * grains.point_data["mean_stress"]).sum(), whole, rel_tol=1e-5, abs_tol=1e-12 * abs(whole) + 1e-300), path,
          "mean stresses sum up to", (volume * grains.point_data["mean_stress"]).sum(), "instead of", whole)


def check_cell(picture, path):
    corners = len(picture.points)
    check((corners, len(picture.lines)) in ((4, 4), (8, 12)), path, "is not the outline of a box")


def check_outlines(picture, path):
    """Convex and counter-clockwise in the plane, flat in space, and none larger than its radius allows."""
    check(picture.polygons == len(picture.cell_data["uid"]) > 0, path, "has", picture.polygons, "polygons")
    check(picture.polygon_ends[-1] == len(picture.polygon_corners), path, "has corners that belong to no polygon")
    check(set(picture.polygon_corners) == set(range(len(picture.points))), path, "has points that belong to no polygon")
    for name in ("coordination", "mean_stress", "displacement", "rotation"):
        check(len(picture.cell_data.get(name, [])) == picture.polygons, path, "lacks", name)
    is_flat = (picture.points[:, 2] == 0).all()
    for k, corners in enumerate(picture.faces()):
        edges = np.roll(corners, -1, axis=0) - corners
        turns = np.cross(edges, np.roll(edges, -1, axis=0))
        size = picture.cell_data["radius"][k]
        normal = np.array([0, 0, 1]) if is_flat else turns.sum(axis=0) / np.linalg.norm(turns.sum(axis=0))
        check((turns @ normal > -1e-9 * size ** 2).all(), path, "polygon", k, "is not convex")
        check(np.abs((corners - corners[0]) @ normal).max() < 1e-9 * size, path, "polygon", k, "is not flat")
        check(np.ptp(corners, axis=0).max() <= 2 * size * (1 + 1e-9), path, "polygon", k, "is larger than its radius")


def check_walls(picture, path):
    pieces = picture.polygons + len(picture.lines)
    check(pieces > 0, path, "shows no wall")
    for name in ("force", "moment", "velocity"):
        check(picture.cell_data.get(name, np.zeros(0)).shape == (pieces, 3), path, "lacks", name)
    check(len(picture.cell_data["uid"]) == pieces and np.isfinite(picture.points).all(), path, "is not whole")


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
    for grains, contacts in zip(*(collection(folder / f"{name}.pvd") for name in ("grains", "contacts"))):
        check_sums(Picture(grains[1]), Picture(contacts[1]), grains[1])
    for name, check_one in (("outlines", check_outlines), ("walls", check_walls)):
        if (folder / f"{name}.pvd").exists():
            times[name] = [time for time, _ in collection(folder / f"{name}.pvd")]
            for _, path in collection(folder / f"{name}.pvd"):
                check_one(Picture(path), path)
    check(all(each == times["grains"] for each in times.values()), folder, "collections have different times")


def check_values(picture, want, path):
    """What is not a column: contacts, stress of each grain from the forces on it, how far it has come."""
    dimension = 2 if len(want["cell"]) == 2 else 3
    uid = picture.point_data["uid"]
    radius = picture.point_data["radius"]
    volume = 4 / 3 * np.pi * radius ** 3 if dimension == 3 else np.pi * radius ** 2  # of unit thickness
    count, work = dict.fromkeys(uid, 0), dict.fromkeys(uid, 0.0)
    for contact in want["contacts"]:
        force, branch, arm = (np.array(contact[name]) for name in ("force", "branch", "arm"))
        for body, on_it, at in ((contact["uid_a"], force, arm), (contact["uid_b"], -force, branch + arm)):
            if body in count:  # a grain
                count[body] += 1
                work[body] -= on_it @ at
    check(np.array_equal(picture.point_data["coordination"], [count[u] for u in uid]), path, "coordination differs")
    stress = np.array([work[u] for u in uid]) / (dimension * volume)
    check(np.allclose(picture.point_data["mean_stress"], stress, rtol=1e-6), path, "mean_stress differs")
    cell, start_cell = (np.array(want[name]).T for name in ("cell", "start_cell"))
    unwrapped = {grain["uid"]: np.array(grain["unwrapped"]) for grain in want["grains"]}
    for k, u in enumerate(uid):  # the image that is drawn was so many edges away from its grain, then as now
        periods = np.round(np.linalg.lstsq(cell, unwrapped[u] - picture.points[k], rcond=None)[0])
        came = picture.points[k] - (np.array(want["start"][str(u)]) - start_cell @ periods)
        check(np.allclose(picture.point_data["displacement"][k], came, atol=1e-5), path, "grain", u, "has come", picture.point_data["displacement"][k],
              "instead of", came)
    check(np.allclose(picture.point_data["rotation"], [0, 0, want["turned_by"]], atol=1e-6), path, "rotation differs")


def check_sample_walls(folder, want):
    """Both walls go through the lower corner of the cell: the floor across the last axis, the other leans by 45 degrees."""
    picture = Picture(collection(folder / "walls.pvd")[-1][1])
    check(sorted(picture.cell_data["uid"]) == sorted(want["walls"]), "walls are", picture.cell_data["uid"])
    pieces = picture.faces() if picture.polygons else [picture.points[line] for line in picture.lines]
    last = len(want["cell"]) - 1
    for uid, corners in zip(picture.cell_data["uid"], pieces):
        off = corners[:, last] - (0 if uid == want["walls"][0] else corners[:, 0])
        check(np.abs(off).max() < 1e-9 and np.ptp(corners, axis=0).max() > 1, "wall", uid, "is drawn elsewhere:", corners)
    load = picture.cell_data["force"][list(picture.cell_data["uid"]).index(want["walls"][0])]
    check(np.allclose(load, [-f for f in want["contacts"][-1]["force"]]), "the floor bears", load)


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
    check_values(picture, want, path)

    before = Picture(collection(folder / "grains.pvd")[0][1]).point_data
    check(not before["displacement"].any() and not before["rotation"].any(), "grains have moved before the test began")
    empty = Picture(collection(folder / "contacts.pvd")[0][1])
    check(len(empty.lines) == 0, "the first picture must have no contacts")
    picture = Picture(collection(folder / "contacts.pvd")[-1][1])
    contacts = want["contacts"]
    check(len(picture.lines) == len(contacts), "there are", len(picture.lines), "contacts")
    ends = picture.points[picture.lines]
    places = dict(zip((grain["uid"] for grain in grains), Picture(collection(folder / "grains.pvd")[-1][1]).points))
    for k, contact in enumerate(contacts):
        start = places[contact["uid_a"]]
        check(np.allclose(ends[k], [start, start - contact["branch"]], atol=1e-12), "contact", k, "lies elsewhere")
        force, normal = np.array(contact["force"]), np.array(contact["normal"])
        for name, value in {"normal_force": force @ normal, "shear_force": np.linalg.norm(force - (force @ normal) * normal)}.items():
            check(math.isclose(picture.cell_data[name][k], value, rel_tol=1e-12, abs_tol=1e-12), "contact", k, name, "differs")
    for name in ("overlap", "law", "uid_a", "uid_b"):
        check(np.array_equal(picture.cell_data[name], [contact[name] for contact in contacts]), name, "differs")
    for name in ("normal", "force"):
        check(np.array_equal(picture.cell_data[name], np.float32([contact[name] for contact in contacts])), name, "differs")
    check_sample_walls(folder, want)

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
