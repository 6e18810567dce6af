// The interaction of report pages: themes, copying; sorting, filtering and opening rows of the
// overview; other params in the map and the parallel coordinates of a problem.
"use strict";
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const root = document.documentElement;

const element = (name, properties = {}, ...content) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...content);
  return made;
};

const keep = (key, value) => {
  try { localStorage[key] = value; } catch { /* a file may have no storage */ }
};

{ // Themes: what was chosen, else the system's.
  const button = one("#theme");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark"
                                          : matchMedia("(prefers-color-scheme: dark)").matches;
  const say = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `${button.textContent} theme`);
  };
  button.onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep("warpwrightTheme", root.dataset.theme);
    say();
  };
  say();
}

// Copies a text and says so on the button.
const copy = async (button, text) => {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page that is a file may not use the clipboard
    const area = element("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1200);
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-copy-text]");
  if (button) copy(button, button.dataset.copyText ?? document.getElementById(button.dataset.copy).textContent);
});

const overview = (table) => {
  const bodies = all("tbody", table);
  const data = new Map(bodies.map((body) => [body, JSON.parse(body.dataset.of)]));
  const open = (body, opened) => {
    body.classList.toggle("opened", opened);
    one(".open", body).setAttribute("aria-expanded", opened);
  };
  table.addEventListener("click", (event) => {
    const button = event.target.closest(".open");
    if (button) open(button.closest("tbody"), button.getAttribute("aria-expanded") !== "true");
  });
  one("#expand").onclick = ({ target }) => {
    const opened = target.getAttribute("aria-expanded") !== "true";
    target.setAttribute("aria-expanded", opened);
    target.textContent = opened ? "Collapse all" : "Expand all";
    bodies.forEach((body) => open(body, opened));
  };
  const shown = () => { // the board that is chosen; the first one if all are
    const input = one("[name=board]:checked");
    return Number(input?.id.replace("board", "")) || 0;
  };
  const value = (body, column) => data.get(body)[shown()][column] ?? null;

  // Sorting moves whole patterns, so that what a row opens into stays with it. What is not known comes last.
  let by = "share";
  let up = false;
  const sort = () => {
    const order = (a, b) => {
      if (by === "name") return (up ? 1 : -1) * (a.id < b.id ? -1 : 1);
      const [x, y] = [value(a, by), value(b, by)];
      if (x === null || y === null) return (x === null) - (y === null);
      return up ? x - y : y - x;
    };
    table.append(...bodies.sort(order));
    all(".sort", table).forEach((button) => {
      button.classList.toggle("on", button.dataset.by === by);
      button.classList.toggle("up", button.dataset.by === by && up);
    });
    all("thead th", table).forEach((head) => {
      if (one(".sort.on", head)) head.setAttribute("aria-sort", up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  };
  const sortBy = (column) => {
    const descends = "down" in one(`.sort[data-by=${column}]`, table).dataset;
    up = by === column ? !up : !descends;
    by = column;
    sort();
  };
  table.tHead.onclick = (event) => {
    const button = event.target.closest(".sort");
    if (button) sortBy(button.dataset.by);
  };
  const order = one("#order");
  all("option", order).forEach((option) => {
    if (!one(`.sort[data-by=${option.value}]`, table)) option.remove();
  });
  order.onchange = () => { by = ""; sortBy(order.value); };

  const kept = (body, chip) => value(body, chip.dataset.filter) === true;
  const chips = all(".chip");
  const filter = () => {
    chips.forEach((chip) => { one("b", chip).textContent = bodies.filter((body) => kept(body, chip)).length; });
    const chosen = chips.filter((chip) => chip.getAttribute("aria-pressed") === "true");
    const words = one("#find").value.trim().toLowerCase().split(/\s+/);
    bodies.forEach((body) => {
      const text = body.textContent.toLowerCase();
      body.hidden = !words.every((word) => text.includes(word)) ||
                    !chosen.every((chip) => kept(body, chip));
    });
    one("#live").textContent = `${bodies.filter((body) => !body.hidden).length} of ${bodies.length} patterns shown`;
  };
  one("#find").oninput = filter;
  chips.forEach((chip) => {
    chip.onclick = () => {
      chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") !== "true");
      filter();
    };
  });
  all("[name=board]").forEach((input) => { input.onchange = () => { sort(); filter(); }; });
  sort();
  filter();
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && data.has(target)) {
    open(target, true);
    target.scrollIntoView({ block: "center" });
  }
};

// The configurations of a kernel: {axes: [{name, values}], shares: [what each axis explains], rows: [{at: [index of each
// value], us}]}, fastest first.
const spaceOf = ({ axes, shares, rows }) => {
  const width = axes.length + 1;
  const list = [];
  for (let i = 0; i < rows.length; i += width)
    list.push({ at: rows.slice(i, i + width - 1), us: rows[i + width - 1] });
  return { axes, shares, rows: list };
};
const timeText = (us) => us >= 10 ? us.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })
                                  : us.toPrecision(3);

