#!/usr/bin/env python3
"""Makes the paper's Figures 2(a), 2(b), 2(c) and 3 anew, and beta.csv: Rowe's ratio at the measured angle of the contacts that slide.

    docs/results/rowe/pictures.py FOLDER

FOLDER holds run folders of

    talus run rowe --set probes.every=25 --set output.vtk_every=200     5-4-free
    the same with rotation=locked; with layout=6-7-6-7-6                5-4-locked, 6-7-free
    talus run biaxial-small-dense --set output.vtk_every=2 --until 0.1  polygons
"""
import csv, html, math, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
from study_runs import write_rows
from svg_chart import chart
from vtp import read_vtp

PACKS = [("5-4-locked", "5-4-5-4-5-4-5, locked"), ("5-4-free", "5-4-5-4-5-4-5, free"), ("6-7-free", "6-7-6-7-6, free")]
PUBLISHED = {"5-4-locked": "5-4-5-4-5-4-5-locked", "5-4-free": "5-4-5-4-5-4-5-free", "6-7-free": "6-7-6-7-6-free"}
PHI = math.radians(10)
PITCH = math.sin(math.pi / 3)
START = 100          # step at which the platen begins to move
SHOWN = 0.3          # strain of the picture of the mechanism
SCALE = 38           # pixels of a diameter
BLOCKS = ["#c9d6e6", "#f2c9a8", "#b9dfcb", "#d9c6ec", "#efe0a3", "#f0b8bd", "#b7dfe6", "#d8d8d8"]
RED, DARK, GREY = "#c0262d", "#24303c", "#8894a0"


def series(path):
    """Columns of the rows in which the platen moves at its full speed, by name."""
    with open(path) as file:
        rows = list(csv.DictReader(file))
    columns = {name.split(" ")[0]: [float(r[name]) for r in rows] for name in rows[0]}
    full = max(columns["platen_speed"]) * (1 - 1e-9)
    chosen = [k for k, v in enumerate(columns["platen_speed"]) if v >= full]
    return {name: [values[k] for k in chosen] for name, values in columns.items()}


def frame(run, kind, step):
    return read_vtp(run / "vtk" / f"{kind}-{step:012d}.vtp")


def sliding(run, step, speed):
    """Contacts between discs whose surfaces move past each other at more than a twentieth of the platen's speed: both centres and the angle of the normal above
    the horizontal. That friction is used up does not tell: in a block at rest it often is."""
    contacts, grains, out = frame(run, "contacts", step), frame(run, "grains", step), []
    disc_at = {(round(x, 9), round(y, 9)): k for k, (x, y, _) in enumerate(grains["Points"])}
    for a, b in zip(contacts["Points"][::2], contacts["Points"][1::2]):
        i, j = (disc_at.get((round(p[0], 9), round(p[1], 9))) for p in (a, b))
        if i is None or j is None:
            continue  # with a platen
        normal = (b[0] - a[0], b[1] - a[1])  # of length 1, a diameter
        apart = [grains["velocity"][j][k] - grains["velocity"][i][k] for k in (0, 1)]
        slip = normal[0] * apart[1] - normal[1] * apart[0] - 0.5 * (grains["spin"][i][2] + grains["spin"][j][2])
        if abs(slip) > 0.05 * speed:
            out.append((a, b, math.atan2(abs(normal[1]), abs(normal[0]))))
    return out


def blocks(run, step):
    """Discs that have moved alike since the start: a number for each disc, in order of size of its block."""
    before, after = frame(run, "grains", START), frame(run, "grains", step)
    moved = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(before["Points"], after["Points"])]
    middles, member = [], []
    for m in moved:
        near = next((k for k, c in enumerate(middles) if math.dist(m, c) < 0.02), None)
        if near is None:
            near = len(middles)
            middles.append(m)
        member.append(near)
    order = sorted(range(len(middles)), key=lambda k: -member.count(k))
    return [order.index(k) for k in member]


class Sheet:
    """An SVG picture with axes in diameters, y up."""

    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13" fill="{DARK}">',
                    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
                    f'<path d="M0 0 L8 4 L0 8 z" fill="{DARK}"/></marker></defs>',
                    f'<rect width="{width}" height="{height}" fill="white"/>']
        self.text(16, 24, title, size=15, bold=True)

    def text(self, x, y, words, anchor="start", size=13, bold=False, colour=DARK):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
                        + (' font-weight="bold"' if bold else "") + f">{html.escape(words)}</text>")

    def line(self, x1, y1, x2, y2, colour=DARK, width=1.4, more=""):
        self.out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{more}/>')

    def circle(self, x, y, r, fill, edge="#5b6875"):
        self.out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}" stroke="{edge}"/>')

    def save(self, path):
        path.write_text("\n".join(self.out + ["</svg>\n"]))


def place(k):
    """Left edge and middle of panel k, in pixels."""
    left = [0, 352, 704][k]
    return left, left + [172, 172, 206][k]


