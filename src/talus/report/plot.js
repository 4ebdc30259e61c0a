// One chart, drawn with the chart library above: numbers, axes, curves, hover values.
const plot = (() => {
  const ink = "#1c2733", soft = "#5b6875", line = "#e6eaef";
  // Told apart with any colour vision; dark enough on white.
  const palette = ["#1f5fa8", "#d1661b", "#1b8a6b", "#a23b86", "#8a6d00", "#3aa0c9", "#b3353a", "#5a4fb0", "#5d6b78", "#6f9a1f"];
  const colour = (k, alpha) => palette[k % palette.length] + (alpha === undefined ? "" : alpha);

  const superscript = n => String(n).replace(/[-0-9]/g, c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]);
  const number = v => {
    if (v === 0) return "0";
    const size = Math.abs(v);
    if (size >= 1e-3 && size < 1e6) return String(Number(v.toPrecision(5))).replace("-", "−");
    const [digits, power] = v.toExponential(2).split("e");
    return `${Number(digits)}·10${superscript(Number(power))}`.replace(/^-/, "−");
  };
  // Ticks of one axis show the same number of decimals.
  const linear_tick = (v, _, ticks) => {
    const step = ticks.length > 1 ? Math.abs(ticks[1].value - ticks[0].value) : 0;
    if (!(step > 0) || step < 1e-5 || Math.abs(v) >= 1e6) return number(v);
    let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) ++decimals;
    return v.toFixed(decimals).replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");
  };
  // Over many decades only powers of ten are named; over few, 1, 2 and 5 too.
  const log_tick = function (v) {
    const low = this.min, wide = this.max / low > 100, power = Math.floor(Math.log10(v) + 1e-9), first = v / 10 ** power;
    const is = f => Math.abs(first - f) < 1e-6;
    if (wide) return is(1) ? (low < 0.01 ? "10" + superscript(power) : number(10 ** power)) : "";
    return is(1) || is(2) || is(5) ? number(v) : "";
  };

  // One point of each curve, the nearest in x: curves that were thinned out do not share their abscissae.
  Chart.Interaction.modes.nearest_of_each = (chart, event) => {
    const items = [];
    const x = event.x, area = chart.chartArea;
    if (x < area.left || x > area.right || event.y < area.top || event.y > area.bottom) return items;
    for (const meta of chart.getSortedVisibleDatasetMetas()) {
      if (chart.data.datasets[meta.index].silent) continue;
      let best = -1, distance = 24;
      meta.data.forEach((element, index) => {
        const away = Math.abs(element.x - x);
        if (away < distance && !element.skip) { best = index; distance = away; }
      });
      if (best >= 0) items.push({ element: meta.data[best], datasetIndex: meta.index, index: best });
    }
    return items;
  };

  const marks_plugin = {
    id: "marks",
    beforeDatasetsDraw(chart, _, options) {
      const { ctx, chartArea: area, scales: { x } } = chart;
      ctx.save();
      ctx.font = `11px ${Chart.defaults.font.family}`;
      ctx.fillStyle = soft; ctx.strokeStyle = "#aab4bf"; ctx.setLineDash([3, 3]);
      let taken = -Infinity;
      (options.marks || []).forEach((mark, k, all) => {
        const at = x.getPixelForValue(mark.x);
        if (!(at >= area.left - 1 && at <= area.right + 1)) return;
        if (k > 0) { ctx.beginPath(); ctx.moveTo(at, area.top); ctx.lineTo(at, area.bottom); ctx.stroke(); }
        const next = k + 1 < all.length ? x.getPixelForValue(all[k + 1].x) : area.right;
        const width = ctx.measureText(mark.label).width;
        if (width + 6 <= next - at && at > taken) { ctx.fillText(mark.label, at + 4, area.top - 5); taken = at + width + 4; }
      });
      ctx.restore();
    },
  };

  const points = (curve, y) => curve.x.map((x, k) => ({ x, y: y[k] === null ? NaN : y[k] }));

  const datasets = chart => {
    const out = [];
    chart.curves.forEach((curve, k) => {
      const own = curve.colour >= 0 ? curve.colour : k;
      const base = { pointRadius: curve.x.length === 1 ? 4 : 0, pointHoverRadius: 4, pointBackgroundColor: colour(own), tension: 0, spanGaps: false };
      if (curve.low) {
        const edge = { ...base, borderWidth: 0, pointHoverRadius: 0, pointRadius: 0, silent: true, order: 3, backgroundColor: colour(own, "2e") };
        out.push({ ...edge, data: points(curve, curve.low), fill: "+1" }, { ...edge, data: points(curve, curve.high), fill: false });
      }
      out.push({ ...base, label: curve.label, data: points(curve, curve.y), silent: curve.faint, order: curve.faint ? 2 : 1,
        borderColor: colour(own, curve.faint ? "66" : "ff"), backgroundColor: colour(own), borderWidth: curve.faint ? 1 : 1.7 });
    });
    chart.reference.forEach((curve, k) => {
      const own = curve.colour >= 0 || k === 0 ? ink : colour(chart.curves.length + k);
      out.push({ label: curve.label, data: points(curve, curve.y), borderColor: own, backgroundColor: own, borderDash: [6, 4],
        borderWidth: 1.3, pointRadius: curve.x.length <= 12 && curve.colour < 0 ? 3 : 0, pointHoverRadius: 4, tension: 0, order: 0 });
    });
    return out;
  };

  const axis = (label, log, values) => {
    let low = Infinity, high = -Infinity;
    for (const v of values) if (v > 0) { low = Math.min(low, v); high = Math.max(high, v); }
    const wide = high / low > 100;
    return {
      type: log ? "logarithmic" : "linear",
      title: { display: true, text: label, color: ink, font: { size: 13 } },
      grid: { color: context => context.tick && context.tick.label === "" ? "#f4f6f8" : line, borderColor: "#b9c2cc", tickColor: "#b9c2cc" },
      ticks: { color: soft, maxRotation: 0, autoSkip: !log, autoSkipPadding: 14, callback: log ? log_tick : linear_tick },
      ...(log && wide ? { min: 10 ** Math.floor(Math.log10(low) + 1e-9) } : {}),
    };
  };

  const draw = (canvas, chart) => {
    const all = [...chart.curves, ...chart.reference];
    const rising = all.every(curve => curve.x.every((x, k) => k === 0 || x >= curve.x[k - 1]));
    const shown = all.filter(curve => !curve.faint).length;
    const x_axis = axis(chart.x_label, chart.log_x, all.flatMap(curve => curve.x));
    if (!chart.log_x) {
      // Full width for the data; Chart.js would round the last tick up and leave an empty strip.
      const ends = all.flatMap(curve => curve.x.filter((x, k) => x !== null && curve.y[k] !== null));
      if (ends.length) { const first = Math.min(...ends), last = Math.max(...ends); x_axis.min = chart.panel !== "Test" && first > -1e-3 * last && first < 0.15 * last ? 0 : first; x_axis.max = last; x_axis.ticks.includeBounds = false; }
      if (!(x_axis.max > x_axis.min)) { delete x_axis.min; delete x_axis.max; }
    }
    const y_axis = axis(chart.y_label, chart.log_y, all.flatMap(curve => curve.y));
    if (!chart.log_y) {
      // A curve that starts at zero but for noise: no empty strip below, and nothing cut off.
      const low = Math.min(...all.flatMap(curve => curve.y.filter(y => y !== null))), high = Math.max(...all.flatMap(curve => curve.y));
      if (low > -0.05 * high && low < 0.3 * high) { y_axis.min = Math.min(low, 0); y_axis.ticks.includeBounds = false; }
    }
    const stage_at = x => chart.marks.filter(mark => mark.x <= x).map(mark => mark.label).pop();
    return new Chart(canvas, {
      type: "line",
      data: { datasets: datasets(chart) },
      options: {
        parsing: !rising, normalized: rising,  // data that is not parsed counts as sorted
        animation: false, responsive: true, maintainAspectRatio: false,
        layout: { padding: { top: chart.marks.length ? 16 : 4, right: 10 } },
        interaction: rising ? { mode: "nearest_of_each", intersect: false } : { mode: "nearest", intersect: false },
        scales: { x: x_axis, y: y_axis },
        plugins: {
          marks: { marks: chart.marks },
          legend: { display: (shown > 1 || shown < all.length) && all.length <= 12, position: "bottom", labels: {
            color: ink, boxWidth: 22, boxHeight: 0, padding: 12, sort: (a, b) => a.datasetIndex - b.datasetIndex,
            filter: (item, data) => item.text !== undefined && !data.datasets[item.datasetIndex].silent } },
          tooltip: { backgroundColor: "#1c2733f0", padding: 9, boxWidth: 8, boxHeight: 8, callbacks: {
            title: items => {
              if (!items.length) return "";
              const x = items[0].parsed.x, stage = stage_at(x);
              return `${chart.x_label}: ${number(x)}${stage ? ", " + stage : ""}`;
            },
            label: item => ` ${item.dataset.label ? item.dataset.label + ": " : ""}${number(item.parsed.y)}` } },
        },
      },
      plugins: [marks_plugin],
    });
  };

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  return { draw, number };
})();
