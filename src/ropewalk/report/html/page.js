// The page: what is shown, and how it follows the two sliders.

const $ = (id) => document.getElementById(id);
const state = { k: D.start, threshold: D.threshold, focus: 0, model: "", task: "" };

function html(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

// A page opened in a background tab has no width yet; it is drawn again when it is shown.
const room = (node, most) => Math.min(Math.max(node.clientWidth, 240), most);
const pairName = (c) => `${D.models[c.a].brief} − ${D.models[c.b].brief}`;
const own = (c) => D.each.filter((r) => r.a === c.a && r.b === c.b);
const share = (p) => (p < 0.0005 && p > 0 ? "<0.001" : p > 0.9995 && p < 1 && state.threshold <= 0.999 ? ">0.999" : three(p));
const pValue = (p) => (p === null ? "–" : p >= 0.001 ? p.toFixed(3) : p.toExponential(1));

// Some differences are only known in part, so none are drawn and the ROPE cannot be moved.
const isPartlyKnown = (c) => c.dots !== undefined && !c.dots.length && c.clouds !== undefined;

function ropeText(c, k) {
  if (isPartlyKnown(c)) return "as computed: not all differences are known";
  if (!hasRope(c)) {
    const source = text(c.rope[3]);
    return source === "not needed" ? "not needed: they answer alike" : source === "not used by this test" ? "this test uses none" : "too many units to try others: the test is sampled";
  }
  const [low, high] = edges(c, k);
  const both = (l, h) => (Math.abs(l + h) <= 1e-9 * h ? `±${plain(h)}` : `${signed(l)} to ${signed(h)}`);
  if (!isShare(c)) return `${both(low, high)} in ${D.metric}`;
  if (!isPhi(c)) return `${both(low - 0.5, high - 0.5)} in the share of tasks won`;
  return `phi ${low.toFixed(3)} to ${high.toFixed(3)}: ${both(-(high - 0.5) * c.rope[4], (0.5 - low) * c.rope[4])} in accuracy`;
}

function picture(c, width, moves) {
  return isPartlyKnown(c) ? simplex(c, state.k, Math.min(width, 380)) : posterior(c, state.k, width, moves);
}

// What the three probabilities of a comparison are about.
function meaning(c) {
  if (isPartlyKnown(c)) return "Where the chances of better, equivalent and worse may lie: the least favourable of what the data allow. The bars decide.";
  if (c.next) return "The curve is the advantage on a new task, the numbers over it the chance of each outcome there. The bars say how sure it is which outcome is the likeliest: they decide.";
  if (c.dots) return `Each dot is one ${text(c.unit)}. The bars say how sure it is which of the three is the likeliest: they decide.`;
  if (isPhi(c)) return `phi${c.asks === undefined ? "" : ` (${text(c.asks)})`}: where just one of the two is right, the share of the mistakes of ${D.models[c.a].brief}. Below 0.5 ${D.models[c.a].brief} is better.`;
  if (isShare(c)) return `The share of tasks on which ${D.models[c.a].brief} is better.`;
  return c.asks === undefined ? "The posterior: how large the advantage may be, after the data." : `The posterior of ${text(c.asks)}.`;
}

function source(c) {
  return c.error && state.k !== D.start ? ` With the slider moved this pair has fewer draws than in Python: ±${plain(c.error)} (one standard error at most).` : "";
}

// --- one comparison in full ------------------------------------------------------------------------------

function bars(c) {
  const p = probabilities(c, state.k), [a, b] = [D.models[c.a].name, D.models[c.b].name];
  const by = hasRope(c) && edges(c, state.k)[1] > edges(c, state.k)[0] ? " by more than the ROPE" : "";
  const rows = [["better", `${a} better${by}`, p[0]], ["equivalent", "practically equivalent", p[1]], ["worse", `${b} better${by}`, p[2]]];
  const caption = c.next || c.dots ? html("caption", {}, `How sure it is that the likeliest outcome${c.next ? " on a new task" : ""} is:`) : html("caption", { class: c.asks === undefined ? "hidden" : null }, c.asks === undefined ? `Probabilities for ${pairName(c)}` : `Probabilities of ${text(c.asks)}`);
  return html("table", { class: c.swap ? "bars swap" : "bars" }, caption,
    html("tbody", {}, ...rows.map(([name, label, value]) => {
      const bar = html("div", { class: `fill ${name}` });
      bar.style.width = `${100 * value}%`;
      return html("tr", {}, html("th", { scope: "row" }, label), html("td", { class: "track", "aria-hidden": "true" }, html("div", { class: "bar" }, bar)), html("td", { class: "number" }, share(value)));
    })));
}

// The threshold is followed; another ROPE would be another question to each prior.
function priors(c) {
  const notes = c.notes.map((i) => html("p", { class: "note" }, text(i)));
  if (!c.priors.length) return notes;
  const says = (p, i) => (D.byThreshold ? badge(i ? decided(p, state.threshold) : verdict(c, D.start, state.threshold), c) : "–");
  const rows = c.priors.map(([name, , p], i) => html("tr", {}, html("th", { scope: "row" }, text(name)),
    ...p.map((x) => html("td", { class: "number" }, share(x))), html("td", {}, says(p, i))));
  const heads = ["prior", named(c, "better"), "equiv.", named(c, "worse"), "verdict"].map((t, i) => html("th", { scope: "col", class: i > 0 && i < 4 ? "number" : null }, t));
  const caption = `Under ${c.priors.length} priors, the first as computed${hasRope(c) ? `, with a ROPE of ${ropeText(c, D.start)}` : ""}`;
  const words = c.priors.flatMap(([name, why]) => [html("dt", {}, text(name)), html("dd", {}, text(why))]);
  return [html("table", {}, html("caption", {}, html("span", {}, caption)), html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows)),
    html("dl", { class: "facts" }, ...words), ...notes];
}

