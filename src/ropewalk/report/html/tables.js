// Tables that sort, rows that open, the leaderboard, the matrix of verdicts and the scores.

// columns: [title, numeric, value(row), show(row)]; rows open into the plot of their comparison; `foot` is a last row.
function table(holder, caption, columns, rows, { opens = false, foot = null } = {}) {
  const memory = holder.memory || (holder.memory = { by: -1, down: false, open: new Set() });
  const sorted = rows.slice();
  if (memory.by >= 0) {
    const value = columns[memory.by][2], turn = memory.down ? -1 : 1;
    sorted.sort((x, y) => {
      const [p, q] = [value(x), value(y)];
      return turn * (typeof p === "string" ? p.localeCompare(q, "en") : (p ?? Infinity) - (q ?? Infinity));
    });
  }
  const redo = () => { table(holder, caption, columns, rows, { opens, foot }); hint(holder); };
  const heads = columns.map(([title, numeric], i) => {
    const click = () => {
      memory.down = memory.by === i ? !memory.down : numeric;
      memory.by = i;
      redo();
      holder.querySelectorAll("th button")[i].focus();
    };
    const order = memory.by === i ? (memory.down ? "descending" : "ascending") : "none";
    return html("th", { scope: "col", class: numeric ? "number" : null, "aria-sort": order }, html("button", { type: "button", onclick: click }, title));
  });
  const body = sorted.flatMap((row) => {
    const cells = columns.map(([, numeric, value, show], i) => {
      const shown = show ? show(row) : value(row);
      if (i > 0) return html("td", { class: numeric ? "number" : null }, shown);
      if (!opens) return html("th", { scope: "row" }, shown);
      const toggle = () => {
        memory.open.has(row) ? memory.open.delete(row) : memory.open.add(row);
        redo();
        holder.querySelectorAll("tbody > tr > th button")[sorted.indexOf(row)].focus();
      };
      return html("th", { scope: "row" }, html("button", { type: "button", class: "opener", "aria-expanded": String(memory.open.has(row)), onclick: toggle }, shown));
    });
    const line = html("tr", {}, ...cells);
    if (!memory.open.has(row)) return [line];
    const width = room(holder, 744) - 24;
    return [line, html("tr", { class: "opened" }, html("td", { colspan: columns.length }, panel(row, width)))];
  });
  const element = html("table", {}, html("caption", {}, html("span", {}, caption)), html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...body), foot ? html("tfoot", {}, html("tr", {}, ...foot.map((cell, i) => html("td", { class: columns[i][1] ? "number" : null }, cell)))) : null);
  const left = holder.scrollLeft;
  holder.replaceChildren(element);
  holder.scrollLeft = left;
}

