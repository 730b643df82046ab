// Posteriors as tables -> the three probabilities for any position of the ROPE, verdict and sentence.

const D = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = ["better", "equivalent", "worse", "undecided"];
const text = (i) => D.strings[i];
function bytes(base64) {
  const raw = atob(base64);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return new DataView(out.buffer);
}

function shares(base64) {
  const view = bytes(base64);
  return Float64Array.from({ length: view.byteLength / 2 }, (_, i) => view.getUint16(2 * i, true) / 65535);
}

function floats({ m, u, x }) {
  const view = bytes(x);
  return Float64Array.from({ length: view.byteLength / 4 }, (_, i) => m + u * view.getFloat32(4 * i, true));
}

// What was sent as columns: those in which all rows are alike have one value (`same`). Where there are too many
// tasks to send them in full, their numbers are packed: the ends of the curve, the advantage, the p-value and the
// ROPE with 32 bits, and with 16 bits the curve and the estimate between those ends, and better and worse.
function expand({ same, rows, count, packed }) {
  const out = Array.from({ length: count }, (_, i) => {
    const row = { ...same };
    for (const [key, values] of Object.entries(rows)) if (values[i] !== null) row[key] = values[i];
    return row;
  });
  if (packed) {
    const f = bytes(packed.f), u = shares(packed.u), per = packed.points + 5;
    out.forEach((row, i) => {
      const [first, last, adv, p, low, high] = [0, 1, 2, 3, 4, 5].map((j) => f.getFloat32(24 * i + 4 * j, true));
      row.rope = [low, high, ...row.rope];
      const own = Array.from(u.slice(per * i, per * (i + 1))), at = own.slice(0, -2).map((x) => first + x * (last - first));
      row.x = at.slice(3);
      row.est = [packed.name, ...at.slice(0, 3)];
      row.p = [own[per - 2], Math.max(1 - own[per - 2] - own[per - 1], 0), own[per - 1]];
      row.adv = adv;
      row.tests = Number.isNaN(p) ? [] : [[packed.test, p]];
      row.checks = [];
    });
  }
  return out;
}
const total = D.each.reduce((sum, found) => sum + found.count, 0);
const own = (c) => part(c, "tasks", () => (D.each.length ? expand(D.each[D.pairs.indexOf(c)]) : []));

// Decoded once, when first asked for.
const kept = new WeakMap();
function part(c, name, make) {
  if (!kept.has(c)) kept.set(c, {});
  const own = kept.get(c);
  if (!(name in own)) own[name] = make();
  return own[name];
}

// --- a smooth posterior: standard normal quantiles z against x, between the points a monotone cubic ------

// Abramowitz & Stegun 7.1.26, good to 1e-7.
function normalBelow(z) {
  const t = 1 / (1 + 0.3275911 * Math.abs(z) * Math.SQRT1_2);
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = 0.5 * tail * Math.exp(-0.5 * z * z);
  return z > 0 ? 1 - above : above;
}

function spline(c) {
  return part(c, "spline", () => {
    const all = c.x || floats(c.curve), x = [], z = [], apart = 7 / (all.length - 1);
    all.forEach((value, i) => {
      if (i === 0 || value > x[x.length - 1]) { x.push(value); z.push(-3.5 + apart * i); }
    });
    const n = x.length, step = [], rise = [], slope = [];
    for (let i = 0; i + 1 < n; i++) { step.push(x[i + 1] - x[i]); rise.push((z[i + 1] - z[i]) / step[i]); }
    for (let i = 0; i < n; i++) {
      if (i === 0 || i === n - 1) { slope.push(rise[i === 0 ? 0 : n - 2]); continue; }
      // The z are equally far apart, so dx/dz comes from five points; at most three times the rise on either
      // side keeps it monotone (Fritsch & Carlson 1980). Next to the ends the mean of Fritsch & Butland 1984.
      if (n === all.length && i > 1 && i < n - 2) {
        const rate = (8 * (x[i + 1] - x[i - 1]) - (x[i + 2] - x[i - 2])) / (12 * apart);
        if (rate > 0) { slope.push(Math.min(1 / rate, 3 * rise[i - 1], 3 * rise[i])); continue; }
      }
      const before = 2 * step[i] + step[i - 1], after = step[i] + 2 * step[i - 1];
      slope.push((before + after) / (before / rise[i - 1] + after / rise[i]));
    }
    return { x, z, step, slope };
  });
}

