// Plots: the posterior with the ROPE, dots, the forest of tasks, the triangle of regions.

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes, parent, content) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (content !== undefined) node.textContent = content;
  if (parent) parent.append(node);
  return node;
}

let pictures = 0;
function canvas(width, height, title) {
  const id = `picture-${++pictures}`;
  const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": id });
  svg("title", { id }, node, title);
  return node;
}

// Numbers are written as Python writes them (results/formatting.py): probabilities with two decimals, and more
// where they would seem to be on the other side of the threshold.
function share(p, certain = false) {
  const least = D.byThreshold ? state.threshold : null;
  const written = (digits) => {
    const one = 10 ** -digits;
    if (!certain && p >= 1 - one / 2) return `>${(1 - one).toFixed(digits)}`;
    return !certain && p < one / 2 ? `<${one.toFixed(digits)}` : fixed(p, digits);
  };
  for (const digits of [2, 3, 4]) {
    const said = written(digits), x = Number(said.replace(/[<>]/, ""));
    const reaches = said[0] === ">" ? (x >= least ? true : least === 1 ? false : null) : said[0] === "<" ? x > least : x >= least;
    if (least === null || reaches === (p >= least)) return said;
  }
  return `${p < least ? "<" : ">="}${least}`;
}
const shareAll = (p) => p.map((x) => share(x, [...p].sort().join() === "0,0,1"));
const minus = (said) => said.replace(/^-/, "−");
function scored(x) {
  return x === null || x === undefined ? "–" : minus(fixed(x, Math.abs(x) < 10 ? 3 : 2));
}
function plain(x) {
  if (x === null || x === undefined) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return minus(x.toExponential(2));
  return minus(String(Number(x.toPrecision(3))));
}
const signed = (x) => (x > 0 ? "+" : x < 0 ? "−" : "") + plain(Math.abs(x));
const pValue = (p) => (p === null ? "–" : p >= 0.001 ? fixed(p, 3) : p.toExponential(1).replace(/-(\d)$/, "-0$1"));
// The decimals of results/formatting.py: with_interval.
function withInterval(mean, low, high) {
  const wide = high - low;
  if (!(wide > 1e-5 && wide < 1e7)) return [plain(mean), `${plain(low)} to ${plain(high)}`];
  const enough = Math.max(Math.ceil(-Math.log10(wide)) + 1, 0);
  const places = Math.max(Math.abs(low), Math.abs(high)) < 1 ? Math.max(enough, 3) : enough;
  const fixed = (x) => minus(x.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places }).replace(/^-(?=[0.]*$)/, ""));
  return [fixed(mean), `${fixed(low)} to ${fixed(high)}`];
}

function ticks(low, high, most) {
  const rough = (high - low) / Math.max(most, 2), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) out.push(Number((i * step).toPrecision(12)));
  return out;
}

// In the colors of the two models.
function tinted(c, node) {
  ["better", "worse"].forEach((name, i) => {
    node.style.setProperty(`--${name}`, `var(--m${c.tint[i]})`);
    node.style.setProperty(`--${name}-ink`, `var(--m${c.tint[i]}-ink)`);
  });
  return node;
}

// From values to places, A better on the right; phi runs the other way.
function ruler(c, low, high, left, right) {
  const turn = isPhi(c);
  return (x) => {
    const t = (Math.min(Math.max(x, low), high) - low) / (high - low || 1);
    return turn ? right - t * (right - left) : left + t * (right - left);
  };
}

// Where the two directions do not fit next to each other, they stand below each other.
const directions = (c) => [`← ${D.models[c.b].brief} better`, `${D.models[c.a].brief} better →`];
const below = (c, width) => (directions(c).join("").length * 8.2 + 16 > width ? 18 : 0);