// A verdict with the name of the model that it calls better.
function named(c, name) {
  const winner = { better: c.a, worse: c.b }[name];
  return winner === undefined ? name : `${D.models[winner].brief} better`;
}

function badge(name, c) {
  return html("span", { class: `badge ${name}${c.swap ? " swap" : ""}` }, named(c, name));
}

function tally(rows) {
  const count = { better: 0, equivalent: 0, worse: 0, undecided: 0 };
  for (const r of rows) count[verdict(r, state.k, state.threshold)]++;
  return count;
}

function facts(c) {
  const [a, b] = [D.models[c.a].name, D.models[c.b].name], out = [["why this method", text(c.why)]];
  out.push([D.metric, `${a} ${plain(c.means[0])}, ${b} ${plain(c.means[1])}: advantage of ${a} ${signed(c.adv)} on ${c.n.toLocaleString("en")} ${text(c.unit)}s`]);
  const centre = c.next ? ": the centre of the tasks, in which odd ones count for little" : "";
  out.push([text(c.est[0]), `${plain(c.est[1])}, 95 % HDI ${plain(c.est[2])} to ${plain(c.est[3])}${centre}`]);
  out.push(["ROPE", ropeText(c, state.k)]);
  if (c.counts) out.push(["they disagree on", `${a} right, ${b} wrong: ${c.counts[2].toLocaleString("en")}; ${b} right, ${a} wrong: ${c.counts[1].toLocaleString("en")}`]);
  const tasks = c.task === undefined ? own(c) : [];
  if (tasks.length) out.push(["tasks by themselves", Object.entries(tally(tasks)).map(([name, n]) => `${named(c, name)} on ${n}`).join(", ")]);
  for (const [name, words] of c.readings || []) out.push([text(name), text(words)]);
  out.push(["effect", `${text(c.effect[0])} ${plain(c.effect[1])} (${text(c.effect[2])})`]);
  if (c.tests.length) out.push(["classical tests", c.tests.map(([name, p]) => `${text(name)} p = ${pValue(p)}`).join("; ")]);
  for (const [name, ok, words] of c.checks) out.push([ok ? "checked" : "look at this", `${text(name)}: ${words}`]);
  return html("dl", { class: "facts" }, ...out.flatMap(([label, words]) => [html("dt", { class: label === "look at this" ? "alarm" : null }, label), html("dd", {}, words)]));
}

function examples(c) {
  if (!c.examples) return null;
  const [forA, forB, nA, nB] = c.examples, right = Boolean(c.counts);
  const list = (rows, n, ahead, behind) => html("div", {}, html("h4", {}, right ? `${ahead} right, ${behind} wrong` : `${ahead} ahead of ${behind}`, html("small", {}, ` ${n.toLocaleString("en")} in all`)),
    html("ul", { class: "ids" }, ...rows.map(([name, d]) => html("li", {}, name, right ? null : html("small", {}, ` by ${plain(d)}`)))));
  const [a, b] = [D.models[c.a].brief, D.models[c.b].brief];
  return html("div", { class: "examples" }, html("h3", {}, "Examples on which they differ most"),
    html("div", { class: "two" }, list(forA, nA, a, b), list(forB, nB, b, a)));
}

