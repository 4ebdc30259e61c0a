#!/usr/bin/env python3
"""Small disks, files, memories and tables of open files: the program ends with 0, 2 or 3 and says why, never by a signal. Given enough,
the run is resumed and ends as it should. Disks are file systems in memory; without the right to mount one they are left out.

    small_limits.py             a few sizes       small_limits.py --full     many"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys

from suite import IS_FULL, Suite, done, result_of, run_words, scratch, talus, write_scene

INSIDE = "--own-mounts"


def sizes(first, last, few):
    """A geometric row."""
    count = 4 * few if IS_FULL else few
    return [int(first * (last / first) ** (k / (count - 1))) for k in range(count)]


def limited(words, which, limit):
    return talus(*words, limit=120, preexec_fn=lambda: resource.setrlimit(which, (limit, limit)))


def judge(suite, case, result, folder, reference):
    if suite.ended(case, result):
        suite.resume(f"{case}: exit {result.returncode}", folder, reference)
    shutil.rmtree(folder, ignore_errors=True)


def small_disks(suite, home, scene, reference):
    disk = home / "disk"
    disk.mkdir()
    for size in sizes(4096, 1 << 20, 6):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "talus", disk], check=True)
        out = disk / "run"
        try:
            result = talus(*run_words(scene, out), limit=120)
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            judge(suite, f"a disk of {size} bytes", result, out, reference)
        finally:
            subprocess.run(["umount", disk], check=True)


def main():
    may_mount = os.geteuid() == 0 and subprocess.run(
        ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    if may_mount and INSIDE not in sys.argv:  # mounts of this process alone: none stays when it is killed
        os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv, INSIDE])
    suite = Suite("small_limits")
    with scratch() as name:
        home = pathlib.Path(name)
        scene, out = write_scene(home / "home"), home / "run"
        done(*run_words(scene, home / "reference"))
        reference = result_of(home / "reference")
        for words, before in ((run_words(scene, out), None), (["resume", out, "--quiet", "--threads", 1], home / "half")):
            if before:
                done(*run_words(scene, before, "--until", 0.5 * reference["summary.json"][2]["time_s"]))
            for which, label, limits in (
                    (resource.RLIMIT_FSIZE, "files of {} bytes", sizes(200, 400_000, 5)),
                    (resource.RLIMIT_AS, "memory of {} bytes", sizes(60_000_000, 400_000_000, 6)),
                    (resource.RLIMIT_NOFILE, "{} open files", range(4, 14 if IS_FULL else 7))):
                for limit in limits:
                    if before:
                        shutil.copytree(before, out)
                    judge(suite, f"{words[0]} with " + label.format(limit), limited(words, which, limit), out, reference)
        if may_mount:
            small_disks(suite, home, scene, reference)
        else:
            print("no right to mount file systems: small disks are left out", flush=True)
    suite.finish()


if __name__ == "__main__":
    main()