const paramMap = (spaces) => {
  const [kernel, across, down] = ["#map-kernel", "#map-across", "#map-down"].map((id) => one(id));
  const draw = (fresh) => {
    const space = spaces(kernel.value);
    const shares = space.axes.map(({ name }, axis) => ({ name, share: space.shares[axis] })).sort((a, b) => b.share - a.share);
    if (fresh) {
      [[down, 0], [across, Math.min(1, shares.length - 1)]].forEach(([select, choice]) => {
        select.replaceChildren(...shares.map(({ name }) => element("option", { textContent: name })));
        select.value = shares[choice].name;
      });
      down.parentElement.hidden = shares.length < 2;
    }
    const bars = element("ul", { className: "effects" });
    shares.forEach(({ name, share }) => {
      const item = element("li", { className: name === across.value || name === down.value ? "mapped" : "" });
      item.innerHTML = "<span></span><svg aria-hidden=true><rect class=track width=100% /><rect class=fill /></svg><b></b>";
      one("span", item).textContent = name;
      one(".fill", item).setAttribute("width", `${100 * share}%`);
      one("b", item).textContent = `${Math.round(100 * share)}\u00A0%`;
      bars.append(item);
    });
    one("#effects").replaceChildren(bars);
    const [x, other] = [across, down].map((select) => space.axes.findIndex(({ name }) => name === select.value));
    const y = x === other ? -1 : other; // a map of one param has one row
    const best = space.rows[0];
    const cells = new Map();
    space.rows.forEach((row) => {
      const key = `${row.at[y] ?? 0} ${row.at[x]}`;
      if (cells.has(key)) ++cells.get(key).count;
      else cells.set(key, { row, count: 1 });
    });
    const cellOf = (value, other) => {
      const cell = cells.get(`${value} ${other}`);
      if (!cell) return element("td", { className: "none", ariaLabel: "not tried" });
      const isBest = cell.row === best;
      const made = element("td", { className: isBest ? "best" : "" },
                           element("span", { textContent: timeText(cell.row.us) }),
                           element("small", { textContent: `${isBest ? "best " : ""}of ${cell.count}` }));
      made.style.setProperty("--c", `${4 + 48 * Math.max(0, 1 - Math.log2(cell.row.us / best.us))}%`);
      return made;
    };
    const table = element("table", {},
      element("caption", { textContent: `${across.value} across${y < 0 ? "" : `, ${down.value} down`}; µs` }),
      element("thead", {}, element("tr", {}, element("td"), ...space.axes[x].values.map((value) =>
        element("th", { scope: "col", textContent: value })))),
      element("tbody", {}, ...(y < 0 ? [""] : space.axes[y].values).map((value, i) =>
        element("tr", {}, element("th", { scope: "row", textContent: value }),
                ...space.axes[x].values.map((_, j) => cellOf(i, j))))));
    one("#map").replaceChildren(element("div", { className: "map" }, table));
  };
  kernel.onchange = () => draw(true);
  across.onchange = down.onchange = () => draw(false);
};

