#!/usr/bin/env python3
"""Which porosities and numbers of contacts a cell can be prepared at, by two paths: grown and compressed (pcrm-cell), and stretched, mixed and compressed again
(pcrm-mixed). Writes reach.csv and reach.svg.

    docs/results/pcrm/reach.py --out FOLDER     runs what FOLDER does not have yet (cells of 2 mm; about 40 runs of half a minute)
    docs/results/pcrm/reach.py --draw           draws reach.csv anew
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
TALUS = pathlib.Path(os.environ.get("TALUS", HERE.parents[2] / "build/bin/talus")).resolve()
COLUMNS = ["path", "side", "porosity", "friction_prep", "stretch_steps", "mix_speed", "n0", "Z0"]
PAPER = [("S", 0.376, 2.53, -18), ("M", 0.387, 2.30, -20), ("L", 0.388, 2.34, 9), ("S*", 0.376, 3.23, -24)]  # last: where the name stands


def trials():
    for porosity in (0.36, 0.37, 0.38, 0.39, 0.40, 0.42):
        for friction in (0.02, 0.1, 0.275, 1):
            yield "grown", dict(porosity=porosity, friction_prep=friction)
    for porosity, friction in ((0.36, 0.02), (0.38, 0.275), (0.39, 0.275)):
        for steps in (500, 1500, 3000, 5000):
            for speed in (0.1, 0.5):
                yield "mixed", dict(porosity=porosity, friction_prep=friction, stretch_steps=steps, mix_speed=speed)


def run(out, path, settings):
    folder = out / "-".join([path, *(str(v) for v in settings.values())])
    scene = "pcrm-cell" if path == "grown" else "pcrm-mixed"
    given = {"side": "2 mm", **settings}
    if "mix_speed" in given:
        given["mix_speed"] = f"{given['mix_speed']} m/s"
    if not (folder / "summary.json").exists():
        words = [w for k, v in given.items() for w in ("--set", f"{k}={v}")]
        subprocess.run([TALUS, "run", scene, "--quiet", "--out", folder, "--set", "output.vtk=false", *words], check=True, cwd=out)
    figures = json.loads((folder / "summary.json").read_text())["figures"]
    return {"path": path, "side": "2 mm", **settings, "n0": figures["n0"]["value"], "Z0": figures["Z0"]["value"]}


def draw(rows):
    left, top, width, height = 70, 20, 560, 380
    n_low, n_high, z_low, z_high = 0.345, 0.42, 1.9, 5.2
    x = lambda n: left + (float(n) - n_low) / (n_high - n_low) * width
    y = lambda z: top + (z_high - float(z)) / (z_high - z_low) * height
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} {top + height + 90}" font-family="sans-serif" font-size="14">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#444"/>']
    for n in (0.35, 0.36, 0.37, 0.38, 0.39, 0.40, 0.41):
        out.append(f'<line x1="{x(n)}" x2="{x(n)}" y1="{top}" y2="{top + height}" stroke="#ddd"/><text x="{x(n)}" y="{top + height + 18}" text-anchor="middle">{n:.2f}</text>')
    for z in (2, 2.5, 3, 3.5, 4, 4.5, 5):
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y(z)}" y2="{y(z)}" stroke="#ddd"/><text x="{left - 8}" y="{y(z) + 5}" text-anchor="end">{z}</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 40}" text-anchor="middle">porosity at rest under 10 kPa</text>')
    out.append(f'<text transform="translate(22 {top + height / 2}) rotate(-90)" text-anchor="middle">contacts per grain, rattlers counted</text>')
    for r in rows:
        grown = r["path"] == "grown"
        out.append(f'<circle cx="{x(r["n0"]):.1f}" cy="{y(r["Z0"]):.1f}" r="5" fill="{"#1f5fa8" if grown else "#d9822b"}"/>')
    for name, n, z, aside in PAPER:
        out.append(f'<path d="M {x(n) - 6} {y(z)} h 12 m -6 -6 v 12" stroke="black" stroke-width="2"/><text x="{x(n) + aside}" y="{y(z) - 6}">{name}</text>')
    foot = top + height + 68
    for k, (colour, text) in enumerate((("#1f5fa8", "grown and compressed"), ("#d9822b", "stretched, mixed, compressed again"))):
        out.append(f'<circle cx="{left + 10 + 190 * k}" cy="{foot - 5}" r="5" fill="{colour}"/><text x="{left + 22 + 190 * k}" y="{foot}">{text}</text>')
    out.append(f'<path d="M {left + 480} {foot - 5} h 12 m -6 -6 v 12" stroke="black" stroke-width="2"/><text x="{left + 498}" y="{foot}">paper, table 1</text>')
    (HERE / "reach.svg").write_text("\n".join(out + ["</svg>"]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    if not options.draw:
        if not options.out:
            parser.error("state --out FOLDER, or --draw")
        options.out.mkdir(parents=True, exist_ok=True)
        rows = [run(options.out.resolve(), path, settings) for path, settings in trials()]
        with open(HERE / "reach.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    with open(HERE / "reach.csv", newline="") as file:
        draw(list(csv.DictReader(file)))


if __name__ == "__main__":
    main()