def platens(sheet, middle, half, low, high):
    for y, side in ((low, 1), (high, -1)):
        sheet.out.append(f'<rect x="{middle - half:.1f}" y="{y if side > 0 else y - 9:.1f}" width="{2 * half:.1f}" height="9" fill="{GREY}"/>')


def figure_2a(folder):
    sheet = Sheet(1130, 400, "Figure 2(a): the packs and the forces that stand for the confining stress")
    for k, (name, label) in enumerate(PACKS):
        grains = frame(folder / name, "grains", START)
        left, middle = place(k)
        centre = (min(p[0] for p in grains["Points"]) + max(p[0] for p in grains["Points"])) / 2
        px, py = lambda x: middle + SCALE * (x - centre), lambda y: 330 - SCALE * y
        top = max(p[1] for p in grains["Points"]) + 0.5
        wide = (max(p[0] for p in grains["Points"]) - centre + 0.7) * SCALE
        platens(sheet, middle, wide, py(0), py(top))
        for (x, y, _), force in zip(grains["Points"], grains["applied"]):
            sheet.circle(px(x), py(y), SCALE / 2, "#c9d6e6")
        largest = max(abs(f[0]) for f in grains["applied"])
        for (x, y, _), force in zip(grains["Points"], grains["applied"]):
            if abs(force[0]) > 0:
                side = 1 if force[0] > 0 else -1
                size = 34 * abs(force[0]) / largest
                start = px(x) - side * (SCALE / 2 + 3 + size)
                sheet.line(start, py(y), px(x) - side * (SCALE / 2 + 3), py(y), more=' marker-end="url(#tip)"')
                if side > 0:
                    sheet.text(start - 4, py(y) + 4, "F₁" if abs(force[0]) > 0.75 * largest else "F₂", "end")
        sheet.line(middle, py(top) - 42, middle, py(top) - 12, width=2, more=' marker-end="url(#tip)"')
        sheet.text(middle + 8, py(top) - 26, "velocity held")
        ys = sorted({round(p[1], 6) for p in grains["Points"]})
        x = px(max(p[0] for p in grains["Points"])) + 76
        for y in ys[1:3]:
            sheet.line(x - 8, py(y), x + 4, py(y), GREY)
        sheet.line(x - 2, py(ys[1]), x - 2, py(ys[2]), GREY, more=' marker-end="url(#tip)" marker-start="url(#tip)"')
        sheet.text(x + 6, (py(ys[1]) + py(ys[2])) / 2 + 4, "L")
        sheet.text(middle, 364, label, "middle", bold=True)
        forces = sorted({round(abs(f[0]), 4) for f in grains["applied"] if abs(f[0]) > 0})
        sheet.text(middle, 383, f"{len(grains['Points'])} discs; " + ", ".join(f"{n} = {v:g} N/m" for n, v in zip(("F₂", "F₁"), forces) if len(forces) == 2)
                   + (f"F₁ = {forces[0]:g} N/m" if len(forces) == 1 else ""), "middle", 12)
    sheet.save(HERE / "figure2a.svg")


def figure_2b(folder):
    sheet = Sheet(1130, 400, f"Figure 2(b): mechanism at δ/L = {SHOWN}; one colour: discs that have moved alike; red: contacts that slide; arrows: discs that turn")
    for k, (name, label) in enumerate(PACKS):
        run = folder / name
        s = series(run / "series.csv")
        steps = [int(p.stem.split("-")[1]) for p in (run / "vtk").glob("grains-*.vtp")]
        strain_of = dict(zip(map(int, s["step"]), s["rowe_strain"]))
        step = min((n for n in steps if n in strain_of), key=lambda n: abs(strain_of[n] - SHOWN))
        grains, member = frame(run, "grains", step), blocks(run, step)
        left, middle = place(k)
        centre = sum(p[0] for p in grains["Points"]) / len(grains["Points"])
        px, py = lambda x: middle + SCALE * (x - centre), lambda y: 330 - SCALE * y
        top = max(p[1] for p in grains["Points"]) + 0.5
        wide = (max(abs(p[0] - centre) for p in grains["Points"]) + 0.7) * SCALE
        platens(sheet, middle, wide, py(0), py(top))
        speed = max(s["platen_speed"])
        for (x, y, _), spin, block in zip(grains["Points"], grains["spin"], member):
            sheet.circle(px(x), py(y), SCALE / 2, BLOCKS[min(block, len(BLOCKS) - 1)])
            if abs(spin[2]) * 0.5 > 0.05 * speed:  # its rim moves at more than a twentieth of the platen's speed
                sheet.text(px(x), py(y) + 6, "↺" if spin[2] > 0 else "↻", "middle", 17)
        slide = sliding(run, step, speed)
        for a, b, beta in slide:
            x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
            nx, ny = b[0] - a[0], b[1] - a[1]
            sheet.line(px(x - 0.3 * ny), py(y + 0.3 * nx), px(x + 0.3 * ny), py(y - 0.3 * nx), RED, 3)
        at = list(map(int, s["step"])).index(step)
        angle = math.degrees(math.asin(PITCH * (1 - s["rowe_strain"][at])))
        low = math.degrees(min(c[2] for c in slide if c[2] > 0.1))  # not those side by side
        sheet.text(middle, 364, label, "middle", bold=True)
        sheet.text(middle, 383, f"δ/L = {s['rowe_strain'][at]:.3f}, ratio {s['ratio'][at]:.3f}; β {low:.1f}° (Rowe {angle:.1f}°)", "middle", 12)
    sheet.save(HERE / "figure2b.svg")