// The lines of a kernel are in the page, those of the others as text; what is chosen turns the others pale.
const parallel = (spaces) => {
  const box = one("#lines");
  const [kernel, slowest, output] = ["#lines-kernel", "#slowest", "#shown"].map((id) => one(id));
  let space;
  let chart;
  let kept; // axis: set of values
  const valuesOf = (axis) => all("button", axis);

  const apply = () => {
    const [least, most] = [space.rows[0].us, space.rows.at(-1).us];
    const limit = least * (most / least) ** (slowest.value / 100) * 1.0001;
    const isKept = (at, us) => us <= limit && [...kept].every(([axis, values]) => values.has(at[axis]));
    const found = space.rows.filter((row) => isKept(row.at, row.us));
    all("path.line", chart).forEach((line) =>
      line.classList.toggle("off", !isKept(line.dataset.v.split(",").map(Number), Number(line.dataset.us))));
    all(".axis", chart).forEach((axis) => valuesOf(axis).forEach((button) => {
      const values = kept.get(Number(axis.dataset.axis));
      button.setAttribute("aria-pressed", Boolean(values?.has(Number(button.dataset.value))));
    }));
    output.textContent = `${found.length} of ${space.rows.length} configurations` +
                         (found.length ? `; best ${timeText(found[0].us)} µs` : "");
  };
  const keepOnly = (axis, values) => {
    if (values.size) kept.set(axis, values);
    else kept.delete(axis);
    apply();
  };
  const clear = () => {
    kept = new Map();
    slowest.value = 100;
    apply();
  };
  const show = () => {
    all(".lines-of", box).forEach((lines) => { lines.hidden = lines.dataset.kernel !== kernel.value; });
    chart = one(".lines-of:not([hidden])", box);
    if (chart.matches("script")) {
      const made = element("div", { className: "lines-of", innerHTML: chart.textContent });
      made.dataset.kernel = kernel.value;
      chart.replaceWith(made);
      chart = made;
    }
    all(".axis button", chart).forEach((button) => { button.disabled = false; });
    space = spaces(kernel.value);
    clear();
  };
  kernel.onchange = show;
  slowest.oninput = apply;
  one("#clear").onclick = clear;

  // Dragging along an axis keeps the values within; on that of times, all that is faster. A drag is no press.
  let drag;
  const place = (axis, { clientX, clientY }) => { // in percent from the foot of the axis, or from its left if it lies
    const { left, bottom, width, height } = axis.getBoundingClientRect();
    return 100 * Math.max(0, Math.min(1, width > height ? (clientX - left) / width : (bottom - clientY) / height));
  };
  box.onpointerdown = (event) => {
    const axis = event.button === 0 ? event.target.closest(".axis") : null;
    drag = axis && { axis, from: place(axis, event), moved: false };
  };
  box.onpointermove = (event) => {
    if (!drag || !event.buttons) return;
    const [low, high] = [drag.from, place(drag.axis, event)].sort((a, b) => a - b);
    if (high - low < 2 && !drag.moved) return;
    const { axis } = drag;
    drag.moved = true;
    box.setPointerCapture(event.pointerId);
    axis.classList.add("dragged");
    axis.style.setProperty("--low", `${low}%`);
    axis.style.setProperty("--high", `${100 - high}%`);
    if (axis.matches(".time")) {
      slowest.value = 100 - low;
      apply();
      return;
    }
    const within = valuesOf(axis).filter(({ style }) => {
      const at = parseFloat(style.getPropertyValue("--v"));
      return at >= low && at <= high;
    });
    keepOnly(Number(axis.dataset.axis), new Set(within.map(({ dataset }) => Number(dataset.value))));
  };
  box.onpointerup = box.onpointercancel = () => { drag?.axis.classList.remove("dragged"); };
  box.onclick = (event) => {
    const button = event.target.closest(".axis button");
    if (!button || drag?.moved && event.detail) return;
    const axis = Number(button.closest(".axis").dataset.axis);
    const values = new Set(kept.get(axis));
    if (!values.delete(Number(button.dataset.value))) values.add(Number(button.dataset.value));
    keepOnly(axis, values);
  };
  show();
};

if (one("#patterns")) overview(one("#patterns"));
if (one("#spaces")) {
  const data = JSON.parse(one("#spaces").textContent);
  const made = {};
  const spaces = (kernel) => made[kernel] ??= spaceOf(data[kernel]);
  if (one("#map-kernel")) paramMap(spaces);
  if (one("#lines-kernel")) parallel(spaces);
}
