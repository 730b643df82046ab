// One comparison in full: its plot, the three probabilities, what is known about it, and the examples.

function html(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

// A page opened in a background tab has no width yet; it is drawn again when it is shown.
const room = (node, most) => Math.min(Math.max(node.clientWidth, 240), most);
const pairName = (c) => `${D.models[c.a].brief} − ${D.models[c.b].brief}`;
const counted = (n, unit) => `${n.toLocaleString("en")} ${unit}${n === 1 ? "" : "s"}`;

// Some differences are only known in part, so none are drawn and the ROPE cannot be moved.
const isPartlyKnown = (c) => c.dots !== undefined && !c.dots.length && c.clouds !== undefined;

function ropeText(c, k) {
  if (isPartlyKnown(c)) return "as computed: not all differences are known";
  if (!hasRope(c)) {
    const source = text(c.rope[3]);
    return source === "not needed" ? "not needed: the two models give the same answers" : source === "not used by this test" ? "not used by this test" : "fixed: the test is sampled, and there are too many units to repeat it";
  }
  const [low, high] = edges(c, k);
  if (!isShare(c)) return `${ropeEnds(low, high)} in ${D.metric}`;
  if (!isPhi(c)) return `${ropeEnds(low - 0.5, high - 0.5)} in the share of tasks won`;
  return `phi ${low.toFixed(3)} to ${high.toFixed(3)}: ${ropeEnds(-(high - 0.5) * c.rope[4], (0.5 - low) * c.rope[4])} in accuracy`;
}

function picture(c, width, moves) {
  return isPartlyKnown(c) ? simplex(c, state.k, Math.min(width, 380)) : posterior(c, state.k, width, moves);
}

// What the plot shows, and what the three probabilities are about.
function meaning(c) {
  if (isPartlyKnown(c)) return "Each point is one draw of the chances of better, equivalent and worse: the least favorable ones that the data allow. The verdict is decided by the bars.";
  if (c.next) return "The curve is the posterior of the advantage on a new task. The bars give the probability that each outcome is the likeliest one there; they decide the verdict.";
  if (c.dots) return `Each dot is one ${text(c.unit)}. The bars give the probability that each outcome is the likeliest one; they decide the verdict.`;
  if (isPhi(c)) return `Posterior of phi${c.asks === undefined ? "" : ` (${text(c.asks)})`}: of the examples that exactly one of the two gets right, the share that ${D.models[c.a].brief} gets wrong. Below 0.5, ${D.models[c.a].brief} is better.`;
  if (isShare(c)) return `Posterior of the share of tasks on which ${D.models[c.a].brief} is better.`;
  return c.asks === undefined ? "Posterior of the advantage: which values are plausible, given the data." : `Posterior of ${text(c.asks)}.`;
}

function source(c) {
  return c.error && state.k !== D.start ? ` Away from the ROPE as computed, this pair has fewer draws than in Python: standard error at most ±${plain(c.error)}.` : "";
}

function bars(c) {
  const p = probabilities(c, state.k), said = shareAll(p), [a, b] = [D.models[c.a].name, D.models[c.b].name];
  const by = hasRope(c) && edges(c, state.k)[1] > edges(c, state.k)[0] ? " by more than the ROPE" : "";
  const rows = [["better", `${a} better${by}`], ["equivalent", "practically equivalent"], ["worse", `${b} better${by}`]];
  const caption = c.next || c.dots ? html("caption", {}, `Probability that the likeliest outcome${c.next ? " on a new task" : ""} is`) : html("caption", { class: c.asks === undefined ? "hidden" : null }, c.asks === undefined ? `Probabilities for ${pairName(c)}` : `Probabilities of ${text(c.asks)}`);
  return tinted(c, html("table", { class: "bars" }, caption,
    html("tbody", {}, ...rows.map(([name, label], i) => {
      const bar = html("div", { class: `fill ${name}` });
      bar.style.width = `${100 * p[i]}%`;
      return html("tr", { role: "row" }, html("th", { scope: "row", role: "rowheader" }, label), html("td", { class: "track", "aria-hidden": "true" }, html("div", { class: "bar" }, bar)), html("td", { class: "number", role: "cell" }, said[i]));
    }))));
}

// The threshold is followed; another ROPE would be another question to each prior.
function priors(c) {
  const notes = c.notes.map((i) => html("p", { class: "note" }, text(i)));
  if (!c.priors.length) return notes;
  const says = (p, i) => (D.byThreshold ? badge(i ? decided(p, state.threshold) : verdict(c, D.start, state.threshold), c) : "–");
  const rows = c.priors.map(([name, , p], i) => html("tr", {}, html("th", { scope: "row" }, text(name)),
    ...shareAll(p).map((x) => html("td", { class: "number" }, x)), html("td", {}, says(p, i))));
  const heads = ["prior", named(c, "better"), "equivalent", named(c, "worse"), "verdict"].map((t, i) => html("th", { scope: "col", class: i > 0 && i < 4 ? "number" : null }, t));
  const caption = `Under ${c.priors.length} priors, the first as computed${hasRope(c) ? `, with a ROPE of ${ropeText(c, D.start)}` : ""}`;
  const words = c.priors.flatMap(([name, why]) => [html("dt", {}, text(name)), html("dd", {}, text(why))]);
  return [html("h3", {}, "Other priors"), html("div", { class: "scroll" }, html("table", {}, html("caption", {}, html("span", {}, caption)), html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...rows))),
    html("dl", { class: "facts" }, ...words), ...notes];
}

