#!/usr/bin/env python3
"""A report in a browser (Debian's chromium, headless): no error on the console, every chart drawn, zoom and downloads at work, nothing wider
than the window at 1280 and 390 pixels, and a page of a sensible size.

    report_page.py CHROMIUM
"""
import html
import json
import pathlib
import re
import subprocess
import sys

from program import TINY_BIAXIAL, Faults, done, scratch, sets

BROWSER = sys.argv[1]
RUNS = {"triaxial": ["triaxial", *sets(grains=150, strain_max=0.01)], "biaxial": ["biaxial-small-dense", *TINY_BIAXIAL, *sets(tolerance=1e-3)],
        "dam-break": ["dam-break", *sets(spacing="7.62 mm", time="0.2 s")], "box": ["box", *sets(grains=50), "--until", "0.2"]}
LARGEST = 3_000_000  # bytes

# Runs in the page, behind its own script: what a reader would do, and what is seen then.
PROBE = """
<script>
(async () => {
  const found = { charts: 0, blank: [], downloads: [], zoomed: false, reset: false, wide: document.documentElement.scrollWidth - window.innerWidth };
  const canvases = [...document.querySelectorAll("canvas")];
  for (const canvas of canvases) {
    const { width, height } = canvas, pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
    let inked = 0;
    for (let k = 3; k < pixels.length; k += 4) inked += pixels[k] > 0;
    ++found.charts;
    const { chartArea: area } = Chart.getChart(canvas), inside = ({ x, y }) => x >= area.left - 1 && x <= area.right + 1 && y >= area.top - 1 && y <= area.bottom + 1;
    const seen = Chart.getChart(canvas).getSortedVisibleDatasetMetas().some(meta => meta.data.some(inside));
    if (inked < 500 || !seen) found.blank.push(canvas.id);
  }
  const first = canvases[0], chart = Chart.getChart(first), area = chart.chartArea, box = first.getBoundingClientRect(), before = chart.scales.x.max;
  const hand = (kind, share) => first.dispatchEvent(new PointerEvent(kind, { bubbles: true, button: 0, pointerType: "mouse", pointerId: 1,
    clientX: box.left + area.left + share * (area.right - area.left), clientY: box.top + (area.top + area.bottom) / 2 }));
  first.setPointerCapture = () => {};
  hand("pointerdown", 0.25); hand("pointermove", 0.5); hand("pointerup", 0.5);
  found.zoomed = chart.scales.x.max < before;
  first.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
  found.reset = Math.abs(chart.scales.x.max - before) < 1e-9 * Math.abs(before);
  HTMLAnchorElement.prototype.click = function () { found.downloads.push([this.download, this.href.slice(0, 10)]); };
  for (const button of first.closest(".panel").querySelectorAll(".tools button")) if (!button.hidden) button.click();
  const explorer = document.querySelectorAll("#explorer select");
  found.choices = explorer.length ? explorer[0].options.length : 0;
  if (explorer.length) { explorer[0].value = 1; explorer[0].dispatchEvent(new Event("change")); }
  const out = document.createElement("pre");
  out.id = "found"; out.textContent = JSON.stringify(found);
  document.body.append(out);
})();
</script>
"""


def look(page, width):
    """What the probe has found, and what the console said. A window of the browser is not narrower than 500 pixels: a frame is."""
    probed = page.with_name("probed.html")
    text = page.read_text()
    probed.write_text(text.replace("</body>", PROBE + "</body>"))
    frame = page.with_name("frame.html")
    frame.write_text(f'<body><iframe id="f" src="probed.html" style="width:{width}px;height:900px;border:0"></iframe><script>'
                     'addEventListener("load", () => setTimeout(() => { const out = document.createElement("pre"); out.id = "outer";'
                     'const inner = document.getElementById("f").contentDocument.getElementById("found");'
                     'out.textContent = inner ? inner.textContent : ""; document.body.append(out); }, 500));</script></body>')
    result = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--enable-logging=stderr",
                             f"--window-size={max(width, 500) + 40},1000", "--virtual-time-budget=20000", "--dump-dom", frame.as_uri()],
                            capture_output=True, text=True, errors="replace", timeout=180)
    told = re.search(r'<pre id="outer">(.*?)</pre>', result.stdout, re.S)
    console = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(told.group(1))) if told and told.group(1) else None, console


def judge(faults, name, page):
    check, text = faults.check, page.read_text()
    check(len(text) < LARGEST, name, "has a page of", len(text), "bytes")
    for width in (1280, 390):
        found, console = look(page, width)
        where = f"{name} at {width} pixels:"
        check(not console, where, console[:2])
        if not check(found is not None, where, "the page's script did not run to its end"):
            continue
        check(found["charts"] == text.count("<canvas") + (1 if 'id="explorer"' in text else 0), where, found["charts"], "charts")
        check(not found["blank"], where, "nothing is drawn in", found["blank"])
        check(found["wide"] <= 0, where, "the page is", found["wide"], "pixels wider than the window")
        check(found["zoomed"] and found["reset"], where, "zoom", found["zoomed"], "and back", found["reset"])
        check([kind for kind, _ in found["downloads"]] and {file.rsplit(".", 1)[-1] for file, _ in found["downloads"]} == {"csv", "png"},
              where, "downloads", found["downloads"])
        check(found["choices"] > 5, where, found["choices"], "columns to choose from")


def main():
    faults = Faults()
    with scratch() as name:
        home = pathlib.Path(name)
        for run, words in RUNS.items():
            folder = home / run
            done("run", *words, "--quiet", "--threads", 1, "--out", folder)
            figures = json.loads((folder / "summary.json").read_text())["figures"]
            for figure, entry in figures.items():
                faults.check(entry.get("title"), run, "has a figure without a title:", figure)
            pictures = {path.name for path in folder.glob("*.png")}
            expected = {"film.png", "start.png", "sample.png"} if run != "dam-break" else {"film.png", "speed.png", "pressure.png"}
            faults.check(expected <= pictures, run, "has the pictures", sorted(pictures))
            judge(faults, run, folder / "report.html")
    faults.finish()


if __name__ == "__main__":
    main()
