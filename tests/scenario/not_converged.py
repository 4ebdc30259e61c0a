#!/usr/bin/env python3
"""A contact solver that does not converge in most steps: a red light in the report, and exit 3 when the scene is strict."""
import pathlib
import re

from program import Faults, scratch, sets, summary, talus

FEW = sets(impulse__max_sweeps=3, strain_max=0.01, output__vtk="false")


def main():
    faults = Faults()
    with scratch() as folder:
        for strict, code in (("false", 0), ("true", 3)):
            out = pathlib.Path(folder) / strict
            result = talus("run", "rowe", "--quiet", "--out", out, *FEW, *sets(impulse__strict=strict))
            faults.check(result.returncode == code, f"strict = {strict}: exit {result.returncode} instead of {code}:", result.stderr)
            hits = summary(out)["figures"]["cap_hits"]["value"]
            faults.check(hits > 100, "only", hits, "steps did not converge")
            light = re.search(r'<div class="light (\w+)">(?:(?!class="light).)*?Steps not converged', (out / "report.html").read_text(), re.S)
            faults.check(light and light[1] == "bad", "the light is", light and light[1])
            if code:
                faults.check("impulse.max_sweeps" in result.stderr, "the message does not help:", result.stderr)
                for when in ("run", "resumed"):  # what failed does not become good when it is looked at again
                    faults.check(summary(out)["provenance"]["status"].startswith("failed"), when, "the summary does not tell")
                    faults.check(talus("resume", out, "--quiet").returncode == code, "resumed: it did not fail again")
    faults.finish()


if __name__ == "__main__":
    main()
