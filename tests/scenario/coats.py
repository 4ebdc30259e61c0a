#!/usr/bin/env python3
"""The scenes `burgers-chain`, `coat-pair` and `sieve` against closed forms that are computed here, every parameter of each exercised.

Constants of the mortar: Table 3.1 of the thesis behind docs/laws/burgers.md, for a coat of area over thickness 1 mm (N, mm, s).
"""
import json
import math
import pathlib

from program import Faults, done, scratch, sets, talus

CONSTANTS = {100: (40.27, 613.5, 15.02, 3.33), 125: (23.45, 558.7, 11.63, 2.43), 150: (15.12, 530.1, 10.52, 2.05)}
faults = Faults()
folder = None
count = 0


def figures(scene, **parameters):
    global count
    count += 1
    lines = [json.loads(line) for line in done("run", scene, "--json", "--threads", 1, "--out", f"{folder}/{count}", *sets(**parameters)).stdout.splitlines()]
    faults.check(lines and lines[-1].get("status") == "done", scene, parameters, "gave", lines)
    return lines[-1]["figures"]


def creep(t, force=1, area=0.88, temperature=150, law="burgers"):
    """Shortening of one coat of 0.88 mm, mm; without inertia."""
    scale = area / 0.88
    km, cm, kk, ck = (scale * c for c in CONSTANTS[temperature])
    if law == "damper":
        return force * t / cm
    if law == "spring-damper":
        return force * -math.expm1(-kk / ck * t) / kk
    return force * (1 / km + t / cm - math.expm1(-kk / ck * t) / kk)


def chains():
    # h b K = 5e4, where truncated Gauss-Seidel explodes. Every coat has the same force; momentum is solved to 1e-3 of it: 0.2 %.
    for grains, given in [(20, {}), (20, {"mass_ratio": 1000}), (20, {"mass": "1 g"}), (5, {"force": "0.3 N", "area": "2 mm2", "duration": "2 s"}),
                          (8, {"temperature": "100 degC"}), (8, {"law": "damper"}), (8, {"law": "spring-damper", "dt": "1 ms", "duration": "0.5 s"})]:
        got = figures("burgers-chain", grains=grains, **given)
        number = lambda name, default: float(str(given.get(name, default)).split()[0])
        force = number("force", 1)
        u = creep(number("duration", 1), force, number("area", 0.88), int(number("temperature", 150)), given.get("law", "burgers"))
        name = f"{grains} grains {given}"
        faults.near(f"{name} shortening", got["shortening_mm"], (grains - 1) * u, 2e-3)
        faults.near(f"{name} smallest force", got["force_min_N"], force, 2e-2)
        faults.near(f"{name} largest force", got["force_max_N"], force, 2e-2)
        faults.check(got["law_residual_max"] <= 1e-3, name, "law_residual_max is", got["law_residual_max"])
        faults.check(got["cap_hits"] == 0, name, "steps that did not converge:", got["cap_hits"])
        faults.check(got["iterations_mean"] < 3 * grains, name, "iterations_mean is", got["iterations_mean"])
    faults.near("h b K", figures("burgers-chain")["hbk_max"], 5.2e4, 0.02)
    # Inertia of a gram a grain does not matter after 1 s; what springs back at once is the same in all laws but the reduced one.
    faults.near("expanded", figures("burgers-chain", law="expanded")["shortening_mm"], 19 * creep(1), 1e-2)
    reduced = figures("burgers-chain", grains=8, law="reduced", duration="20 s")["shortening_mm"]  # it gives way at once: a longer row moves too far in a step
    faults.near("reduced", reduced, 7 * creep(20), 1e-2)


def half_width(y, edge, rounding):
    """Of a square with round corners, at the height y over its middle."""
    over = abs(y) - edge / 2
    return None if over > rounding else edge / 2 + (rounding if over <= 0 else math.sqrt(rounding**2 - over**2))


def common_area(edge, ra, rb, shift, cuts=1500):
    """Of two such squares, one of them shifted."""
    low, high = -edge / 2 - ra, edge / 2 + ra
    area = 0
    for k in range(cuts):
        y = low + (high - low) * (k + 0.5) / cuts
        a, b = half_width(y, edge, ra), half_width(y - shift[1], edge, rb)
        if a is not None and b is not None:
            area += max(0, min(a, shift[0] + b) - max(-a, shift[0] - b)) * (high - low) / cuts
    return area


def pairs():
    for edge, coat, gap, shift in [(10, 0.44, 0.5, (0, 0)), (10, 0.44, 0.5, (2, 3)), (4, 0.44, 0.1, (0.5, 0)), (4, 1, 1.5, (0, 1)), (2, 0.2, 0.5, (0, 0))]:
        mm = lambda x: f"{x} mm"
        got = figures("coat-pair", edge=mm(edge), coat=mm(coat), gap=mm(gap), shift=json.dumps([mm(s) for s in shift]))
        name = f"cubes of {edge} mm, {coat} mm of coat, {gap} mm apart, {shift}"
        overlap = max(0, 2 * coat - gap)
        faults.near(f"{name}: overlap", got["overlap_mm"], overlap, 1e-9)
        if overlap > 0:
            reach = math.sqrt(coat**2 - gap**2 / 4)
            # Tangents leave what is round too large: 2 % in the mean is allowed.
            faults.near(f"{name}: area", got["contact_area_mm2"], common_area(edge, reach, reach, shift), 5e-3)
            volume, cuts = 0, 100
            for k in range(cuts):
                z = overlap * ((k + 0.5) / cuts - 0.5)
                ra, rb = (math.sqrt(coat**2 - (gap / 2 + s * z) ** 2) for s in (1, -1))
                volume += common_area(edge, ra, rb, shift, 150) * overlap / cuts
            faults.near(f"{name}: volume", got["overlap_volume_mm3"], volume, 1e-2)
        else:
            faults.check(got["contact_area_mm2"] == 0 and got["overlap_volume_mm3"] == 0, name, got)
        faults.near(f"{name}: coat", got["coat_volume_mm3"], 6 * edge**2 * coat + 3 * math.pi * edge * coat**2 + 4 / 3 * math.pi * coat**3, 1e-9)