function axis(node, c, low, high, place, y, width) {
  const last = node.viewBox.baseVal.width, ends = [place(low), place(high)].sort((p, q) => p - q);
  svg("line", { x1: place(low), x2: place(high), y1: y, y2: y, class: "axis" }, node);
  const written = (x) => (isShare(c) || x === 0 ? plain(x) : signed(x)), wide = (marks) => marks.reduce((sum, x) => sum + 10 + 7.2 * written(x).length, 0);
  let most = Math.max(Math.floor(width / 90), 5);
  while (most > 2 && wide(ticks(low, high, most)) > ends[1] - ends[0]) most--;
  for (const x of ticks(low, high, most)) {
    svg("line", { x1: place(x), x2: place(x), y1: y, y2: y + 5, class: "axis" }, node);
    const said = written(x), half = said.length * 3.6;
    svg("text", { x: Math.min(Math.max(place(x), half), last - half), y: y + 18, class: "tick", "text-anchor": "middle" }, node, said);
  }
  const [left, right] = directions(c), down = below(c, width);
  const start = Math.max(Math.min(ends[0], last - left.length * 8.2), 0);
  svg("text", { x: start, y: y + 36, class: "end worse-ink" }, node, left);
  svg("text", { x: ends[1], y: y + 36 + down, class: "end better-ink", "text-anchor": "end" }, node, right);
}

function span(c) {
  const [ropeLow, ropeHigh] = edges(c, D.one);
  let low, high;
  if (c.kernel) [low, high] = c.kernel;
  else if (isSmooth(c)) { const x = c.x || floats(c.curve), i = Math.round((x.length - 1) / 7); [low, high] = [x[i], x[x.length - 1 - i]]; }
  else [low, high] = [c.dots[0], c.dots[c.dots.length - 1]];
  const zero = isShare(c) ? 0.5 : 0, reach = 1.5;
  const values = [low, high, zero, zero + reach * (ropeLow - zero), zero + reach * (ropeHigh - zero)];
  [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) [low, high] = [low - 1, high + 1];
  const more = 0.03 * (high - low);
  return isShare(c) ? [Math.max(low - more, 0), Math.min(high + more, 1)] : [low - more, high + more];
}

// The posterior in three shades, or the differences as dots; the edges of the ROPE can be drawn aside.
function posterior(c, k, width, drag) {
  const bottom = width < 520 ? 192 : 252, height = bottom + 48 + below(c, width), top = 44;
  const title = `Posterior of the advantage of ${D.models[c.a].brief} over ${D.models[c.b].brief}, with the ROPE shaded`;
  const node = tinted(c, canvas(width, height, title));
  const [low, high] = span(c), place = ruler(c, low, high, 8, width - 8);
  const [ropeLow, ropeHigh] = hasRope(c) ? edges(c, k) : [0, 0];
  const [first, last] = [place(ropeLow), place(ropeHigh)].sort((x, y) => x - y);
  const wide = hasRope(c) && ropeHigh > ropeLow;
  if (wide) svg("rect", { x: first, width: Math.max(last - first, 1), y: top - 14, height: bottom - top + 14, class: "band" }, node);
  const sides = isPhi(c) ? ["better", "equivalent", "worse"] : ["worse", "equivalent", "better"];
  if (isSmooth(c) || c.kernel) {
    const count = 400, xs = Array.from({ length: count + 1 }, (_, i) => low + (i / count) * (high - low));
    let most = 0;
    for (const x of xs) most = Math.max(most, density(c, x));
    const y = (x) => bottom - (density(c, x) / most) * (bottom - top);
    const cuts = [low, Math.min(Math.max(ropeLow, low), high), Math.min(Math.max(ropeHigh, low), high), high];
    sides.forEach((name, i) => {
      const [from, to] = [cuts[i], cuts[i + 1]];
      if (to <= from) return;
      const inside = [from, ...xs.filter((x) => x > from && x < to), to];
      const line = inside.map((x) => `${place(x).toFixed(1)},${y(x).toFixed(1)}`).join(" ");
      svg("polygon", { points: `${place(from)},${bottom} ${line} ${place(to)},${bottom}`, class: `area ${name}` }, node);
    });
    svg("polyline", { points: xs.map((x) => `${place(x).toFixed(1)},${y(x).toFixed(1)}`).join(" "), class: "outline" }, node);
  } else {
    stack(node, c, place, ropeLow, ropeHigh, bottom, bottom - top);
  }
  if (wide || drag) {
    [ropeLow, ropeHigh].forEach((edge) => {
      const x = place(edge);
      svg("line", { x1: x, x2: x, y1: top - 14, y2: bottom, class: "edge" }, node);
      if (drag) handle(node, c, k, place, x, top - 14, bottom, low, high, width, drag);
    });
  }
  axis(node, c, low, high, place, bottom, width);
  if (wide) {
    const middle = Math.min(Math.max((first + last) / 2, 60), width - 60);
    svg("text", { x: middle, y: 16, class: "named", "text-anchor": "middle" }, node, isShare(c) ? `ROPE ${plain(ropeLow)} to ${plain(ropeHigh)}` : ropeEnds(ropeLow, ropeHigh, "ROPE "));
  }
  return node;
}

