#!/usr/bin/env python3
"""How much room matter takes inside a heap, over what it takes at rest: an error of the volume, by a measure that no method makes itself.

    docs/results/continuum/volume.py RUN...    run folders with pictures (vtk/)

The first and the last picture are cut into cubes (in the plane squares) of three spacings. Of those with matter on all sides the particles are counted; the mean number
over 3^D is how dense they lie. The ratio of both pictures, less 1, is the error: above 0 the heap has swollen. A spacing is that of the first picture.
"""
import base64, itertools, re, struct, sys
from pathlib import Path


def points_of(path):
    text = path.read_text()
    data = re.search(r"<Points>\s*<DataArray[^>]*type=\"(Float\d+)\"[^>]*>\s*(\S+)\s*</DataArray>", text)
    raw = base64.b64decode(data[2])
    if len(raw) == 8:  # header apart from the values
        sys.exit(f"{path}: the header stands alone")
    count = struct.unpack("<Q", raw[:8])[0] // (4 if data[1] == "Float32" else 8)
    values = struct.unpack(f"<{count}{'f' if data[1] == 'Float32' else 'd'}", raw[8:])
    return list(zip(values[0::3], values[1::3], values[2::3]))


def density(points, spacing, axes):
    width = 3 * spacing
    counts = {}
    for x in points:
        key = tuple(int(x[k] // width) for k in axes)
        counts[key] = counts.get(key, 0) + 1
    around = [o for o in itertools.product((-1, 0, 1), repeat=len(axes))]
    inner = [n for key, n in counts.items() if all(tuple(a + b for a, b in zip(key, o)) in counts for o in around)]
    return (sum(inner) / len(inner) / 3 ** len(axes), len(inner)) if inner else (float("nan"), 0)


def main():
    for run in map(Path, sys.argv[1:]):
        first, *_, last = sorted((run / "vtk").glob("particles-*.vtp"))
        before, after = points_of(first), points_of(last)
        axes = [k for k in range(3) if len({x[k] for x in before}) > 1]
        spacing = min(abs(a - b) for k in axes for a, b in [sorted({round(x[k], 9) for x in before})[:2]])
        (was, _), (now, cubes) = density(before, spacing, axes), density(after, spacing, axes)
        print(f"{run.name}: density {was:.3f} -> {now:.3f} in {cubes} cubes, volume {was / now - 1:+.3f}")


main()
