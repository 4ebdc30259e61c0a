#!/usr/bin/env python3
"""Draws q, volumetric strain and number of contacts of triaxial tests over the axial strain, as figures 2 to 4 of the paper do.

    docs/results/pcrm/curves.py PICTURE.svg NAME=FOLDER ... [--measured FILE.csv] [--keep FOLDER]

NAME=FOLDER: a run, or a file that --keep has written. --keep writes what is drawn as CSV, a row for every 0.1 % of strain. --measured: a test to set beside, with
columns axial_strain [1], q [Pa] and, where there is one, volumetric_strain [1]; El Dine et al. 2010 is not among what we have.
"""
import argparse
import csv
import pathlib

COLOURS = ("#1f5fa8", "#d9822b", "#3d8f4d", "#a03d6b", "#6b5fb0", "#777777")
PANELS = (("q", 1e-3, "q, kPa"), ("volumetric_strain", 100, "volumetric strain, %"), ("Z", 1, "contacts of a grain"))
COLUMNS = ("axial_strain", "q", "volumetric_strain", "Z")


def rows_of(path):
    """The rows of the stage that shears, strains counted from its start."""
    file = path / "series.csv" if path.is_dir() else path
    with open(file, newline="") as text:
        rows = [{k.split(" ")[0]: v for k, v in row.items()} for row in csv.DictReader(text)]
    if "stage" in rows[0]:
        last = max(float(r["stage"]) for r in rows)
        rows = [r for r in rows if float(r["stage"]) == last]
    kept = []
    for r in rows:
        values = {k: float(r[k]) for k in COLUMNS if r.get(k) not in (None, "", "nan")}
        if not kept or values["axial_strain"] >= kept[-1]["axial_strain"] + 0.001:
            kept.append(values)
    return kept


def ticks(low, high):
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100) if (high - low) / s <= 7)
    first = int(low // step)
    return [step * k for k in range(first, int(high // step) + 2)]


def panel(left, key, scale, title, curves, out):
    top, width, height = 30, 260, 300
    points = {name: [(100 * r["axial_strain"], scale * r[key]) for r in rows if key in r] for name, rows in curves.items()}
    values = [y for curve in points.values() for _, y in curve]
    if not values:
        return
    marks = ticks(min(values), max(values))
    most = max(x for curve in points.values() for x, _ in curve)
    x, y = (lambda v: left + v / most * width), (lambda v: top + height - (v - marks[0]) / (marks[-1] - marks[0]) * height)
    out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#444"/>')
    out += [f'<text x="{left - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v:g}</text>' for v in marks]
    out += [f'<text x="{x(v):.1f}" y="{top + height + 18}" text-anchor="middle">{v:g}</text>' for v in range(0, int(most + 0.5) + 1, 5)]
    out.append(f'<text x="{left + width / 2}" y="{top - 10}" text-anchor="middle">{title}</text>')
    for colour, curve in zip(COLOURS, points.values()):
        line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("runs", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--measured", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    curves = {name: rows_of(pathlib.Path(folder)) for name, folder in (word.split("=", 1) for word in options.runs)}
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        for name, rows in curves.items():
            with open(options.keep / ("".join(c if c.isalnum() or c in "-." else "_" for c in name) + ".csv"), "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["axial_strain [1]", "q [Pa]", "volumetric_strain [1]", "Z [1]"])
                writer.writerows([f"{r[k]:.6g}" for k in COLUMNS] for r in rows)
    if options.measured:
        curves["measured"] = rows_of(options.measured)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 410" font-family="sans-serif" font-size="13">', '<rect width="100%" height="100%" fill="white"/>']
    for k, (key, scale, title) in enumerate(PANELS):
        panel(50 + 310 * k, key, scale, title, curves, out)
    out.append('<text x="480" y="368" text-anchor="middle">axial strain, %</text>')
    for k, (colour, name) in enumerate(zip(COLOURS, curves)):
        out.append(f'<rect x="{50 + 150 * k}" y="388" width="18" height="3" fill="{colour}"/><text x="{74 + 150 * k}" y="394">{name}</text>')
    options.picture.write_text("\n".join(out + ["</svg>"]) + "\n")


main()