// [z, dz/dx] at x; beyond the last points a straight line.
function score(c, at) {
  const { x, z, step, slope } = spline(c), last = x.length - 1;
  if (at <= x[0]) return [z[0] + (at - x[0]) * slope[0], slope[0]];
  if (at >= x[last]) return [z[last] + (at - x[last]) * slope[last], slope[last]];
  let low = 0, high = last;
  while (high - low > 1) { const middle = (low + high) >> 1; if (x[middle] <= at) low = middle; else high = middle; }
  const h = step[low], t = (at - x[low]) / h, s = 1 - t;
  const value = z[low] * (1 + 2 * t) * s * s + h * slope[low] * t * s * s
    + z[high] * t * t * (3 - 2 * t) - h * slope[high] * t * t * s;
  const rate = 6 * t * s * (z[high] - z[low]) / h + slope[low] * s * (1 - 3 * t) + slope[high] * t * (3 * t - 2);
  return [value, rate];
}

function density(c, at) {
  if (c.kernel) {
    const [low, high, packed] = c.kernel, f = part(c, "kernel", () => shares(packed));
    const place = (at - low) / (high - low) * (f.length - 1), i = Math.floor(place);
    return i < 0 || i >= f.length - 1 ? 0 : f[i] + (place - i) * (f[i + 1] - f[i]);
  }
  const [z, rate] = score(c, at);
  return Math.max(rate, 0) * Math.exp(-0.5 * z * z);
}

// --- the ROPE, the three probabilities, the verdict ------------------------------------------------------

function edges(c, k) {
  const t = k / D.one, [low, high] = c.rope;
  if (isShare(c)) return [Math.max(0.5 - (0.5 - low) * t, 0), Math.min(0.5 + (high - 0.5) * t, 1)];
  return [low * t, high * t];
}

const isSmooth = (c) => Boolean(c.curve || c.x);
const isPhi = (c) => text(c.rope[2]) === "phi";
const isShare = (c) => isPhi(c) || text(c.rope[2]) === "share"; // around one half
const hasRope = (c) => text(c.rope[2]) !== "none";

// How much of the curve lies on each side of the ROPE.
function areas(c, k) {
  const [low, high] = edges(c, k);
  const above = 1 - normalBelow(score(c, high)[0]), below = normalBelow(score(c, low)[0]);
  const [better, worse] = isPhi(c) ? [below, above] : [above, below];
  return [better, Math.max(1 - better - worse, 0), worse];
}

function probabilities(c, k) {
  if (k === D.start || !hasRope(c)) return c.p;
  if (c.table) {
    const t = part(c, "table", () => shares(c.table));
    const better = t[k], worse = t[D.last + 1 + k];
    return [better, Math.max(1 - better - worse, 0), worse];
  }
  return isSmooth(c) ? areas(c, k) : c.p;
}

function verdict(c, k, threshold) {
  if ((k === D.start && threshold === D.threshold) || !D.byThreshold) return text(c.v);
  return decided(probabilities(c, k), threshold);
}

function decided(p, threshold) {
  const i = p.findIndex((x) => x >= threshold);
  return i < 0 ? "undecided" : VERDICTS[i];
}

// As Python writes it: a number halfway between two goes to the even one, where toFixed goes up.
function fixed(x, digits) {
  const steps = x * 10 ** digits, low = Math.floor(steps);
  const halfway = steps - low === 0.5 && Number.isInteger(x * 2 ** (digits + 1));
  return (halfway ? (low + (low % 2 ? 1 : 0)) / 10 ** digits : x).toFixed(digits);
}

// A sentence with its blanks filled in; what is filled in is not looked at again.
function say(template, fill) {
  return template.replace(/\{(\w+)\}/g, (_, name) => fill[name]);
}

// A probability with two decimals, and more where it would seem to be on the other side of the threshold.
function twoDecimals(p, least) {
  for (const digits of [2, 3, 4]) {
    const one = 10 ** -digits, high = p >= 1 - one / 2, low = p < one / 2;
    const shown = high ? 1 - one : low ? one : Number(fixed(p, digits));
    const reaches = high ? (shown >= least ? true : least === 1 ? false : null) : low ? shown > least : shown >= least;
    if (least === null || reaches === p >= least) return (high ? ">" : low ? "<" : "") + shown.toFixed(digits);
  }
  return `${p < least ? "<" : ">="}${least}`;
}

