#!/usr/bin/env python3
"""Draws the stresses of centrifuges and chambers over depth, against the weight above.

    docs/results/pcrm/profiles.py PICTURE.svg RUN ...     folders of runs, or of what this page keeps of them
"""
import csv
import json
import math
import pathlib
import sys

COLOURS = {"vertical": "#1f5fa8", "horizontal": "#d9822b"}


def profile(folder):
    """Depths, stresses (Pa) and unit weight (N/m^3) of the last row of a run."""
    with open(folder / "series.csv", newline="") as file:
        *_, last = csv.DictReader(file)
    value = {name.split(" ")[0]: float(text) for name, text in last.items() if text not in ("", "nan")}
    rows = sum(name.startswith("depth_") for name in value)
    column = lambda name: [value[f"{name}_{k:02}"] for k in range(rows)]
    return column("depth"), {"vertical": column("sigma_v"), "horizontal": column("sigma_h")}, value["unit_weight"]


def ticks(most):
    """Four to eight round numbers from 0."""
    power = 10 ** math.floor(math.log10(most))
    step = next(power * share for share in (0.1, 0.2, 0.5, 1, 2) if most / (power * share) < 8)
    return [step * k for k in range(int(most / step) + 1)]


def panel(left, folder, out):
    top, width, height = 40, 270, 380
    depth, stress, weight = profile(folder)
    summary = json.loads((folder / "summary.json").read_text())
    k0 = summary["figures"]["k0_measured"]["value"]
    deepest = depth[-1] + depth[0]
    most = 1.1 * weight * deepest
    x, y = (lambda s: left + s / most * width), (lambda z: top + z / deepest * height)
    out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#444"/>')
    for s in ticks(most):
        out.append(f'<text x="{x(s):.1f}" y="{top + height + 18}" text-anchor="middle">{s / 1e3:g}</text>')
    for z in ticks(deepest):
        out.append(f'<text x="{left - 6}" y="{y(z) + 5:.1f}" text-anchor="end">{z:g}</text>')
    for name, share in (("vertical", 1), ("horizontal", 0.5)):
        out.append(f'<line x1="{x(0):.1f}" y1="{y(0):.1f}" x2="{x(share * weight * deepest):.1f}" y2="{y(deepest):.1f}" stroke="{COLOURS[name]}" stroke-dasharray="6 4"/>')
        for z, s in zip(depth, stress[name]):
            out.append(f'<circle cx="{x(s):.1f}" cy="{y(z):.1f}" r="4" fill="{COLOURS[name]}"/>')
    out.append(f'<text x="{left + width / 2}" y="{top - 14}" text-anchor="middle">unit weight {weight / 1e3:.2f} kN/m³, k0 measured {k0:.3f}</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 40}" text-anchor="middle">stress, kPa</text>')


def main():
    folders = [pathlib.Path(word) for word in sys.argv[2:]]
    if not folders or not sys.argv[1].endswith(".svg"):
        sys.exit(__doc__)
    width = 60 + 340 * len(folders)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 500" font-family="sans-serif" font-size="14">',
           '<rect width="100%" height="100%" fill="white"/>', '<text transform="translate(18 230) rotate(-90)" text-anchor="middle">depth, m</text>']
    for k, folder in enumerate(folders):
        panel(70 + 340 * k, folder, out)
    for k, name in enumerate(COLOURS):
        out.append(f'<circle cx="{80 + 130 * k}" cy="484" r="4" fill="{COLOURS[name]}"/><text x="{90 + 130 * k}" y="489">{name}</text>')
    out.append(f'<text x="340" y="489">dashed: the weight above, and 0.5 times it</text>')
    pathlib.Path(sys.argv[1]).write_text("\n".join(out + ["</svg>"]) + "\n")


main()
