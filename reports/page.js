// The script of a page: theme, sorting and filtering of tables. `page` has the functions that figures.js uses too.
"use strict";
const page = (() => {
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

  // --- Theme: the system's, until the reader selects one. ---
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const remembered = (theme) => {
    try {
      if (theme) localStorage.setItem("warpwright-theme", theme);
      return localStorage.getItem("warpwright-theme");
    } catch {
      return null; // pages opened as files may not have storage
    }
  };
  const isDark = () => (document.documentElement.dataset.theme || (systemDark.matches ? "dark" : "light")) === "dark";
  const toggle = make("button", { type: "button", className: "theme" });
  const showTheme = () => {
    toggle.textContent = isDark() ? "Light theme" : "Dark theme";
    document.dispatchEvent(new Event("themechange"));
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

  // --- The table of every configuration, built on request: the text in <noscript> is parsed once, then the array of rows
  // is sorted and filtered. ---
  const tableOf = (id) => {
    const text = document.querySelector(`noscript[data-table="${id}"]`);
    if (text) text.outerHTML = text.textContent;
    return document.getElementById(id);
  };
  const models = new Map();
  const modelOf = (id) => {
    if (models.has(id)) return models.get(id);
    const table = tableOf(id);
    const heads = all("thead th", table).map((th) => th.textContent.trim());
    const axes = all("thead th", table).flatMap((th, i) => (th.dataset.axis === undefined ? [] : [i]));
    const rows = [];
    for (const body of table.tBodies) {
      const { k: kernel, p: provenance, v: verdict, c } = body.dataset;
      for (const tr of body.rows) {
        if (tr.cells[0].tagName === "TH") continue;
        rows.push({ tr, kernel, provenance, verdict, tone: body.className, compared: c !== undefined,
                    cells: [...tr.cells].map((td) => td.textContent.trim()) });
      }
    }
    const model = { heads, axes, rows };
    models.set(id, model);
    return model;
  };
  const columnOf = (model, name) => model.heads.findIndex((head) => head === name || head.startsWith(name + " "));
  const timeOf = (model, row) => value(row.cells[columnOf(model, "time")] || "");

  const interactive = (id) => {
    const model = modelOf(id);
    const table = tableOf(id);
    // Columns: kernel, time with interval, provenance and verdict, parameters, the rest.
    const timed = 3;
    const cellOf = (text, className) => make("td", { className, textContent: text });
    for (const row of model.rows) {
      const cells = [...row.cells, "", "", ""].slice(0, Math.max(timed, row.cells.length));
      row.text = [row.kernel, ...cells.slice(0, timed), row.verdict, row.provenance, ...cells.slice(timed)];
      row.search = row.text.join(" ").toLowerCase();
      while (row.tr.cells.length < timed) row.tr.append(make("td"));
      row.tr.cells[timed - 1].after(cellOf(row.verdict, `l ${row.tone}`), cellOf(row.provenance, "l"));
      row.tr.prepend(cellOf(row.kernel, "l"));
    }
    const head = table.tHead.rows[0];
    const headOf = (name) => make("th", { scope: "col", textContent: name });
    head.cells[timed - 1].after(headOf("verdict"), headOf("provenance"));
    head.prepend(headOf("kernel"));
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
    const more = make("button", { type: "button", textContent: "show all", hidden: true });
    const atOnce = 1000; // number of rows that a browser lays out without a visible delay
    let order = model.rows;
    let most = atOnce;
    const matchesAxes = (row) => axis.value.split(/[\s,]+/).filter(Boolean).every((term) => {
      const [name, wanted] = term.split("=");
      const at = model.axes.find((i) => model.heads[i].startsWith(name));
      return at !== undefined && (wanted === undefined || wanted === "" || row.cells[at] === wanted);
    });
    const show = () => {
      const wanted = search.value.trim().toLowerCase();
      const kept = order.filter((row) => row.search.includes(wanted) && matchesAxes(row) &&
        picks.every(({ select, of }) => !select.value || of(row) === select.value));
      body.replaceChildren(...kept.slice(0, most).map((row) => row.tr));
      more.hidden = kept.length <= most;
      count.textContent = `${kept.length} of ${model.rows.length} configurations` +
        (more.hidden ? "" : `, the first ${most} are shown`);
    };
    more.addEventListener("click", () => {
      most = Infinity;
      show();
    });
    const sortBy = (column, down) => {
      for (const other of head.cells) other.removeAttribute("aria-sort");
      head.cells[column].setAttribute("aria-sort", down ? "descending" : "ascending");
      order = [...model.rows].sort((a, b) => {
        const x = a.text[column] || "";
        const y = b.text[column] || "";
        if ((x === "") !== (y === "")) return x === "" ? 1 : -1;
        return down ? byValue(y, x) : byValue(x, y);
      });
      show();
    };
    [...head.cells].forEach((th, column) => {
      const button = make("button", { type: "button", textContent: th.textContent.trim(), title: "Sort by this column" });
      button.addEventListener("click", () => sortBy(column, th.getAttribute("aria-sort") === "ascending"));
      th.replaceChildren(button);
    });
    for (const input of [search, axis]) input.addEventListener("input", show);
    for (const { select } of picks) select.addEventListener("change", show);
    table.parentElement.before(make("div", { className: "tools" }, make("label", {}, "find ", search),
                                    make("label", {}, "parameters ", axis), ...picks.map(({ label }) => label), count, more));
    sortBy(1, false);
  };
  // Narrow screens show each row as a list of "column: value".
  for (const table of all("table:not(.t, .heat)")) {
    const heads = all("thead th", table).map((th) => th.textContent.trim());
    for (const tr of table.tBodies[0].rows) [...tr.cells].forEach((cell, i) => { cell.dataset.label = heads[i]; });
    table.classList.add("cards");
  }
  for (const text of all("noscript[data-table]")) {
    const { table } = text.dataset;
    text.closest("details").addEventListener("toggle", () => interactive(table), { once: true });
  }

  // Printing shows every problem with its charts, but long tables only if the reader has opened them.
  addEventListener("beforeprint", () => {
    all("details.contest").forEach((details) => { details.open = true; });
    document.dispatchEvent(new Event("drawall"));
  });

  // A link to something inside a closed part opens that part.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  showTheme();
  return { all, make, value, byValue, modelOf, columnOf, timeOf, isDark };
})();