function sentence(c, k, threshold) {
  if (c.says && (hasRope(c) || threshold === D.threshold)) return c.says;
  const S = D.sentences, called = (i) => (D.reference === i ? say(S.called, { name: D.models[i].name }) : D.models[i].name);
  const a = called(c.a), b = called(c.b);
  const [better, equivalent, worse] = probabilities(c, k), name = verdict(c, k, threshold);
  const decided = name === "better" || name === "worse";
  const leads = decided ? name === "better" : better >= worse;
  let key = decided ? "better" : name;
  if (name === "undecided" && Math.max(better, worse) >= S.probably) key = "probably better";
  else if (name === "undecided" && equivalent >= S.probably) key = "probably equivalent";
  const p = twoDecimals(key === "probably equivalent" ? equivalent : Math.max(better, worse), D.byThreshold ? threshold : null);
  const at = D.byThreshold ? say(S.pair.at, { least: threshold }) : "";
  return say(S.pair[key], { a, b, ahead: leads ? a : b, behind: leads ? b : a, p, at });
}

// --- all models ------------------------------------------------------------------------------------------

// P(within the ROPE of the best) of each model of the board, and which hold a practically best one.
function standing(k, threshold) {
  const live = D.board && D.board.live;
  if (!live) return null;
  const n = live.models.length;
  const within = part(live, "within", () => shares(live.within)).slice(k * n, k * n + n);
  const held = part(live, "held", () => shares(live.held)).slice(k * n, k * n + n);
  const order = [...within.keys()].sort((i, j) => within[j] - within[i] || i - j);
  const enough = Math.max(held.findIndex((x) => x >= threshold - 1e-5), 0);
  const least = Math.min(within[order[enough]], threshold) - 1e-5;
  const members = live.order.filter((i) => within[i] >= least);
  return { within, members, held: held[members.length - 1] };
}

function listing(names, word) {
  const shown = names.slice(0, 4);
  if (names.length > 4) return `${shown.join(", ")} ${word} ${(names.length - 4).toLocaleString("en")} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} ${word} ${shown[shown.length - 1]}` : shown[0];
}

function bestOfAll(k, threshold) {
  const { within, members, held } = standing(k, threshold), live = D.board.live;
  const n = live.models.length, count = n.toLocaleString("en"), S = D.sentences.models;
  const names = members.map((i) => D.models[live.models[i]]);
  const sure = members.every((i) => within[i] >= threshold - 1e-5);
  let key = sure ? "each best" : "one of";
  if (members.length === 1) key = "best";
  else if (members.length === n) key = sure ? "all equivalent" : "unknown";
  const roped = k > 0 && D.board.roped, p = key === "one of" ? held : Math.min(...members.map((i) => within[i]));
  return say(S[key], {
    first: names[0].name, members: listing(names.map((m) => m.brief), key === "each best" ? "and" : "or"),
    count, or_close: roped ? S["or close"] : "", close_to: roped ? S["close to"] : "", p: twoDecimals(p, threshold),
  });
}

function headline(k, threshold) {
  if (k === D.start && threshold === D.threshold) return D.headline;
  if (D.pairs.length === 1) return sentence(D.pairs[0], k, threshold);
  if (D.board && D.board.live && D.reference === null) return bestOfAll(k, threshold);
  const won = new Array(D.models.length).fill(0), lost = won.slice(), all = D.pairs.length;
  let decided = 0, equivalent = 0;
  for (const c of D.pairs) {
    const name = verdict(c, k, threshold);
    if (name !== "undecided") decided++;
    if (name === "equivalent") equivalent++;
    if (name === "better") { won[c.a]++; lost[c.b]++; }
    if (name === "worse") { won[c.b]++; lost[c.a]++; }
  }
  const S = D.sentences.pairs, settled = say(S.settled, { decided, count: all });
  if (D.reference !== null && D.models.length > 2) {
    const b = D.reference, found = { better: [], worse: [], equivalent: [], undecided: [] };
    for (const c of D.pairs) found[verdict(c, k, threshold)].push(D.models[c.a].brief);
    const parts = found.better.length ? [] : [say(D.sentences.against.none, { count: all.toLocaleString("en"), b: D.models[b].name })];
    for (const [name, models] of Object.entries(found)) {
      if (models.length) parts.push(say(D.sentences.against[name], { names: listing(models, "and"), are: models.length === 1 ? "is" : "are", b: D.models[b].name }));
    }
    return `${parts.join("; ")}.`;
  }
  const best = won.indexOf(D.models.length - 1);
  if (best >= 0) return say(S.best, { first: D.models[best].name });
  if (equivalent === all) return S["all equivalent"];
  if (!won.some(Boolean)) return say(S["none better"], { settled });
  const unbeaten = D.models.filter((_, i) => !lost[i]).map((m) => m.brief);
  if (unbeaten.length && unbeaten.length < D.models.length) return say(S.unbeaten, { members: listing(unbeaten, "or"), settled });
  return say(S.mixed, { settled });
}
