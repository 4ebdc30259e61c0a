// What a reader may do with a chart: zoom by drawing a frame, take its numbers (CSV) or its picture (PNG) away.
const tools = (() => {
  const save = (name, url) => {
    const link = document.createElement("a");
    link.href = url; link.download = name;
    document.body.append(link); link.click(); link.remove();
  };
  const file_name = definition =>
    [definition.title, definition.panel].filter(Boolean).join(" ").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "chart";

  // Two columns per curve: curves need not share their abscissae. A field that a spreadsheet would compute is kept as text.
  const field = text => `"${String(text).replace(/^(?=[=+@])/, "'").replace(/"/g, '""')}"`;
  const csv = ({ curves, reference, x_label, y_label }) => {
    const all = [...curves, ...reference], rows = Math.max(0, ...all.map(curve => curve.x.length));
    const lines = [all.map(curve => field(x_label) + "," + field(curve.label && curve.label !== y_label ? `${y_label}: ${curve.label}` : y_label)).join(",")];
    for (let k = 0; k < rows; ++k) lines.push(all.map(curve => `${curve.x[k] ?? ""},${curve.y[k] ?? ""}`).join(","));
    return lines.join("\n") + "\n";
  };

  const picture = (chart, { title, panel }) => {
    const from = chart.canvas, head = 34 * (from.width / from.clientWidth || 1), to = document.createElement("canvas");
    to.width = from.width; to.height = from.height + head;
    const pen = to.getContext("2d");
    pen.fillStyle = "#fff"; pen.fillRect(0, 0, to.width, to.height);
    pen.fillStyle = "#1c2733"; pen.font = `600 ${0.45 * head}px ${Chart.defaults.font.family}`;
    pen.fillText([title, panel].filter(Boolean).join(", "), 0.3 * head, 0.65 * head);
    pen.drawImage(from, 0, head);
    return to.toDataURL("image/png");
  };

  const finite = v => Number.isFinite(v);
  // Ends of what is seen of the curves between two abscissae, with a margin.
  const fit = (chart, low, high) => {
    let least = Infinity, most = -Infinity;
    for (const { data } of chart.data.datasets)
      for (const { x, y } of data) if (x >= low && x <= high && finite(y)) { least = Math.min(least, y); most = Math.max(most, y); }
    const margin = 0.05 * (most - least) || Math.abs(most) * 0.05 || 1;
    return finite(least) ? [least - margin, most + margin] : null;
  };
  const set_range = (chart, axis, range) => { const options = chart.options.scales[axis]; if (range) [options.min, options.max] = range; };

  // `now()` gives the chart that stands on the canvas.
  const zoom = (canvas, now, reset) => {
    const frame = document.createElement("div");
    frame.className = "frame"; frame.hidden = true;
    canvas.parentElement.append(frame);
    let start = null, before = null;
    const at = event => { const box = canvas.getBoundingClientRect(); return { x: event.clientX - box.left, y: event.clientY - box.top }; };
    // What is drawn: across the whole height when the hand moved along x only, and the other way round; by touch always along x.
    const drawn = (event, here) => {
      const { chartArea: area } = now(), wide = Math.abs(here.x - start.x), tall = Math.abs(here.y - start.y);
      const along_x = event.pointerType === "touch" || tall < 14, along_y = !along_x && wide < 14;
      const clip = (v, low, high) => Math.min(Math.max(v, low), high);
      const x = along_y ? [area.left, area.right] : [start.x, here.x].map(v => clip(v, area.left, area.right)).sort((a, b) => a - b);
      const y = along_x ? [area.top, area.bottom] : [start.y, here.y].map(v => clip(v, area.top, area.bottom)).sort((a, b) => a - b);
      return { x, y, along_x, along_y, is_frame: Math.max(wide, along_x ? 0 : tall) > 10 };
    };
    const end = () => { start = null; frame.hidden = true; };
    canvas.addEventListener("pointerdown", event => {
      const here = at(event), { chartArea: area } = now();
      if (event.button !== 0 || here.x < area.left || here.x > area.right || here.y < area.top || here.y > area.bottom) return;
      start = here;
      if (event.pointerType !== "touch") canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", event => {
      if (!start) return;
      const { x, y, is_frame } = drawn(event, at(event));
      frame.hidden = !is_frame;
      Object.assign(frame.style, { left: `${x[0]}px`, top: `${y[0]}px`, width: `${x[1] - x[0]}px`, height: `${y[1] - y[0]}px` });
    });
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerup", event => {
      if (!start) return;
      const chart = now(), { x, y, along_x, along_y, is_frame } = drawn(event, at(event)), { scales } = chart;
      end();
      if (!is_frame) return;
      before ??= ["x", "y"].map(axis => { const { min, max } = chart.options.scales[axis]; return [min, max]; });
      const from = scales.x.getValueForPixel(x[0]), to = scales.x.getValueForPixel(x[1]);
      if (!along_y) set_range(chart, "x", [from, to]);
      if (!along_x) set_range(chart, "y", [scales.y.getValueForPixel(y[1]), scales.y.getValueForPixel(y[0])]);
      else if (scales.y.type === "linear") set_range(chart, "y", fit(chart, from, to));
      chart.update("none");
      reset.hidden = false;
    });
    const back = () => {
      if (before) { set_range(now(), "x", before[0]); set_range(now(), "y", before[1]); now().update("none"); }
      before = null; reset.hidden = true;
    };
    canvas.addEventListener("dblclick", back);
    reset.addEventListener("click", back);
    return () => { before = null; reset.hidden = true; };  // another chart stands on the canvas
  };

  const button = (text, title, act) => {
    const out = document.createElement("button");
    out.type = "button"; out.textContent = text; out.title = title;
    if (act) out.addEventListener("click", act);
    return out;
  };

  // Puts buttons into the head of a panel. `now()`: { definition, chart }.
  const add = (canvas, head, now) => {
    const bar = document.createElement("span"), reset = button("Whole curve", "Leave the zoom (or double click)");
    bar.className = "tools"; reset.hidden = true;
    bar.append(reset,
      button("CSV", "Download the numbers", () => save(file_name(now().definition) + ".csv", URL.createObjectURL(new Blob([csv(now().definition)], { type: "text/csv" })))),
      button("PNG", "Download the picture", () => save(file_name(now().definition) + ".png", picture(now().chart, now().definition))));
    head.append(bar);
    canvas.title = "";
    return zoom(canvas, () => now().chart, reset);
  };
  return { add };
})();
