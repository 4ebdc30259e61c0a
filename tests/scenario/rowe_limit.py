#!/usr/bin/env python3
"""Rowe's packs bear their exact limit loads: three packs at 5, 15 and 20 degrees of friction, each in a few seconds.

Limits by static limit analysis, computed here: tan 60 tan(60 + phi) where discs cannot turn or no corner disc has a single inclined
contact; with rolling corner discs a quarter of the eight inclined contacts of a gap carries no friction. A rigid pack of free discs has
several answers (docs/results/rowe). Here friction rises from 0 while the platen moves slowly, the only way found in which all of them
come to the limit; 6-7 free at 20 degrees does so with two dozen steps that do not converge, and is the first to look at when this test fails.
Elastic contacts have one answer: with them the scene's own loading finds the limit. Resumed, or run from its resolved scene, such a run has the same bits.
"""
import math

from program import Faults, done, figures, scratch, sets, state_hash

PACKS = [("5-4-5-4-5-4-5", "locked"), ("5-4-5-4-5-4-5", "free"), ("6-7-6-7-6", "free")]


def main():
    faults = Faults()
    with scratch() as folder:
        for layout, rotation in PACKS:
            for angle in (5, 15, 20):
                phi, sixty = math.radians(angle), math.radians(60)
                rowe = math.tan(sixty) * math.tan(sixty + phi)
                corners_roll = rotation == "free" and layout.startswith("5-4")
                limit = math.tan(sixty) * (6 * math.tan(sixty + phi) + 2 * math.tan(sixty)) / 8 if corners_roll else rowe
                out = f"{folder}/{layout}-{rotation}-{angle}"
                done("run", "rowe", "--quiet", "--threads", 1, "--out", out,
                     *sets(layout=layout, rotation=rotation, phi_mu=f"{angle} deg", velocity="0.01 mm/s", friction_ramp="15 s", strain_max=0.00025,
                           output__vtk="false"))
                found, case = figures(out), f"{layout} {rotation}, {angle} deg:"
                faults.near(f"{case} ratio_limit", found["ratio_limit"], limit, 1e-9)
                faults.near(f"{case} ratio_theory_peak", found["ratio_theory_peak"], rowe, 1e-9)
                faults.near(f"{case} ratio_peak_over_limit", found["ratio_peak_over_limit"], 1, 0.01)
                faults.near(f"{case} ratio_peak_over_theory", found["ratio_peak_over_theory"], limit / rowe, 0.01)
                faults.near(f"{case} platen_force_mismatch", found["platen_force_mismatch"], 0, 1e-3)
        # Elastic contacts solved inside the step: friction from the start, the loading of the scene, every step solved.
        for layout, rotation in PACKS:
            for angle in (5, 10, 15, 20):
                out = f"{folder}/elastic-{layout}-{rotation}-{angle}"
                done("run", "rowe", "--quiet", "--threads", 1, "--out", out,
                     *sets(layout=layout, rotation=rotation, phi_mu=f"{angle} deg", law="linear", strain_max=0.01, output__vtk="false"))
                found, case = figures(out), f"elastic {layout} {rotation}, {angle} deg:"
                faults.near(f"{case} ratio_peak_over_limit", found["ratio_peak_over_limit"], 1, 0.01)
                faults.check(found["cap_hits"] == 0, case, "steps that did not converge:", found["cap_hits"])
                faults.near(f"{case} platen_force_mismatch", found["platen_force_mismatch"], 0, 1e-3)
        # Stopped and gone on with, and run again from its resolved scene: the same bits, with and without a ramp of friction.
        for ramp, law in (("0 s", "none"), ("3 s", "none"), ("0 s", "linear")):
            words = ["--quiet", "--threads", 1]
            chosen = sets(friction_ramp=ramp, law=law, strain_max=0.004, output__hash_every=50, output__vtk="false")
            whole, halves, again = (f"{folder}/{name} {ramp} {law}" for name in ("whole", "halves", "again"))
            done("run", "rowe", *words, *chosen, "--out", whole)
            done("run", "rowe", *words, *chosen, "--until", 4.5, "--out", halves)
            done("resume", halves, *words)
            done("run", f"{whole}/scene.toml", *words, "--out", again)
            for other in (halves, again):
                faults.check(state_hash(other) == state_hash(whole), f"friction_ramp {ramp}, law {law}: {other} has another hash")
    faults.finish()


if __name__ == "__main__":
    main()