const now = (c) => probabilities(c, state.k);
const VERDICT = ["verdict", false, (c) => verdict(c, state.k, state.threshold), (c) => badge(verdict(c, state.k, state.threshold), c)];
const LIVE = [
  ["better", true, (c) => now(c)[0], (c) => shareAll(now(c))[0]],
  ["equivalent", true, (c) => now(c)[1], (c) => shareAll(now(c))[1]],
  ["worse", true, (c) => now(c)[2], (c) => shareAll(now(c))[2]],
];
// The mean of the posterior that the probabilities come from, else what was observed, under its own name.
// Advantages stand under each other: with as many decimals as the middle one needs for three digits.
function advantage(rows) {
  const observed = rows.some((c) => c.of), size = (c) => (observed ? c.adv : c.est[1]);
  const sizes = rows.map((c) => Math.abs(size(c))).filter((x) => x > 0).sort((x, y) => x - y);
  const digits = sizes.length ? 2 - Math.floor(Math.log10(sizes[sizes.length >> 1])) : 0;
  const fixed = (x) => (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(Math.min(Math.max(digits, 0), 12));
  return [observed ? "observed" : "advantage", true, size, (c) => (size(c) === null ? "–" : fixed(size(c)))];
}
const CLASSICAL = ["p-value", true, (c) => (c.tests.length ? c.tests[0][1] : null), (c) => (c.tests.length ? pValue(c.tests[0][1]) : "–")];

// --- a table that is wider than its place ----------------------------------------------------------------

// A table may be on the page twice, as computed and as the sliders stand: the second one gets a number.
function unlikeOthers(node, label) {
  const others = new Set([...document.querySelectorAll(".scroll[role='region']")].filter((n) => n !== node).map((n) => n.getAttribute("aria-label")));
  let own = label;
  for (let i = 2; others.has(own); i++) own = `${label} (${i})`;
  return own;
}

// It can be scrolled by keyboard, has a shadow where it goes on, and a line above it says so.
function hint(node) {
  const cut = node.scrollWidth > node.clientWidth + 1, named = node.querySelector("caption, summary, th");
  node.classList.toggle("cut", cut);
  node.classList.toggle("cut-left", cut && node.scrollLeft > 1);
  node.classList.toggle("cut-right", cut && node.scrollLeft + node.clientWidth < node.scrollWidth - 1);
  if (cut) {
    node.tabIndex = 0;
    node.setAttribute("role", "region");
    node.setAttribute("aria-label", unlikeOthers(node, `Scrolls sideways: ${named ? named.textContent.slice(0, 60) : "table"}`));
  } else ["tabindex", "role", "aria-label"].forEach((name) => node.removeAttribute(name));
  let line = node.previousElementSibling;
  if (!line || !line.classList.contains("hint")) {
    if (!cut) return;
    line = html("span", { class: "hint", "aria-hidden": "true" }, "Scroll sideways for more columns →");
    node.before(line);
    node.addEventListener("scroll", () => hint(node), { passive: true });
  }
  line.hidden = !cut;
}

const hints = () => document.querySelectorAll(".scroll").forEach(hint);

// --- all models ------------------------------------------------------------------------------------------

function modelName(i, ...after) {
  const dot = html("span", { class: "swatch", "aria-hidden": "true" });
  dot.style.background = `var(--m${i % D.colours}-ink)`;
  return html("span", { class: D.models[i].name.length < 30 ? "model" : null }, dot, D.models[i].name, ...after);
}

function showModels() {
  if (!D.board) return;
  const live = standing(state.k, state.threshold), inside = new Map(), top = new Set();
  if (live) {
    D.board.live.models.forEach((m, i) => inside.set(m, live.within[i]));
    live.members.forEach((i) => top.add(D.board.live.models[i]));
  }
  const start = state.k === D.start && state.threshold === D.threshold;
  const within = (r) => (start || !live ? r.within : inside.get(r.i));
  const best = (r) => (start || !live ? Boolean(r.top) : top.has(r.i));
  const ends = D.board.rows.flatMap((r) => [r.low, r.high, r.mean]).filter((x) => x !== null);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const columns = [
    ["model", false, (r) => D.models[r.i].name, (r) => modelName(r.i, best(r) ? html("span", { title: "practically best" }, " *", html("span", { class: "hidden" }, "practically best")) : null)],
    [`mean ${D.metric}`, true, (r) => r.mean, (r) => scored(r.mean)],
    ["95% interval", true, (r) => r.low, (r) => (r.low === null ? "–" : `${scored(r.low)} to ${scored(r.high)}`)],
  ];
  if (D.board.rows.some((r) => r.best !== null)) {
    columns.push(["P(best)", true, (r) => r.best, (r) => (r.best === null ? "–" : share(r.best))]);
    columns.push(["P(tied with best)", true, (r) => within(r), (r) => (within(r) === null ? "–" : share(within(r)))]);
    columns.push(["rank (95%)", true, (r) => (r.rank ? r.rank[0] : null), (r) => (r.rank ? (r.rank[0] === r.rank[1] ? String(r.rank[0]) : `${r.rank[0]} to ${r.rank[1]}`) : "–")]);
  }
  columns.splice(3, 0, ["mean and interval", false, (r) => r.mean, (r) => strip(r, low, high)]);
  const foot = columns.map((_, i) => (i === 3 ? stripAxis(low, high) : ""));
  table($("models-table"), D.board.why ? `All models in one posterior (${D.board.why})` : "The models", columns, D.board.rows, { foot });
  $("models-note").textContent = D.board.why
    ? `* ${D.board.rows.filter(best).length > 1 ? "One of these models is tied" : "Tied"} with the best with probability at least ${plainThreshold()}. P(tied with best): probability of being within the ROPE of the best model.` + (live ? "" : " The leaderboard does not follow the sliders.")
    : "";
  $("models-table").querySelector("caption").classList.toggle("hidden", !D.board.why);
}

// One tab stop; the arrow keys move within the matrix, Enter shows the pair.
let cursor = [0, 1];
function showMatrix() {
  const k = D.models.length, signs = { better: ">", worse: "<", equivalent: "=", undecided: "?" };
  if (k < 3 || k > 40 || D.pairs.length !== (k * (k - 1)) / 2) { $("verdicts").hidden = true; return; }
  const at = new Map(), held = document.activeElement && document.activeElement.closest("#matrix");
  D.pairs.forEach((c, i) => { at.set(`${c.a}/${c.b}`, [i, false]); at.set(`${c.b}/${c.a}`, [i, true]); });
  const swap = { better: "worse", worse: "better" };
  const order = D.board ? D.board.rows.map((r) => r.i) : [...D.models.keys()];
  const rows = order.map((i, r) => html("tr", {}, html("th", { scope: "row" }, `${r + 1} ${D.models[i].brief}`), ...order.map((j, s) => {
    if (i === j) return html("td", { class: "same" });
    const [index, turned] = at.get(`${i}/${j}`), found = verdict(D.pairs[index], state.k, state.threshold);
    const name = turned ? swap[found] || found : found, here = cursor[0] === r && cursor[1] === s;
    const label = `${D.models[i].brief} against ${D.models[j].brief}: ${name}`;
    const cell = html("td", { class: `cell ${name}` }, html("button", { type: "button", title: label, "aria-label": label, tabindex: here ? 0 : -1, "data-at": `${r}/${s}`, onclick: () => { cursor = [r, s]; setFocus(index); } }, signs[name]));
    const winner = { better: i, worse: j }[name];
    if (winner !== undefined) cell.style.background = `var(--m${winner % D.colours})`;
    return cell;
  })));
  const heads = order.map((i, r) => html("th", { scope: "col", title: D.models[i].brief }, String(r + 1)));
  $("matrix").replaceChildren(html("table", { class: "matrix", role: "grid", onkeydown: (e) => moveCursor(e, order.length) },
    html("caption", { class: "hidden" }, "Verdict on every pair: the row against the column"),
    html("thead", {}, html("tr", {}, html("td"), ...heads)), html("tbody", {}, ...rows)));
  $("matrix-note").textContent = "The row against the column: > better, < worse, = practically equivalent, ? undecided; in the color of the better model. Choose a cell to see its pair (by keyboard: arrow keys, then Enter).";
  if (held) focusCell();
}

const focusCell = () => $("matrix").querySelector(`[data-at="${cursor.join("/")}"]`).focus();

function moveCursor(event, n) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -n], End: [0, n] };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const within = (x) => Math.min(Math.max(x, 0), n - 1);
  let [r, s] = [within(cursor[0] + step[0]), within(cursor[1] + step[1])];
  if (r === s) { // a model against itself has no cell: on to the next one, or stay
    [r, s] = Math.abs(step[1]) > 1 ? [r, s + (s ? -1 : 1)] : [r + step[0], s + step[1]];
    if (within(r) !== r || within(s) !== s) return;
  }
  $("matrix").querySelector("[tabindex='0']").tabIndex = -1;
  cursor = [r, s];
  const cell = $("matrix").querySelector(`[data-at="${r}/${s}"]`);
  cell.tabIndex = 0;
  cell.focus();
}

// The score of every model on every task, the best of a task in bold; made when it is opened.
function showScores() {
  if (!D.scores || !$("scores").open) return;
  const { tasks, models, values } = D.scores, better = (x, y) => (D.higher ? x > y : x < y);
  const top = values.map((row) => row.filter((x) => x !== null).reduce((x, y) => (better(x, y) ? x : y)));
  const columns = [["task", false, (i) => tasks[i]], ...models.map((m, j) => [D.models[m].brief, true, (i) => values[i][j],
    (i) => html("span", { class: values[i][j] === top[i] ? "best" : null }, scored(values[i][j]))])];
  const foot = ["mean", ...D.scores.mean.map(scored)];
  table($("scores-table"), `${D.metric[0].toUpperCase()}${D.metric.slice(1)} of each model on each task; the best of a task is bold. The last row is the mean over tasks that all models were run on.`, columns, tasks.map((_, i) => i), { foot });
  hint($("scores-table"));
}
