// What a page does with scripts on: the theme, sorting and filtering, and charts drawn from the page's own tables.
"use strict";
(() => {
  const all = (selector, under = document) => [...under.querySelectorAll(selector)];
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const value = (text) => {
    const number = parseFloat(text.replace(/,/g, ""));
    return Number.isNaN(number) ? null : number;
  };
  const byValue = (a, b) => {
    const x = value(a);
    const y = value(b);
    if (x !== null && y !== null && x !== y) return x - y;
    if ((x === null) !== (y === null)) return x === null ? 1 : -1;
    return a < b ? -1 : a > b ? 1 : 0;
  };

  // --- Theme: the system's, until the reader chooses. ---
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const remembered = (theme) => {
    try {
      if (theme) localStorage.setItem("warpwright-theme", theme);
      return localStorage.getItem("warpwright-theme");
    } catch {
      return null; // pages opened as files may have no storage
    }
  };
  const isDark = () => (document.documentElement.dataset.theme || (systemDark.matches ? "dark" : "light")) === "dark";
  const toggle = make("button", { type: "button", className: "theme" });
  const showTheme = () => {
    toggle.textContent = isDark() ? "Light theme" : "Dark theme";
    restyleCharts();
  };
  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  toggle.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    remembered(document.documentElement.dataset.theme);
    showTheme();
  });
  systemDark.addEventListener("change", () => showTheme());
  document.querySelector("header").append(toggle);

  // --- The table of every configuration: read once, then sorted and filtered as an array of rows. ---
  const models = new Map();
  const modelOf = (table) => {
    if (models.has(table)) return models.get(table);
    const heads = all("thead th", table).map((th) => th.textContent.trim());
    const axes = all("thead th[data-axis]", table).length;
    const rows = [];
    for (const body of table.tBodies) {
      const { k: kernel, p: provenance, v: verdict, c } = body.dataset;
      for (const tr of body.rows) {
        if (tr.cells[0].tagName === "TH") continue;
        rows.push({ tr, kernel, provenance, verdict, compared: c !== undefined,
                    cells: [...tr.cells].map((td) => td.textContent.trim()) });
      }
    }
    const model = { heads, axes, rows };
    models.set(table, model);
    return model;
  };
  const columnOf = (model, name) => model.heads.findIndex((head) => head === name || head.startsWith(name + " "));
  const timeOf = (model, row) => value(row.cells[columnOf(model, "time")] || "");

  const interactive = (table) => {
    const model = modelOf(table);
    const names = ["kernel", "verdict", "provenance"];
    const front = (row) => [row.kernel, row.verdict, row.provenance];
    for (const row of model.rows) {
      row.text = [...front(row), ...row.cells];
      row.search = row.text.join(" ").toLowerCase();
      row.tr.prepend(...front(row).map((text) => make("td", { className: "l", textContent: text })));
    }
    const head = table.tHead.rows[0];
    head.prepend(...names.map((name) => make("th", { scope: "col", textContent: name })));
    const body = make("tbody");
    [...table.tBodies].forEach((old) => old.remove());
    table.append(body);

    const search = make("input", { type: "search", placeholder: "any text" });
    const pick = (what, of) => {
      const select = make("select", {}, make("option", { value: "", textContent: "all" }));
      for (const text of [...new Set(model.rows.map(of))].sort()) select.append(make("option", { textContent: text }));
      return { select, label: make("label", {}, what + " ", select), of };
    };
    const picks = [pick("kernel", (row) => row.kernel), pick("verdict", (row) => row.verdict),
                   pick("provenance", (row) => row.provenance)];
    const axis = make("input", { type: "search", placeholder: "block_size=256" });
    const count = make("output", { ariaLive: "polite" });
    let order = model.rows;
    const matchesAxes = (row) => axis.value.split(/[\s,]+/).filter(Boolean).every((term) => {
      const [name, wanted] = term.split("=");
      const at = model.heads.findIndex((head, i) => i < model.axes && head.startsWith(name));
      return at >= 0 && (wanted === undefined || wanted === "" || row.cells[at] === wanted);
    });
    const show = () => {
      const wanted = search.value.trim().toLowerCase();
      const kept = order.filter((row) => row.search.includes(wanted) && matchesAxes(row) &&
        picks.every(({ select, of }) => !select.value || of(row) === select.value));
      body.replaceChildren(...kept.map((row) => row.tr));
      count.textContent = `${kept.length} of ${model.rows.length} configurations`;
    };
    [...head.cells].forEach((th, column) => {
      const button = make("button", { type: "button", textContent: th.textContent.trim(), title: "Sort by this column" });
      button.addEventListener("click", () => {
        const down = th.getAttribute("aria-sort") === "ascending";
        for (const other of head.cells) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        order = [...model.rows].sort((a, b) => {
          const x = a.text[column] || "";
          const y = b.text[column] || "";
          if ((x === "") !== (y === "")) return x === "" ? 1 : -1;
          return down ? byValue(y, x) : byValue(x, y);
        });
        show();
      });
      th.replaceChildren(button);
    });
    for (const input of [search, axis]) input.addEventListener("input", show);
    for (const { select } of picks) select.addEventListener("change", show);
    table.parentElement.before(make("div", { className: "tools" }, make("label", {}, "find ", search),
                                    make("label", {}, "parameters ", axis), ...picks.map(({ label }) => label), count));
    show();
  };
  for (const table of all(".t")) {
    const details = table.closest("details");
    details.addEventListener("toggle", () => interactive(table), { once: true });
  }

  // --- Charts. ---
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
    plugins: { legend: { labels: { color: css("--text"), usePointStyle: true } }, ...more.plugins },
  });
  // A logarithmic scale where times span more than a factor of five.
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

  const configure = {
    bars({ table, value: column }) {
      const { heads, rows } = plain(table);
      const known = rows.filter((row) => value(row[column]) !== null);
      return {
        type: "bar", height: 4 + 1.9 * known.length,
        data: { labels: known.map((row) => row[0]),
                datasets: [series(0, { label: heads[column], data: known.map((row) => value(row[column])),
                                       maxBarThickness: 26 })] },
        options: optionsOf(axisOf(heads[column], { beginAtZero: true }), axisOf("", { title: { display: false } }),
                           { indexAxis: "y", plugins: { legend: { display: false } } }),
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
        options: optionsOf(axisOf(heads[x]), axisOf(heads[column], { beginAtZero: true })),
      };
    },
    scatter({ table, x, by }) {
      const model = modelOf(document.getElementById(table));
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
        [`${b} us, ${model.heads[xAt]} ${a}`,
         `${row.kernel} ` + model.heads.slice(0, model.axes).map((head, i) => row.cells[i] && `${head}=${row.cells[i]}`)
           .filter(Boolean).join(" ")];
      return {
        type: "scatter",
        data: { datasets: [...groups].sort().map(([group, data], i) =>
          series(i, { label: group, data, pointRadius: 4, borderWidth: 1.5, backgroundColor: colour(i) + "88" })) },
        options: optionsOf(axisOf(model.heads[xAt]), axisOf("time us", timeScale([...groups.values()].flat().map((p) => p.y))),
                           { plugins: { tooltip: { callbacks: { label } } } }),
      };
    },
    effect({ table, first }) {
      const model = modelOf(document.getElementById(table));
      const at = model.heads.indexOf(first);
      const times = new Map();
      for (const row of model.rows) {
        const time = timeOf(model, row);
        if (!row.compared || time === null || !row.cells[at]) continue;
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
        options: optionsOf(axisOf(first), axisOf("time us", timeScale([...times.values()].flat()))),
      };
    },
  };

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
    if (config.height) plot.style.height = `${Math.max(7, config.height)}rem`;
    figure.append(plot);
    const kept = charts.filter((one) => one.figure !== figure);
    charts.splice(0, charts.length, ...kept, { figure, chart: new Chart(canvas, config) });
  };
  const restyleCharts = () => [...charts].forEach(({ figure }) => draw(figure));

  // The heat map of two chosen axes takes the place of the page's own.
  const heatMap = (figure, model, across, down) => {
    const x = model.heads.indexOf(across);
    const y = model.heads.indexOf(down);
    const best = new Map();
    const seen = [new Set(), new Set()];
    for (const row of model.rows) {
      const time = timeOf(model, row);
      if (!row.compared || time === null || !row.cells[x] || !row.cells[y]) continue;
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
      cell("caption", `Best time, us: ${across} across, ${down} down (darker is slower)`),
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

  const chooser = (figure) => {
    const model = modelOf(document.getElementById(figure.dataset.table));
    const axes = model.heads.slice(0, model.axes);
    const pick = (label, selected, changed) => {
      const select = make("select", {}, ...axes.map((axis) => make("option", { textContent: axis })));
      select.value = selected;
      select.addEventListener("change", () => changed(select.value));
      return make("label", {}, label + " ", select);
    };
    const redrawHeat = () => {
      if (figure.dataset.second) heatMap(figure, model, figure.dataset.first, figure.dataset.second);
    };
    const tools = make("div", { className: "tools" }, pick("parameter", figure.dataset.first, (axis) => {
      figure.dataset.first = axis;
      draw(figure);
      redrawHeat();
    }));
    if (figure.dataset.second) {
      tools.append(pick("second, for the heat map", figure.dataset.second, (axis) => {
        figure.dataset.second = axis;
        redrawHeat();
      }));
    }
    figure.querySelector("figcaption").after(tools);
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
    all("figure[data-kind]").forEach((figure) => watcher.observe(figure));
  }

  // Paper shows every problem, with its charts; the long tables only where the reader has opened them.
  addEventListener("beforeprint", () => {
    all("details.contest").forEach((details) => { details.open = true; });
    if (typeof Chart !== "undefined") all("figure[data-kind]").forEach(drawOnce);
  });

  // A link to something inside a closed part opens it.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  showTheme();
})();
