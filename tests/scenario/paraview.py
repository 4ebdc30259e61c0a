#!/usr/bin/env python3
"""tools/paraview_open.py shows a run: pvpython (Debian package paraview) writes pictures that are looked at here. Skipped without pvpython.

The package replaces python3-vtk9, which read_vtk.py needs: install one or the other."""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

from program import SOURCE, Faults, done, scratch, sets

faults = Faults()
WIDTH, HEIGHT = 800, 400


def opened(*words):
    """pvpython needs a screen, or one that is made for it."""
    screen = [] if os.environ.get("DISPLAY") or not shutil.which("xvfb-run") else ["xvfb-run", "-a"]
    command = [*screen, "pvpython", SOURCE / "tools/paraview_open.py", *words]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)


def pixels(path):
    """Rows of (r, g, b) of a PNG with 8 bits a channel."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack_from(">IIBB", body)
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    channels = {2: 3, 6: 4}[colours]
    assert depth == 8
    raw, stride, rows, before = zlib.decompress(packed), width * channels, [], bytearray(width * channels)
    for y in range(height):
        how, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left, up, corner = row[x - channels] if x >= channels else 0, before[x], before[x - channels] if x >= channels else 0
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
            row[x] = (row[x] + (0, left, up, (left + up) // 2, near)[how]) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, channels)])
        before = row
    return rows


def look_at(name, path):
    """Both halves show something coloured, not one thing alone."""
    if not faults.check(path.exists(), f"{name}: no picture"):
        return
    rows = pixels(path)
    faults.check((len(rows[0]), len(rows)) == (WIDTH, HEIGHT), f"{name}: the picture has {len(rows[0])} x {len(rows)} pixels")
    for side, half in (("grains", slice(0, WIDTH // 2)), ("forces", slice(WIDTH // 2, WIDTH))):
        seen = [pixel for row in rows for pixel in row[half]]
        coloured = [pixel for pixel in seen if max(pixel) - min(pixel) > 60]
        share = len(coloured) / len(seen)
        print(f"{name}, {side}: {100 * share:.1f} % coloured, {len(set(coloured))} colours", flush=True)
        faults.check(share > 0.01 and len(set(coloured)) > 50, f"{name}: the view of {side} is empty")


def main():
    if not shutil.which("pvpython"):
        print("pvpython is not installed: apt-get install paraview xvfb")
        sys.exit(77)
    with scratch() as name:
        folder = pathlib.Path(name)
        done("run", "triaxial", "--quiet", "--threads", 1, "--out", folder / "space", *sets(grains=300, strain_max=0.002))
        done("run", "rowe", "--quiet", "--threads", 1, "--out", folder / "plane", *sets(strain_max=0.02))
        for run, colour in (("space", "mean_stress"), ("space", "displacement"), ("plane", "mean_stress")):
            result = opened(folder / run, "--colour", colour, "--out", folder / f"{run}.png", "--size", f"{WIDTH}x{HEIGHT}")
            faults.check(result.returncode == 0, f"{run}: exit {result.returncode}:", result.stdout, result.stderr)
            faults.check("ERR|" not in result.stdout + result.stderr, f"{run}: ParaView complains:", result.stderr[-2000:])
            look_at(f"{run} by {colour}", folder / f"{run}.png")
        for words, says in ((("--colour", "colour"), "no column 'colour'"), (("--size", "large"), "--size")):
            result = opened(folder / "space", "--out", folder / "no.png", *words)
            faults.check(result.returncode == 2 and says in result.stderr, words, f"exit {result.returncode}:", result.stderr[-500:])
        result = opened(folder, "--out", folder / "no.png")
        faults.check(result.returncode == 2 and "did you mean" in result.stderr, "a folder of runs: exit", result.returncode, result.stderr[-500:])
    faults.finish()


if __name__ == "__main__":
    main()