function ropeEnds(low, high, before = "") {
  return before + (Math.abs(low + high) <= 1e-9 * high ? `±${plain(high)}` : `${signed(low)} to ${signed(high)}`);
}

// Differences as dots in piles.
function stack(node, c, place, ropeLow, ropeHigh, bottom, room) {
  const values = c.dots, size = values.length > 150 ? 2.5 : 4, piles = new Map();
  const column = (x) => Math.round(place(x) / (2 * size));
  for (const x of values) piles.set(column(x), (piles.get(column(x)) || 0) + 1);
  const step = Math.min(2 * size, room / Math.max(...piles.values()));
  const filled = new Map();
  for (const x of values) {
    const at = column(x), i = filled.get(at) || 0;
    filled.set(at, i + 1);
    const name = x > ropeHigh ? "better" : x < ropeLow ? "worse" : "equivalent";
    svg("circle", { cx: at * 2 * size, cy: bottom - size - 1 - i * step, r: size, class: `dot ${name}` }, node);
  }
}

function handle(node, c, k, place, x, top, bottom, low, high, width, drag) {
  svg("circle", { cx: x, cy: top, r: 5, class: "grip" }, node);
  const grip = svg("rect", { x: x - 14, width: 28, y: top - 12, height: bottom - top + 12, class: "grab" }, node);
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const box = node.getBoundingClientRect();
    const zero = isShare(c) ? 0.5 : 0, [one, other] = edges(c, D.one);
    const from = place(zero), unit = x >= from ? Math.max(place(one), place(other)) - from : from - Math.min(place(one), place(other));
    if (!unit) return;
    const move = (e) => {
      const at = ((e.clientX - box.left) / box.width) * width;
      drag(Math.round(((x >= from ? at - from : from - at) / unit) * D.one));
    };
    const stop = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", stop); removeEventListener("pointercancel", stop); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop);
    addEventListener("pointercancel", stop);
  });
}

// Each task with its interval, colored by its verdict, on its own ROPE; the last row is all of them.
function forest(rows, c, k, threshold, width) {
  rows = rows.slice().sort((p, q) => (isPhi(p) ? -1 : 1) * (q.est[1] - p.est[1])); // A ahead at the top
  const row = 20, label = Math.min(170, width * 0.34), top = 8, height = top + rows.length * row + 56 + below(c, width - label);
  const node = tinted(c, canvas(width, height, `Advantage of ${D.models[c.a].brief} over ${D.models[c.b].brief} on each task`));
  const ends = rows.flatMap((r) => [r.est[2], r.est[3], ...edges(r, k)]).filter((x) => x !== null).sort((x, y) => x - y);
  const inner = (share) => ends[Math.min(Math.max(Math.round(share * (ends.length - 1)), 0), ends.length - 1)];
  const margin = 0.02 * (inner(1) - inner(0));
  let low = inner(0) - margin, high = inner(1) + margin;
  const reach = 4 * (inner(0.9) - inner(0.1)); // one wild task must not flatten the others
  if (reach > 0) { low = Math.max(low, inner(0.1) - reach); high = Math.min(high, inner(0.9) + reach); }
  if (low === high) { low -= 1; high += 1; }
  const place = ruler(rows[0], low, high, label + 8, width - 10);
  const zero = place(isPhi(rows[0]) ? 0.5 : 0), bottom = top + rows.length * row + 4;
  rows.forEach((r, i) => {
    const y = top + i * row + row / 2, [from, to] = edges(r, k).map(place).sort((p, q) => p - q);
    svg("rect", { x: from, width: Math.max(to - from, 0), y: y - row / 2, height: row, class: "band" }, node);
  });
  svg("line", { x1: zero, x2: zero, y1: top, y2: bottom, class: "zero" }, node);
  rows.forEach((r, i) => {
    const y = top + i * row + row / 2, name = verdict(r, k, threshold), most = Math.floor(label / 7);
    const full = D.tasks[r.task];
    const own = svg("text", { x: label, y: y + 4, class: "tick", "text-anchor": "end" }, node, full.length > most ? `${full.slice(0, most - 1)}…` : full);
    svg("title", {}, own, `${full}: ${named(r, name)}`);
    if (r.est[2] === null) return;
    svg("line", { x1: place(r.est[2]), x2: place(r.est[3]), y1: y, y2: y, class: `interval ${name}-line` }, node);
    svg("circle", { cx: place(r.est[1]), cy: y, r: 4, class: `dot ${name}` }, node);
  });
  axis(node, rows[0], low, high, place, bottom, width - label);
  return node;
}