def box_stl(edges):
    """A closed box, as text."""
    corner = lambda k: [edges[j] if k >> j & 1 else 0 for j in range(3)]
    lines = ["solid box"]
    for a, b, c, d in [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]:
        for face in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 0", "outer loop"] + ["vertex " + " ".join(map(str, corner(k))) for k in face] + ["endloop", "endfacet"]
    return "\n".join(lines + ["endsolid box", ""])


def sieves():
    # A box passes lengthwise: its smaller edges a < b need b, or (a + b)/sqrt 2 where they pass across the corners.
    for edges, size in [((4, 6, 10), 6), ((10, 4, 6), 6), ((1, 6, 10), 7 / math.sqrt(2))]:
        volume = math.prod(edges)
        surface = 2 * (edges[0] * edges[1] + edges[1] * edges[2] + edges[2] * edges[0])
        path = pathlib.Path(folder) / "box.stl"
        path.write_text(box_stl([1e-3 * e for e in edges]))
        for given in ({"shape": "box", "edges": json.dumps([f"{e} mm" for e in edges])}, {"shape": "file", "file": path}):
            got = figures("sieve", **given)
            faults.near(f"box {edges} {given['shape']}: sieve size", got["sieve_size_mm"], size, 1e-5)
            faults.near(f"box {edges}: volume", got["volume_unit"], volume / size**3, 1e-4)
            faults.near(f"box {edges}: surface", got["surface_unit"], surface / size**2, 1e-4)
    got = figures("sieve", shape="sphere", edges='["5 mm", "5 mm", "5 mm"]')  # of 642 corners
    faults.near("sphere: sieve size", got["sieve_size_mm"], 5, 5e-3)
    faults.near("sphere: volume", got["volume_unit"], math.pi / 6, 1e-2)
    faults.near("sphere: surface", got["surface_unit"], math.pi, 1e-2)
    for seed, number in ((1, 10), (7, 20)):
        got = figures("sieve", seed=seed, count=number)
        faults.near("generated: sieve size", got["sieve_size_mm"], 1, 1e-5)
        faults.near("generated: volume", got["volume_unit"], 0.794, 1e-2)  # as chosen from fifty candidates
        faults.near("generated: surface", got["surface_unit"], 4.914, 1e-2)


def bad_input():
    """Refused before step 0: exit 2, a message with the key, nothing written."""
    lines = box_stl((4e-3, 6e-3, 1e-2)).splitlines()
    facets = [lines[k : k + 7] for k in range(1, len(lines) - 1, 7)]
    inward = [line for f in facets for line in [*f[:2], *reversed(f[2:5]), *f[5:]]]
    flat = [" ".join([*line.split()[:3], "0"]) if line.startswith("vertex") else line for line in lines]
    meshes = {"open": lines[:-8] + lines[-1:], "inverted": [lines[0], *inward, lines[-1]], "flat": flat, "line 4": [*lines[:3], "vertex 0 1 x", *lines[4:]]}
    cases = [("sieve", {"shape": "file", "file": f"MESH {name}"}, ["file", name]) for name in meshes]
    cases += [
        ("sieve", {"shape": "file", "file": "missing.stl"}, ["file", "missing.stl"]),
        ("sieve", {"shape": "box", "edges": '["1 mm", "1 mm", "-1 mm"]'}, ["edges"]),
        ("sieve", {"shape": "box", "edges": '["1 m", "1 m", "1e-10 m"]'}, ["edges", "flat"]),
        ("coat-pair", {"coat": "6 mm"}, ["coat"]),
        ("gyratory-small", {"law": "burgers", "coat": "2.5 mm"}, ["coat", "grain"]),
        ("gyratory-small", {"law": "burgers", "coat": "0 mm"}, ["coat"]),
        ("gyratory-small", {"aggregates": 20000}, ["spacing", "higher"]),
        ("gyratory-small", {"diameter": "15 mm"}, ["cell.size"]),
        ("gyratory-small", {"law": "burgers", "temperature": "160 degC"}, ["temperature"]),
        ("gyratory", {"temperature": "90 degC"}, ["temperature"]),
        ("gyratory", {"pressure": "-600 kPa"}, ["stress"]),
        ("gyratory", {"preload": "-1 N"}, ["force"]),
        ("burgers-chain", {"force": "-1 N"}, ["force"]),
    ]
    for number, (scene, given, says) in enumerate(cases):
        if given.get("file", "").startswith("MESH "):
            path = pathlib.Path(folder) / f"mesh{number}.stl"
            path.write_text("\n".join(meshes[given["file"].removeprefix("MESH ")]) + "\n")
            given = {**given, "file": path}
        out = pathlib.Path(folder) / f"refused{number}"
        result = talus("run", scene, "--quiet", "--threads", 1, "--out", out, *sets(**given))
        name = f"{scene} {given}"
        print(f"{name}: exit {result.returncode}: {result.stderr.strip()}")
        faults.check(result.returncode == 2, name, "exit", result.returncode)
        for word in says:
            faults.check(word in result.stderr, name, "the message does not say", word, ":", result.stderr)
        faults.check(not out.exists(), name, "wrote", out)


def main():
    global folder
    with scratch() as folder:
        for part in (chains, pairs, sieves, bad_input):
            part()
        print(f"{count} runs")
        faults.finish()


if __name__ == "__main__":
    main()