// A verdict with the name of the model that it calls better.
function named(c, name) {
  const winner = { better: c.a, worse: c.b }[name];
  return winner === undefined ? name : `${D.models[winner].brief} better`;
}

function badge(name, c) {
  return tinted(c, html("span", { class: `badge ${name}` }, named(c, name)));
}

function tally(rows) {
  const count = { better: 0, equivalent: 0, worse: 0, undecided: 0 };
  for (const r of rows) count[verdict(r, state.k, state.threshold)]++;
  return count;
}

function facts(c) {
  const [a, b] = [D.models[c.a].name, D.models[c.b].name], out = [["method", text(c.why)]];
  const means = c.means ? `${a} ${scored(c.means[0])}, ${b} ${scored(c.means[1])}: ` : "";
  const ahead = (x) => (x === 0 ? "" : ` in favor of ${x < 0 ? b : a}`);
  out.push([D.metric, `${means}observed advantage ${plain(Math.abs(c.adv))}${ahead(c.adv)} on ${counted(c.n, text(c.unit))}`]);
  const centre = c.next ? ", the center of the tasks, on which outlying tasks have little influence" : "";
  const [mean, low, high] = c.est.slice(1), sided = c.of === undefined && !isPhi(c) && !isShare(c), turned = sided && mean < 0;
  const [middle, ends] = turned ? withInterval(-mean, -high, -low) : withInterval(mean, low, high);
  out.push([text(c.est[0]), `${middle}${sided ? ahead(mean) : ""}, 95% interval ${ends}${centre}`]);
  out.push(["ROPE", ropeText(c, state.k)]);
  if (c.counts) out.push(["disagreements", `${a} right, ${b} wrong: ${c.counts[2].toLocaleString("en")}; ${b} right, ${a} wrong: ${c.counts[1].toLocaleString("en")}`]);
  for (const [name, words] of c.readings || []) out.push([`question: ${text(name)}`, text(words)]);
  if (c.effect) out.push(["effect size", text(c.effect[0])]);
  if (c.tests.length) out.push(["classical tests", c.tests.map(([name, p]) => `${text(name)} p = ${pValue(p)}`).join("; ")]);
  for (const [name, ok, words] of c.checks) out.push([ok ? "check" : "warning", `${text(name)}: ${words}`]);
  return html("dl", { class: "facts" }, ...out.flatMap(([label, words]) => [html("dt", { class: label === "warning" ? "alarm" : null }, label), html("dd", {}, words)]));
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