function panel(c, width) {
  const node = html("div", { class: "panel" });
  node.append(picture(c, width), html("p", { class: "note" }, meaning(c) + source(c)), bars(c), facts(c));
  const ids = examples(c);
  if (ids) node.append(ids);
  return node;
}

// --- tables that sort, and rows that open ----------------------------------------------------------------

// columns: [title, numeric, value(row), show(row)]; rows open into the picture of their comparison.
function table(holder, caption, columns, rows, { opens = false } = {}) {
  const memory = holder.memory || (holder.memory = { by: -1, down: false, open: new Set() });
  const sorted = rows.slice();
  if (memory.by >= 0) {
    const value = columns[memory.by][2], turn = memory.down ? -1 : 1;
    sorted.sort((x, y) => {
      const [p, q] = [value(x), value(y)];
      return turn * (typeof p === "string" ? p.localeCompare(q, "en") : (p ?? Infinity) - (q ?? Infinity));
    });
  }
  const redo = () => table(holder, caption, columns, rows, { opens });
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
  const element = html("table", {}, html("caption", {}, html("span", {}, caption)), html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...body));
  const left = holder.scrollLeft;
  holder.replaceChildren(element);
  holder.scrollLeft = left;
}

const now = (c) => probabilities(c, state.k);
const VERDICT = ["verdict", false, (c) => verdict(c, state.k, state.threshold), (c) => badge(verdict(c, state.k, state.threshold), c)];
const LIVE = [
  ["better", true, (c) => now(c)[0], (c) => share(now(c)[0])],
  ["equiv.", true, (c) => now(c)[1], (c) => share(now(c)[1])],
  ["worse", true, (c) => now(c)[2], (c) => share(now(c)[2])],
];
// Advantages stand under each other: with as many decimals as the middle one needs for three digits.
function advantage(rows) {
  const sizes = rows.map((c) => Math.abs(c.adv)).filter((x) => x > 0).sort((x, y) => x - y);
  const digits = sizes.length ? 2 - Math.floor(Math.log10(sizes[sizes.length >> 1])) : 0;
  const fixed = (x) => (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(Math.min(Math.max(digits, 0), 12));
  return ["advantage", true, (c) => c.adv, (c) => (c.adv === null ? "–" : fixed(c.adv))];
}
const CLASSICAL = ["p", true, (c) => (c.tests.length ? c.tests[0][1] : null), (c) => (c.tests.length ? pValue(c.tests[0][1]) : "–")];

// --- the parts of the page -------------------------------------------------------------------------------

function showFocus() {
  const c = D.pairs[state.focus], width = room($("picture"), 760);
  const says = verdict(c, state.k, state.threshold);
  const rule = D.byThreshold ? `threshold ${plainThreshold()}` : "lowest expected loss";
  $("picture").replaceChildren(picture(c, width, D.moves && hasRope(c) ? setRope : null));
  $("caption").textContent = meaning(c) + source(c);
  $("bars").replaceChildren(bars(c), html("p", { class: "verdict" }, "verdict: ", badge(says, c), ` (${rule})`));
  $("priors").replaceChildren(...priors(c));
  $("pair-sentence").textContent = D.pairs.length > 1 ? sentence(c, state.k, state.threshold) : "";
}

function showWhy() {
  const c = D.pairs[state.focus], ids = examples(c), parts = [facts(c)];
  $("why-title").textContent = D.pairs.length > 1 ? `Why: ${pairName(c)}` : "Why, and what was checked";
  if (c.clouds && !isPartlyKnown(c)) {
    const still = Object.keys(c.clouds).length === 1 && hasRope(c);
    const words = `Where the chances of better, equivalent and worse may lie${still ? `; drawn for a ROPE of ${ropeText(c, D.start)}` : ""}.`;
    parts.unshift(html("figure", {}, simplex(c, state.k, room($("why"), 340)), html("figcaption", {}, words)));
  }
  if (ids) parts.push(ids);
  $("why").replaceChildren(...parts);
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
    ["model", false, (r) => D.models[r.i].name, (r) => html("span", {}, D.models[r.i].name, best(r) ? html("span", { class: "top", title: "practically best" }, " ●", html("span", { class: "hidden" }, "practically best")) : null)],
    [`mean ${D.metric}`, true, (r) => r.mean, (r) => plain(r.mean)],
    ["95 % interval", false, (r) => r.low, (r) => interval(r, low, high)],
  ];
  if (D.board.rows.some((r) => r.best !== null)) {
    columns.push(["P(best)", true, (r) => r.best, (r) => (r.best === null ? "–" : share(r.best))]);
    columns.push(["P(within ROPE of best)", true, (r) => within(r), (r) => (within(r) === null ? "–" : share(within(r)))]);
    columns.push(["rank, 95 %", true, (r) => (r.rank ? r.rank[0] : null), (r) => (r.rank ? (r.rank[0] === r.rank[1] ? String(r.rank[0]) : `${r.rank[0]} to ${r.rank[1]}`) : "–")]);
  }
  const chosen = D.board.rows.filter((r) => state.model === "" || r.i === Number(state.model));
  table($("models-table"), D.board.why ? `All models at once (${D.board.why})` : "The models", columns, chosen);
  $("models-note").textContent = D.board.why
    ? `Marked ●: together they hold a model within the ROPE of the best with probability ${plainThreshold()}.` + (live ? "" : " The leaderboard does not follow the sliders.")
    : "";
}