// The posterior over (better, equivalent, worse) as points in a triangle. Between two positions that were
// computed each point moves in a straight line.
function cloud(c, k) {
  const at = Object.keys(c.clouds).map(Number), points = (i) => part(c, `cloud ${i}`, () => shares(c.clouds[i]));
  const low = Math.max(...at.filter((i) => i <= k)), high = Math.min(...at.filter((i) => i >= k));
  if (!hasRope(c) || at.length === 1) return points(at[0]);
  const t = high > low ? (k - low) / (high - low) : 0, next = points(high);
  return points(low).map((x, i) => x + t * (next[i] - x));
}

function simplex(c, k, width) {
  const side = width - 80, height = side * Math.sqrt(3) / 2 + 64, left = 40, base = height - 30;
  const node = tinted(c, canvas(side + 80, height, "Posterior over better, equivalent and worse as points in a triangle"));
  const at = (better, worse) => [left + side * (better + (1 - better - worse) / 2), base - side * (Math.sqrt(3) / 2) * (1 - better - worse)];
  const corners = [at(0, 1), at(0, 0), at(1, 0)], centre = at(1 / 3, 1 / 3);
  [["worse", 0], ["equivalent", 1], ["better", 2]].forEach(([name, i]) => {
    const half = (j) => corners[i].map((x, d) => (x + corners[j][d]) / 2);
    const [p, q] = [half((i + 1) % 3), half((i + 2) % 3)];
    svg("polygon", { points: [corners[i], p, centre, q].join(" "), class: `area ${name}` }, node);
  });
  const points = cloud(c, k);
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = at(points[i], points[i + 1]);
    svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 2, class: "speck" }, node);
  }
  svg("polygon", { points: corners.join(" "), class: "outline" }, node);
  svg("text", { x: corners[1][0], y: corners[1][1] - 8, class: "tick", "text-anchor": "middle" }, node, "equivalent");
  svg("text", { x: 2, y: base + 18, class: "tick" }, node, `${D.models[c.b].brief} better`.slice(0, 24));
  svg("text", { x: side + 78, y: base + 18, class: "tick", "text-anchor": "end" }, node, `${D.models[c.a].brief} better`.slice(0, 24));
  return node;
}

// The interval of a model, in its color; the axis of them all is the last row of the table.
const STRIP = 170;
function strip(row, low, high) {
  const node = canvas(STRIP, 18, `${scored(row.low)} to ${scored(row.high)}`);
  const place = (x) => 8 + ((x - low) / (high - low || 1)) * (STRIP - 16), colour = `var(--m${row.i % D.colours}-ink)`;
  if (row.low !== null) svg("line", { x1: place(row.low), x2: place(row.high), y1: 9, y2: 9, class: "interval" }, node).style.stroke = colour;
  if (row.mean !== null) svg("circle", { cx: place(row.mean), cy: 9, r: 4 }, node).style.fill = colour;
  return node;
}

function stripAxis(low, high) {
  const node = canvas(STRIP, 26, `Axis from ${plain(low)} to ${plain(high)}`);
  const place = (x) => 8 + ((x - low) / (high - low || 1)) * (STRIP - 16);
  svg("line", { x1: 8, x2: STRIP - 8, y1: 2, y2: 2, class: "axis" }, node);
  for (const x of ticks(low, high, 4)) {
    svg("line", { x1: place(x), x2: place(x), y1: 2, y2: 7, class: "axis" }, node);
    svg("text", { x: Math.min(Math.max(place(x), 14), STRIP - 14), y: 20, class: "tick", "text-anchor": "middle" }, node, plain(x));
  }
  return node;
}
