// The charts of the page from the data in #data, and the chart of any column against any.
(() => {
  const explore = (place, tables) => {
    const element = (name, className) => { const out = document.createElement(name); if (className) out.className = className; return out; };
    const columns = [...new Map(tables.flatMap(table => table.columns).map(column => [column.name, column])).values()];
    const stages = tables.length === 1 && tables[0].stage.length ? tables[0].stages : [];
    const choice = (word, texts, chosen) => {
      const label = element("label"), select = element("select");
      texts.forEach((text, k) => { const option = element("option"); option.value = k; option.textContent = text; select.append(option); });
      select.value = Math.max(0, chosen);
      label.append(word, select);
      return [label, select];
    };
    const tick = word => { const label = element("label"), box = element("input"); box.type = "checkbox"; label.append(box, word); return [label, box]; };

    const names = columns.map(column => column.name), title = ({ name, unit }) => unit ? `${name} (${unit})` : name;
    const first = wanted => wanted.map(name => names.indexOf(name)).find(k => k >= 0) ?? -1;
    const [y_label, y] = choice("vertical ", columns.map(title), first(["q", "phi_m", "ratio", "voids", "front", "porosity", names[1]]));
    const [x_label, x] = choice("horizontal ", columns.map(title), first(["axial_strain", "eps_a", "rowe_strain", "gyration", "dam_time", "time", names[0]]));
    const [stage_label, stage] = choice("stage ", ["all", ...stages], 0);
    const [log_x_label, log_x] = tick(" log x"), [log_y_label, log_y] = tick(" log y");
    const controls = element("div", "controls"), panel = element("div", "panel"), head = element("div", "head"), plot_box = element("div", "plot");
    const canvas = element("canvas"), note = element("figcaption");
    controls.append(y_label, x_label, ...(stages.length > 1 ? [stage_label] : []), log_x_label, log_y_label);
    plot_box.append(canvas); panel.append(head, plot_box); place.append(controls, panel, note);

    let now = null;
    const curve = table => {
      const [xs, ys] = [x, y].map(select => table.columns.find(column => column.name === names[select.value]));
      if (!xs || !ys) return null;
      const keeps = k => (stage.value === "0" || table.stage[k] === stage.value - 1) && xs.values[k] !== null &&
        !(log_x.checked && !(xs.values[k] > 0));
      const rows = xs.values.map((_, k) => k).filter(keeps);
      return { label: table.label, x: rows.map(k => xs.values[k]), y: rows.map(k => log_y.checked && !(ys.values[k] > 0) ? null : ys.values[k]), colour: -1, faint: false };
    };
    const show = () => {
      const [xs, ys] = [x, y].map(select => columns[select.value]);
      const definition = { title: `${ys.name} against ${xs.name}`, panel: "", x_label: title(xs), y_label: title(ys), log_x: log_x.checked, log_y: log_y.checked,
        curves: tables.map(curve).filter(Boolean), reference: [], marks: [] };
      if (definition.curves.length === 1) definition.curves[0].label = ys.name;
      if (now) now.chart.destroy();
      now = { definition, chart: plot.draw(canvas, definition) };
      const left_out = tables[0].stride > 1 ? ` One row in ${tables[0].stride} is kept here; series.csv has all.` : "";
      note.textContent = [ys, xs].filter(column => column.meaning).map(column => `${column.name}: ${column.meaning}.`).join(" ") + left_out;
    };
    show();
    const forget_zoom = tools.add(canvas, head, () => now);
    for (const control of [x, y, stage, log_x, log_y]) control.addEventListener("change", () => { forget_zoom(); show(); });
  };

  const { charts, tables } = JSON.parse(document.getElementById("data").textContent);
  charts.forEach((definition, k) => {
    const canvas = document.getElementById(`chart-${k}`), chart = plot.draw(canvas, definition);
    tools.add(canvas, canvas.closest(".panel").querySelector(".head"), () => ({ definition, chart }));
  });
  const place = document.getElementById("explorer");
  if (place && tables.length) explore(place, tables);
  document.documentElement.dataset.charts = document.querySelectorAll("canvas").length;  // drawn: a browser that checks the page waits for it
})();
