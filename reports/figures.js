// The charts of a page, drawn from its own tables with Chart.js; page.js comes before it.
"use strict";
(() => {
  const { all, make, value, byValue, modelOf, columnOf, timeOf, isDark } = page;
  const axisAt = (model, name) => model.axes.find((at) => model.heads[at] === name);
  const charts = [];
  const styles = ["circle", "triangle", "rect", "rectRot", "crossRot", "star", "cross", "dash"];
  const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
  const palette = () => isDark()
    ? ["#6db3ff", "#ffb454", "#5fd38d", "#ff8fa3", "#c3a6ff", "#ffe066", "#6fe0e0", "#d0d6df"]
    : ["#0b62c4", "#c25700", "#1a7f45", "#b3123a", "#6a3fb5", "#8a6d00", "#0f7a80", "#566172"];
  const colour = (i) => palette()[i % palette().length];
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const series = (i, more) => ({ borderColor: colour(i), backgroundColor: colour(i), pointStyle: styles[i % styles.length],
                                 ...more });
  const axisOf = (title, more = {}) => ({ title: { display: true, text: title, color: css("--soft") },
                                          ticks: { color: css("--soft") }, grid: { color: css("--grid") }, ...more });
  const optionsOf = (x, y, more = {}) => ({
    animation: false, maintainAspectRatio: false, scales: { x, y }, ...more,
    plugins: { legend: { labels: { color: css("--text"), usePointStyle: true, boxWidth: 8, boxHeight: 8 } }, ...more.plugins },
  });
  // A logarithmic scale if times span more than a factor of five.
  const timeScale = (times) => {
    const known = times.filter((time) => time > 0);
    const wide = Math.max(...known) > 5 * Math.min(...known);
    return { type: wide ? "logarithmic" : "linear" };
  };

  const plain = (id) => {
    const table = document.getElementById(id);
    const rows = [...table.tBodies[0].rows].map((tr) => [...tr.cells].map((cell) => cell.textContent.trim()));
    return { heads: all("thead th", table).map((th) => th.textContent.trim()), rows };
  };

  // Our results, the ceiling and all others are distinguished by their names and also by colour.
  const kindOf = (label, labels) => {
    if (!labels.some((other) => /^ours,/.test(other)) || /^ours,/.test(label)) return 0;
    return /(ceiling$|^board's peak )/.test(label) ? 7 : 1;
  };

  // The two ends of "[63.3, 64.7]"; null if there is no interval.
  const ends = (text) => {
    const found = /^\[(.+), (.+)\]$/.exec(text || "");
    return found && [value(found[1]), value(found[2])];
  };

  // Draws the value after each bar, and the interval at its end.
  const valuesAndIntervals = {
    id: "valuesAndIntervals",
    afterDatasetsDraw(chart) {
      const { ctx, scales: { x: scale } } = chart;
      const { intervals, texts } = chart.data.datasets[0];
      ctx.save();
      ctx.font = '12px system-ui, "DejaVu Sans", sans-serif';
      ctx.textBaseline = "middle";
      ctx.strokeStyle = ctx.fillStyle = css("--text");
      chart.getDatasetMeta(0).data.forEach(({ x, y }, i) => {
        let right = x;
        if (intervals[i]) {
          const [low, high] = intervals[i].map((us) => scale.getPixelForValue(us));
          ctx.beginPath();
          for (const at of [low, high]) { ctx.moveTo(at, y - 4); ctx.lineTo(at, y + 4); }
          ctx.moveTo(low, y);
          ctx.lineTo(high, y);
          ctx.stroke();
          right = Math.max(right, high);
        }
        ctx.fillText(texts[i], right + 5, y);
      });
      ctx.restore();
    },
  };

  const configure = {
    bars({ table, value: column, interval }) {
      const { heads, rows } = plain(table);
      const known = rows.filter((row) => value(row[column]) !== null);
      const labels = known.map((row) => row[0]);
      return {
        type: "bar", height: 4 + 1.9 * known.length,
        data: { labels,
                datasets: [{ label: heads[column], data: known.map((row) => value(row[column])), maxBarThickness: 26,
                             intervals: known.map((row) => ends(row[interval])), texts: known.map((row) => row[column]),
                             backgroundColor: labels.map((label) => colour(kindOf(label, labels))) }] },
        options: optionsOf(axisOf(heads[column], { beginAtZero: true, grace: "12%" }),
                           axisOf("", { title: { display: false } }),
                           { indexAxis: "y", plugins: { legend: { display: false } } }),
        plugins: [valuesAndIntervals],
      };
    },
    steps({ table, by, x, value: column }) {
      const { heads, rows } = plain(table);
      const groups = [...new Set(rows.map((row) => row[by]))];
      return {
        type: "line",
        data: { datasets: groups.map((group, i) => series(i, {
          label: group, stepped: "after", borderDash: dashes[i % dashes.length], borderWidth: 2, pointRadius: 3,
          data: rows.filter((row) => row[by] === group).map((row) => ({ x: value(row[x]), y: value(row[column]) })),
        })) },
        options: optionsOf(axisOf(heads[x], { type: "linear", beginAtZero: true }), axisOf(heads[column])),
      };
    },
    lines({ table, by, x, value: column }) {
      const { heads, rows } = plain(table);
      const groups = [...new Set(rows.map((row) => row[by]))];
      return {
        type: "line",
        data: { labels: rows.map((row) => row[x]), datasets: groups.map((group, i) => series(i, {
          label: group, borderDash: dashes[i % dashes.length], spanGaps: true, borderWidth: 2, pointRadius: 4,
          data: rows.map((row) => (row[by] === group ? value(row[column]) : null)),
        })) },
        options: optionsOf(axisOf(heads[x]), axisOf(heads[column], { beginAtZero: true, grace: "10%" })),
      };
    },
    scatter({ table, x, by }) {
      const model = modelOf(table);
      const xAt = columnOf(model, x);
      const groupOf = (row) => (by === "kernel" ? row.kernel : row.cells[columnOf(model, by)] || "not known");
      const groups = new Map();
      for (const row of model.rows) {
        const point = { x: value(row.cells[xAt] || ""), y: timeOf(model, row), row };
        if (!row.compared || point.x === null || point.y === null) continue;
        if (!groups.has(groupOf(row))) groups.set(groupOf(row), []);
        groups.get(groupOf(row)).push(point);
      }
      if (!groups.size) return null;
      const label = ({ raw: { x: a, y: b, row } }) =>
        [`${b} \u00b5s, ${model.heads[xAt]} ${a}`,
         `${row.kernel} ` + model.axes.map((i) => row.cells[i] && `${model.heads[i]}=${row.cells[i]}`)
           .filter(Boolean).join(" ")];
      return {
        type: "scatter",
        data: { datasets: [...groups].sort().map(([group, data], i) =>
          series(i, { label: group, data, pointRadius: 4, borderWidth: 1.5, backgroundColor: colour(i) + "88" })) },
        options: optionsOf(axisOf(model.heads[xAt]), axisOf("time \u00b5s", timeScale([...groups.values()].flat().map((p) => p.y))),
                           { plugins: { tooltip: { callbacks: { label } } } }),
      };
    },
    effect({ table, kernel, first }) {
      const model = modelOf(table);
      const at = axisAt(model, first);
      const times = new Map();
      for (const row of model.rows) {
        const time = timeOf(model, row);
        if (!row.compared || row.kernel !== kernel || time === null || !row.cells[at]) continue;
        if (!times.has(row.cells[at])) times.set(row.cells[at], []);
        times.get(row.cells[at]).push(time);
      }
      const values = [...times.keys()].sort(byValue);
      const middle = (list) => {
        const sorted = [...list].sort((a, b) => a - b);
        const half = sorted.length >> 1;
        return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
      };
      const line = (label, of, i) => series(i, { label, data: values.map((key) => of(times.get(key))), pointRadius: 5,
                                                 borderWidth: 2, borderDash: dashes[i] });
      return {
        type: "line",
        data: { labels: values, datasets: [line("best", (list) => Math.min(...list), 0), line("median", middle, 1)] },
        options: optionsOf(axisOf(`${first} of ${kernel}`), axisOf("time \u00b5s", timeScale([...times.values()].flat()))),
      };
    },
  };

  const heightOf = (config) => `${Math.max(7, config.height)}rem`;

  const draw = (figure) => {
    const old = figure.querySelector(".plot");
    if (old) old.remove();
    charts.filter((one) => one.figure === figure).forEach(({ chart }) => chart.destroy());
    const config = configure[figure.dataset.kind](figure.dataset);
    if (!config) {
      figure.remove();
      return;
    }
    const canvas = make("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", figure.querySelector("figcaption").textContent + "; the table holds the same data");
    const plot = make("div", { className: "plot" }, canvas);
    if (config.height) plot.style.height = heightOf(config);
    figure.append(plot);
    const kept = charts.filter((one) => one.figure !== figure);
    charts.splice(0, charts.length, ...kept, { figure, chart: new Chart(canvas, config) });
  };
  document.addEventListener("themechange", () => [...charts].forEach(({ figure }) => draw(figure)));

  // The heat map of two selected axes replaces the page's own.
  const heatMap = (figure, model) => {
    const { kernel, first: across, second: down } = figure.dataset;
    const x = axisAt(model, across);
    const y = axisAt(model, down);
    const best = new Map();
    const seen = [new Set(), new Set()];
    for (const row of model.rows) {
      const time = timeOf(model, row);
      if (!row.compared || row.kernel !== kernel || time === null || !row.cells[x] || !row.cells[y]) continue;
      const key = row.cells[x] + "\n" + row.cells[y];
      best.set(key, Math.min(time, best.get(key) ?? Infinity));
      seen[0].add(row.cells[x]);
      seen[1].add(row.cells[y]);
    }
    const low = Math.min(...best.values());
    const high = Math.max(...best.values());
    const columns = [...seen[0]].sort(byValue);
    const cell = (tag, text, more = {}) => make(tag, { textContent: text, ...more });
    const table = make("table", { className: "heat" },
      cell("caption", `Best time of ${kernel}, \u00b5s: ${across} across, ${down} down (stronger colour: slower)`),
      make("thead", {}, make("tr", {}, cell("th", `${down} \\ ${across}`, { scope: "col" }),
                             ...columns.map((text) => cell("th", text, { scope: "col" })))),
      make("tbody", {}, ...[...seen[1]].sort(byValue).map((text) => make("tr", {}, cell("th", text, { scope: "row" }),
        ...columns.map((column) => {
          const time = best.get(column + "\n" + text);
          if (time === undefined) return cell("td", "");
          const place = high > low ? Math.log(time / low) / Math.log(high / low) : 0;
          return cell("td", String(time), { className: `h${Math.min(7, Math.floor(place * 8))}` });
        })))));
    const holder = figure.nextElementSibling;
    if (holder && holder.querySelector(".heat")) holder.replaceChildren(table);
  };

  // The axes of a kernel with at least two values.
  const axesOf = (model, kernel) => model.axes.filter((at) =>
    new Set(model.rows.filter((row) => row.compared && row.kernel === kernel && row.cells[at]).map((row) => row.cells[at]))
      .size > 1).map((at) => model.heads[at]);

  const chooser = (figure) => {
    const model = modelOf(figure.dataset.table);
    const kernels = [...new Set(model.rows.map((row) => row.kernel))].filter((name) => axesOf(model, name).length > 0);
    const pick = (label, what) => {
      const select = make("select");
      select.addEventListener("change", () => {
        figure.dataset[what] = select.value;
        if (what === "kernel") fill();
        redraw();
      });
      return { select, label: make("label", {}, label + " ", select) };
    };
    const kernel = pick("kernel", "kernel");
    const first = pick("parameter", "first");
    const second = pick("second, for the heat map", "second");
    const offer = ({ select }, names, chosen) => {
      select.replaceChildren(...names.map((name) => make("option", { textContent: name })));
      select.value = names.includes(chosen) ? chosen : names[0];
      return select.value;
    };
    const fill = () => {
      const axes = axesOf(model, figure.dataset.kernel);
      figure.dataset.first = offer(first, axes, figure.dataset.first);
      const others = axes.filter((name) => name !== figure.dataset.first);
      second.label.hidden = others.length === 0;
      if (others.length === 0) delete figure.dataset.second;
      else figure.dataset.second = offer(second, axes, others.includes(figure.dataset.second) ? figure.dataset.second : others[0]);
    };
    const redraw = () => {
      draw(figure);
      const holder = figure.nextElementSibling;
      if (holder && holder.querySelector(".heat")) holder.hidden = !figure.dataset.second;
      if (figure.dataset.second) heatMap(figure, model);
    };
    offer(kernel, kernels, figure.dataset.kernel);
    fill();
    figure.querySelector("figcaption").after(make("div", { className: "tools" }, kernel.label, first.label, second.label));
  };

  const drawOnce = (figure) => {
    if (figure.dataset.drawn !== undefined) return;
    figure.dataset.drawn = "";
    if (figure.dataset.kind === "effect") chooser(figure);
    draw(figure);
  };
  if (typeof Chart !== "undefined") {
    document.documentElement.classList.add("charts");
    const watcher = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        drawOnce(target);
      }
    }, { rootMargin: "300px" });
    for (const figure of all("figure[data-kind]")) {
      // Reserves its place, so that nothing moves under the reader's pointer when it is drawn.
      const config = figure.dataset.kind === "bars" ? configure.bars(figure.dataset) : null;
      if (config) figure.style.setProperty("--plot", heightOf(config));
      watcher.observe(figure);
    }
    document.addEventListener("drawall", () => all("figure[data-kind]").forEach(drawOnce));
  }
})();