function showMatrix() {
  const k = D.models.length, signs = { better: ">", worse: "<", equivalent: "=", undecided: "?" };
  if (k < 3 || k > 15 || D.pairs.length !== (k * (k - 1)) / 2) return;
  const at = new Map();
  D.pairs.forEach((c, i) => { at.set(`${c.a}/${c.b}`, [i, false]); at.set(`${c.b}/${c.a}`, [i, true]); });
  const swap = { better: "worse", worse: "better" };
  const order = D.board ? D.board.rows.map((r) => r.i) : [...D.models.keys()];
  const rows = order.map((i, r) => html("tr", {}, html("th", { scope: "row" }, `${r + 1} ${D.models[i].brief}`), ...order.map((j) => {
    if (i === j) return html("td", { class: "same" });
    const [index, turned] = at.get(`${i}/${j}`), found = verdict(D.pairs[index], state.k, state.threshold);
    const name = turned ? swap[found] || found : found;
    const label = `${D.models[i].brief} against ${D.models[j].brief}: ${name}`;
    return html("td", { class: `cell ${name}` }, html("button", { type: "button", title: label, "aria-label": label, onclick: () => setFocus(index) }, signs[name]));
  })));
  const heads = order.map((_, r) => html("th", { scope: "col" }, String(r + 1)));
  const legend = "The row against the column: > better, < worse, = practically equivalent, ? undecided. A cell brings its pair to the top.";
  $("matrix").replaceChildren(html("p", { class: "note" }, legend), html("table", { class: "matrix" },
    html("caption", { class: "hidden" }, "Verdict on every pair"),
    html("thead", {}, html("tr", {}, html("td"), ...heads)), html("tbody", {}, ...rows)));
}

function showPairs() {
  if (D.pairs.length < 2) return;
  const few = (c) => (c.error && state.k !== D.start ? " ≈" : "");
  const columns = [["pair", false, pairName, (c) => pairName(c) + few(c)], VERDICT, advantage(D.pairs), ...LIVE, CLASSICAL];
  if (D.each.length) {
    const counts = new Map(D.pairs.map((c) => [c, tally(own(c))]));
    columns.push(["tasks b / e / w / ?", true, (c) => counts.get(c).better, (c) => Object.values(counts.get(c)).join(" / ")]);
  }
  const chosen = D.pairs.filter((c) => state.model === "" || [c.a, c.b].includes(Number(state.model)));
  table($("pairs-table"), "Better and worse are for the first model of a pair. A row opens into its picture.", columns, chosen, { opens: true });
  const fewer = D.pairs.filter(few);
  $("pairs-note").textContent = (D.left[0] ? `${D.left[0].toLocaleString("en")} more pairs are in the JSON document. ` : "")
    + (fewer.length ? `≈ With the slider moved sampled with fewer draws than in Python: ±${plain(Math.max(...fewer.map((c) => c.error)))} (one standard error at most).` : "");
}

