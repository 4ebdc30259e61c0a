#!/usr/bin/env python3
"""Draws what a virtual overlap does to a contact, from the program's own law: gap.svg, figure 8 of the paper.

    docs/results/pcrm/gap.py [TALUS]      TALUS: the program, build/bin/talus when left out
"""
import bisect
import csv
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHARE = 0.4  # of the force that the contact had


def law(program):
    """Overlaps (m) and forces (N) of a contact that is pushed together."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "normal.csv"
        subprocess.run([program, "contact", "hertz-mindlin", "--path", "normal", "--set", "restitution=1", "--out", out], check=True, stdout=subprocess.DEVNULL)
        rows = list(csv.DictReader(out.open(newline="")))
    overlap, force = ([float(r[k]) for r in rows] for k in ("overlap [m]", "force [N]"))
    top = overlap.index(max(overlap)) + 1
    return [0.0] + overlap[:top], [0.0] + force[:top]


def main():
    overlap, force = law(sys.argv[1] if len(sys.argv) > 1 else str(HERE.parents[2] / "build/bin/talus"))
    full = 0.8 * overlap[-1]
    before = force[bisect.bisect(overlap, full)]
    after = overlap[bisect.bisect(force, SHARE * before)]
    shift = after - full
    x, y = (lambda d: 70 + 400 * d / overlap[-1]), (lambda f: 330 - 290 * f / force[-1])
    curve = lambda by: " ".join(f"{x(d - by):.1f},{y(f):.1f}" for d, f in zip(overlap, force) if d - by <= overlap[-1])
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 390" font-family="sans-serif" font-size="13">', '<rect width="100%" height="100%" fill="white"/>',
           '<path d="M70,30 V330 H490" fill="none" stroke="#444"/>',
           f'<polyline points="{curve(0)}" fill="none" stroke="#1f5fa8" stroke-width="2"/>', f'<polyline points="{curve(shift)}" fill="none" stroke="#d9822b" stroke-width="2"/>',
           f'<path d="M{x(full):.1f},330 V{y(before):.1f}" stroke="#777" stroke-dasharray="4 3"/>',
           f'<circle cx="{x(full):.1f}" cy="{y(before):.1f}" r="4" fill="#1f5fa8"/><circle cx="{x(full):.1f}" cy="{y(SHARE * before):.1f}" r="4" fill="#d9822b"/>',
           f'<text x="{x(full) - 10:.1f}" y="{y(before):.1f}" text-anchor="end">the force of the cell</text>',
           f'<text x="{x(full) + 10:.1f}" y="{y(SHARE * before) + 16:.1f}">{SHARE:g} of it</text>',
           f'<text x="{x(full):.1f}" y="348" text-anchor="middle">overlap, kept</text><text x="{x(-shift):.1f}" y="348" text-anchor="middle">−δ_g</text>',
           f'<text x="280" y="376" text-anchor="middle">geometric overlap, to {overlap[-1] * 1e6:g} µm; δ_g = {shift * 1e6:.3f} µm</text>', f'<text x="60" y="20">force, to {force[-1]:.3g} N</text>', "</svg>"]
    (HERE / "gap.svg").write_text("\n".join(out) + "\n")


main()