def figure_2c():
    curves = []
    for name, label in PACKS:
        s = series(HERE / PUBLISHED[name] / "series.csv")
        curves.append(dict(x=s["rowe_strain"][::4], y=s["ratio"][::4], label=label + (" (on Rowe's)" if name == "5-4-locked" else "")))
    s = series(HERE / PUBLISHED["5-4-locked"] / "series.csv")
    curves.append(dict(x=s["rowe_strain"][::4], y=s["ratio_theory"][::4], label="Rowe 1962, equation (16)", dash=True))
    peak = 1.010 * math.tan(math.pi / 3) * math.tan(math.pi / 3 + PHI)
    curves.append(dict(x=[0.002], y=[peak], label="dot: paper, peak 101.0 % of (16)", dots=True))
    curves.append(dict(x=[0.56], y=[1], label="dot: paper, below 1 at about 0.56", dots=True))
    chart(HERE / "figure2c.svg", "Figure 2(c): ratio of stresses, angle of friction 10°", "δ / L", "σ₁ / σ₂", curves, (0, 0.65), (0.5, 5))


def figure_3(folder):
    run = folder / "polygons"
    last = max((run / "vtk").glob("outlines-*.vtp"))
    shapes = read_vtp(last)
    size = 100
    sheet = Sheet(660, 300, "Figure 3: polygon grains of the biaxial test, each in the circle d_b")
    ends, points = shapes["offsets"], shapes["Points"]
    for n in range(12):
        outline = points[(ends[n - 1] if n else 0):ends[n]]
        x0, y0, r = circumcircle(outline)
        cx, cy = 65 + 106 * (n % 6), 100 + 125 * (n // 6)
        sheet.out.append(f'<circle cx="{cx}" cy="{cy}" r="{size / 2}" fill="none" stroke="{GREY}" stroke-dasharray="3 3"/>')
        sheet.out.append('<polygon fill="#c9d6e6" stroke="#24303c" points="'
                         + " ".join(f"{cx + size * (p[0] - x0) / (2 * r):.1f},{cy - size * (p[1] - y0) / (2 * r):.1f}" for p in outline) + '"/>')
    sheet.text(16, 290, "the first twelve grains of biaxial-small-dense, seed 1; twelve corners each", size=12)
    sheet.save(HERE / "figure3.svg")


def circumcircle(outline):
    """Middle and radius of the circle through three far corners: all corners lie on it."""
    (ax, ay, _), (bx, by, _), (cx, cy, _) = outline[0], outline[len(outline) // 3], outline[2 * len(outline) // 3]
    d = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    x = ((ax**2 + ay**2) * (by - cy) + (bx**2 + by**2) * (cy - ay) + (cx**2 + cy**2) * (ay - by)) / d
    y = ((ax**2 + ay**2) * (cx - bx) + (bx**2 + by**2) * (ax - cx) + (cx**2 + cy**2) * (bx - ax)) / d
    far = [math.dist((x, y), p[:2]) for p in outline]
    assert max(far) - min(far) < 1e-9 * max(far), "corners are not on one circle"
    return x, y, far[0]


def angles(folder):
    """beta.csv: ratio of the 5-4 pack with locked discs against Rowe's at the smallest angle of the contacts that slide."""
    run, rows = folder / "5-4-locked", []
    s = series(run / "series.csv")
    for step, strain, ratio, theory in zip(map(int, s["step"]), s["rowe_strain"], s["ratio"], s["ratio_theory"]):
        if not (run / "vtk" / f"contacts-{step:012d}.vtp").exists() or (rows and rows[-1]["step"] == step):
            continue
        found = [c[2] for c in sliding(run, step, max(s["platen_speed"]))]
        active = [b for b in found if b < min(found) + math.radians(0.5)] if found else []
        measured = math.tan(math.pi / 3) * math.tan(PHI + min(found)) if found else math.nan
        rows.append(dict(step=step, strain=f"{strain:.6f}", ratio=f"{ratio:.6f}", ratio_theory=f"{theory:.6f}", sliding=len(found), at_smallest_angle=len(active),
                         beta_deg=f"{math.degrees(min(found)):.4f}" if found else "", ratio_at_beta=f"{measured:.6f}" if found else ""))
    write_rows(HERE / "beta.csv", rows)


def main():
    folder = Path(sys.argv[1])
    figure_2a(folder)
    figure_2b(folder)
    figure_2c()
    figure_3(folder)
    angles(folder)


if __name__ == "__main__":
    main()