function showTasks() {
  if (!D.each.length) return;
  const c = D.pairs[state.focus], wanted = state.task.toLowerCase();
  const rows = own(c).filter((r) => D.tasks[r.task].toLowerCase().includes(wanted));
  $("tasks-title").textContent = D.pairs.length > 1 ? `Tasks: ${pairName(c)}` : "Tasks";
  const drawn = rows.filter((r) => hasRope(r) && (r.curve || r.kernel || "point" in r) && isPhi(r) === isPhi(rows.find(hasRope)));
  $("forest").replaceChildren(...(drawn.length ? [forest(drawn, c, state.k, state.threshold, room($("forest"), 760))] : []));
  $("forest-caption").textContent = drawn.length ? `Each task by itself: posterior mean${isPhi(drawn[0]) ? " of phi" : ""} and 95 % interval; the grey band is its ROPE, the colour its verdict.` : rows.length ? "" : "No task has this in its name.";
  table($("tasks-table"), "Each task by itself. A row opens into its picture.", [["task", false, (r) => D.tasks[r.task]], VERDICT, advantage(own(c)), ...LIVE, CLASSICAL, ["n", true, (r) => r.n, (r) => r.n.toLocaleString("en")]], rows, { opens: true });
}

const plainThreshold = () => String(state.threshold === D.threshold ? D.threshold : Number(state.threshold.toFixed(3)));

function show() {
  const answer = headline(state.k, state.threshold);
  if ($("answer").textContent !== answer) $("answer").textContent = answer;
  const c = D.pairs[state.focus], t = (state.k / D.one).toFixed(2);
  const alike = new Set(D.pairs.filter(hasRope).map((p) => p.rope.join())).size <= 1;
  $("rope-text").textContent = !hasRope(c) ? ropeText(c, state.k) : alike ? ropeText(c, state.k) : `${t} × each pair's own; here ${ropeText(c, state.k)}`;
  $("rope").setAttribute("aria-valuetext", $("rope-text").textContent);
  $("threshold-text").textContent = plainThreshold();
  $("reset").disabled = state.k === D.start && state.threshold === D.threshold;
  document.body.classList.toggle("moved", !$("reset").disabled);
  showFocus(); showModels(); showMatrix(); showPairs(); showTasks(); showWhy();
}

// --- wiring ----------------------------------------------------------------------------------------------

let due = 0;
function later() {
  if (!due) due = requestAnimationFrame(() => { due = 0; show(); });
}

function setRope(k) {
  state.k = Math.min(Math.max(k, 0), D.last);
  $("rope").value = state.k;
  later();
}

function setFocus(i) {
  state.focus = i;
  $("focus").value = i;
  show();
  $("top").scrollIntoView({ block: "start" });
}

function option(select, value, label) {
  select.append(html("option", { value }, label));
}

function start() {
  $("rope").addEventListener("input", (e) => { state.k = Number(e.target.value); later(); });
  $("threshold").addEventListener("input", (e) => { state.threshold = Number(e.target.value); later(); });
  $("reset").addEventListener("click", () => {
    Object.assign(state, { k: D.start, threshold: D.threshold });
    $("rope").value = D.start; $("threshold").value = D.threshold;
    show();
  });
  if (D.pairs.length > 1) {
    D.pairs.forEach((c, i) => option($("focus"), i, pairName(c)));
    const order = D.board ? D.board.rows.map((r) => r.i) : [0, 1];
    state.focus = Math.max(D.pairs.findIndex((c) => order.slice(0, 2).includes(c.a) && order.slice(0, 2).includes(c.b)), 0);
    $("focus").value = state.focus;
    $("focus").addEventListener("change", (e) => { state.focus = Number(e.target.value); show(); });
    $("focus-row").hidden = $("pairs").hidden = false;
  }
  if (D.models.length > 2) {
    option($("model"), "", "all models");
    D.models.forEach((m, i) => option($("model"), i, m.name));
    $("model").addEventListener("change", (e) => { state.model = e.target.value; show(); });
  } else $("model-row").hidden = true;
  $("models").hidden = !D.board;
  $("tasks").hidden = !D.each.length;
  $("task").addEventListener("input", (e) => { state.task = e.target.value; later(); });
  if (!D.moves) { $("rope").disabled = true; }
  if (!D.byThreshold) $("threshold").disabled = $("rope").disabled = true;
  $("theme").addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--scheme").trim() === "dark";
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    $("theme").textContent = dark ? "dark" : "light";
  });
  $("theme").textContent = getComputedStyle(document.documentElement).getPropertyValue("--scheme").trim() === "dark" ? "light" : "dark";
  addEventListener("resize", later);
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
  document.body.classList.remove("still");
  show();
}

// For tests, and for whoever opens the console.
window.ropewalk = { data: D, state, probabilities, verdict, sentence, headline, standing, edges, show };
start();
