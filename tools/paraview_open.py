#!/usr/bin/env pvpython
"""Opens a run in ParaView: grains as spheres of their size (polygons and hulls as they are shaped) in the left view, forces between
them as tubes in the right one, with the walls or the cell around them.

    pvpython tools/paraview_open.py RUN [--colour COLUMN] [--component X|Y|Z] [--time T] [--out PICTURE.png] [--size WIDTHxHEIGHT]

RUN is the folder of a run. COLUMN is any column of the grains, mean_stress when left out; of vectors the magnitude, or one component.
Without --out a window opens; with it the picture is written. T is a simulated time in s; the last one when left out."""
import argparse
import pathlib
import sys

from paraview import simple as pv


UNITS = {"mean_stress": "Pa", "displacement": "m", "rotation": "rad", "velocity": "m/s", "spin": "rad/s", "radius": "m", "force": "N", "normal_force": "N"}


def stop(*words):
    sys.stderr.write("paraview_open: " + " ".join(map(str, words)) + "\n")
    sys.exit(2)


def arguments():
    parser = argparse.ArgumentParser(prog="paraview_open", description=__doc__.split("\n\n")[0])
    parser.add_argument("run", type=pathlib.Path, help="folder of a run")
    parser.add_argument("--colour", default="mean_stress", help="column of the grains")
    parser.add_argument("--component", choices=("X", "Y", "Z"), help="of a vector; left out: its magnitude")
    parser.add_argument("--time", type=float, help="simulated time, s; left out: the last")
    parser.add_argument("--out", type=pathlib.Path, help="picture to write (PNG)")
    parser.add_argument("--size", default="1600x800", help="of the picture in pixels")
    given = parser.parse_args()
    sides = given.size.split("x")
    if len(sides) != 2 or not all(side.isdigit() and 10 <= int(side) <= 10000 for side in sides):
        stop("--size is two numbers of pixels, as in 1600x800")
    given.size = [int(side) for side in sides]
    return given


def collection(folder, kind):
    path = folder / f"{kind}.pvd"
    return pv.PVDReader(FileName=str(path)) if path.exists() else None


def times(reader):
    """A collection of one picture has a number in place of a list."""
    values = reader.TimestepValues
    return list(values) if hasattr(values, "__len__") else [values]


def columns(data):
    return sorted(data.GetArray(k).Name for k in range(data.GetNumberOfArrays()))


def show_grains(view, grains, outlines, given):
    shapes, where = (outlines, "CELLS") if outlines else (grains, "POINTS")
    known = columns(shapes.CellData if outlines else shapes.PointData)
    if given.colour not in known:
        stop(f"grains have no column '{given.colour}'; they have", ", ".join(known))
    if not outlines:
        shapes = pv.Glyph(Input=grains, GlyphType="Sphere")
        shapes.ScaleArray = ["POINTS", "radius"]
        shapes.ScaleFactor = 2.0  # the sphere of the filter has a radius of one half
        shapes.OrientationArray = ["POINTS", "No orientation array"]
        shapes.GlyphMode = "All Points"
        shapes.GlyphType.ThetaResolution = shapes.GlyphType.PhiResolution = 16
    shown = pv.Show(shapes, view)
    pv.ColorBy(shown, (where, given.colour, given.component) if given.component else (where, given.colour))
    finish(shown, view, given.colour, "Viridis (matplotlib)", given.component or "")


def finish(shown, view, name, colours, component=""):
    """Colours over the range of now, and a bar that tells them."""
    table = pv.GetColorTransferFunction(name)
    table.ApplyPreset(colours, True)
    shown.RescaleTransferFunctionToDataRange(False)
    shown.SetScalarBarVisibility(view, True)
    bar = pv.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = f"{name} ({UNITS[name]})" if UNITS.get(name) else name, component
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.ScalarBarLength = 0.5
    bar.WindowLocation = "Lower Right Corner"


def show_forces(view, contacts, size):
    """Tubes from centre to centre, as thick as the force along the normal is large."""
    low, high = contacts.PointData["normal_force"].GetRange() if contacts.PointData.GetNumberOfArrays() else (0, 0)
    if not high > low:
        return  # no contacts, or all alike
    tubes = pv.Tube(Input=contacts)
    tubes.Scalars = ["POINTS", "normal_force"]
    tubes.VaryRadius = "By Scalar"
    tubes.Radius = 0.02 * size
    tubes.RadiusFactor = 25.0
    tubes.NumberofSides = 10
    shown = pv.Show(tubes, view)
    pv.ColorBy(shown, ("POINTS", "normal_force"))
    finish(shown, view, "normal_force", "Inferno (matplotlib)")


def show_around(view, folder, is_flat):
    """The walls; without any, the cell. Between walls it only says where the sample was placed."""
    walls = collection(folder, "walls")
    shown = pv.Show(walls or collection(folder, "cell"), view)
    shown.ColorArrayName = ["POINTS", ""]  # one colour for all
    shown.AmbientColor = shown.DiffuseColor = [0.2, 0.3, 0.5] if walls else [0.3, 0.3, 0.3]
    shown.Opacity = 0.12 if walls and not is_flat else 1.0
    shown.LineWidth = 2 if walls else 1


def main():
    given = arguments()
    folder = given.run / "vtk"
    grains, contacts, outlines = (collection(folder, kind) for kind in ("grains", "contacts", "outlines"))
    if not grains:
        runs = sorted(str(path.parent.parent) for path in given.run.glob("*/vtk/grains.pvd"))
        stop(given.run, "has no vtk/grains.pvd;", f"did you mean {runs[-1]}?" if runs else "name the folder of a run that wrote ParaView files")
    scene = pv.GetAnimationScene()
    known = times(grains)
    time = known[-1] if given.time is None else min(known, key=lambda t: abs(t - given.time))
    scene.AnimationTime = time
    for reader in (grains, contacts, outlines):
        if reader:
            reader.UpdatePipeline(time)
    low, high = grains.GetDataInformation().GetBounds()[4:6]
    is_flat = low == high
    layout = pv.CreateLayout("Talus")
    left = pv.CreateRenderView()
    pv.AssignViewToLayout(view=left, layout=layout, hint=0)
    layout.SplitHorizontal(0, 0.5)
    right = pv.CreateRenderView()
    pv.AssignViewToLayout(view=right, layout=layout, hint=2)
    layout.SetSize(*given.size)
    left.ViewTime = right.ViewTime = time  # before anything is shown: colours span what is there then
    show_grains(left, grains, outlines, given)
    show_forces(right, contacts, grains.PointData["radius"].GetRange()[1])
    for view in (left, right):
        view.UseColorPaletteForBackground = 0
        view.Background = [1, 1, 1]
        view.OrientationAxesLabelColor = [0, 0, 0]
        show_around(view, folder, is_flat)
        view.CameraPosition, view.CameraFocalPoint = ([0, 0, 1] if is_flat else [1.0, -2.2, 0.9]), [0, 0, 0]
        view.CameraViewUp = [0, 1, 0] if is_flat else [0, 0, 1]
        pv.ResetCamera(view)
    if given.out:
        pv.SaveScreenshot(str(given.out), layout, ImageResolution=given.size)
        print(f"{given.out}: {given.run} at {time:g} s")
    else:
        pv.RenderAllViews()
        pv.Interact(left)


main()
