#!/usr/bin/env python3
"""No multiplication is fused with an addition anywhere in the program: the compiler was told not to, and must not do it in another way
(TalusFlags.cmake). Where the processor has no such instructions there is nothing to find."""
import re
import subprocess

from program import TALUS, Faults


def main():
    faults = Faults()
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-C", TALUS], check=True, capture_output=True, text=True).stdout
    function, found = "", {}
    for line in listing.splitlines():
        if line.endswith(">:"):
            function = line.split("<", 1)[1][:-2]
        elif re.search(r"\tvfn?m(add|sub)", line):
            found[function] = found.get(function, 0) + 1
    faults.check(listing.count("\n") > 100000, "that is not a listing of the program:", listing[:200])
    for name, count in found.items():
        faults.check(False, count, "fused operations in", name)
    faults.finish()


if __name__ == "__main__":
    main()
