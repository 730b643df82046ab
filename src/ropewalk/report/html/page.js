// The page: what is shown, and how it follows the two sliders.

const $ = (id) => document.getElementById(id);
const state = { k: D.start, threshold: D.threshold, focus: 0, model: "", task: "" };
const moved = () => state.k !== D.start || state.threshold !== D.threshold;
const recounts = total <= 5000 && !D.left[1]; // whether the tasks of all pairs are counted anew when a slider moves

function showFocus() {
  const c = D.pairs[state.focus], width = room($("picture"), 860);
  const says = verdict(c, state.k, state.threshold);
  const rule = D.byThreshold ? `threshold ${plainThreshold()}` : "lowest expected loss";
  $("picture").replaceChildren(picture(c, width, D.moves && hasRope(c) ? setRope : null));
  $("caption").textContent = meaning(c) + source(c);
  $("bars").replaceChildren(bars(c), html("p", { class: "verdict" }, "Verdict: ", badge(says, c), ` (${rule})`));
  $("pair-sentence").textContent = D.pairs.length > 1 ? sentence(c, state.k, state.threshold) : "";
}

function showWhy() {
  const c = D.pairs[state.focus], ids = examples(c), parts = [facts(c)];
  $("simplex").replaceChildren();
  $("priors").replaceChildren(...priors(c));
  $("why-title").textContent = D.pairs.length > 1 ? `Why: ${pairName(c)}` : "Why, and what was checked";
  if (c.clouds && !isPartlyKnown(c)) {
    const still = Object.keys(c.clouds).length === 1 && hasRope(c);
    const words = `Each point is one draw of the chances of better, equivalent and worse${c.asks !== undefined && !c.dots ? " on a new task" : ""}${still ? `, for a ROPE of ${ropeText(c, D.start)}` : ""}. In a corner one of them is certain.`;
    $("simplex").replaceChildren(html("figure", {}, simplex(c, state.k, room($("why"), 400)), html("figcaption", {}, words)));
  }
  if (ids) parts.push(ids);
  $("why").replaceChildren(...parts);
}

function showPairs() {
  if (D.pairs.length < 2) return;
  const few = (c) => (c.error && state.k !== D.start ? " ≈" : "");
  const columns = [["pair", false, pairName, (c) => pairName(c) + few(c)], VERDICT, advantage(D.pairs), ...LIVE, CLASSICAL];
  if (D.each.length) { // tasks that are not looked at are not decoded
    const counts = new Map(D.pairs.map((c) => [c, moved() && recounts ? tally(own(c)) : VERDICTS.reduce((all, name, i) => ({ ...all, [name]: c.tally[i] }), {})]));
    VERDICTS.forEach((name) => columns.push([`tasks ${name}`, true, (c) => counts.get(c)[name], (c) => String(counts.get(c)[name])]));
  }
  const chosen = D.pairs.filter((c) => state.model === "" || [c.a, c.b].includes(Number(state.model)));
  table($("pairs-table"), `Better and worse refer to the first model of a pair. Choose a row to see its plot.${D.each.length ? " The last four columns count the tasks by their own verdicts." : ""}`, columns, chosen, { opens: true });
  const fewer = D.pairs.filter(few);
  $("pairs-note").textContent = (D.left[0] ? `${D.left[0].toLocaleString("en")} more pairs are in the JSON document. ` : "")
    + (fewer.length ? `≈ Away from the ROPE as computed, these have fewer draws than in Python: standard error at most ±${plain(Math.max(...fewer.map((c) => c.error)))}. ` : "")
    + (D.each.length && moved() && !recounts ? "The counts of tasks are as computed; those of the pair shown below follow the sliders." : "");
}

function showTasks() {
  if (!D.each.length) return;
  const c = D.pairs[state.focus], wanted = state.task.toLowerCase();
  const rows = own(c).filter((r) => D.tasks[r.task].toLowerCase().includes(wanted));
  $("tasks-title").textContent = D.pairs.length > 1 ? `Tasks: ${pairName(c)}` : "Tasks";
  const count = tally(own(c)), said = VERDICTS.filter((name) => count[name]).flatMap((name) => [badge(name, c), ` on ${count[name]}  `]);
  $("tally").replaceChildren(own(c).length ? `Verdicts on ${counted(own(c).length, "task")}, each task on its own: ` : "The tasks of this pair are in the JSON document. ", ...said);
  const drawn = rows.filter((r) => hasRope(r) && (isSmooth(r) || r.kernel) && isPhi(r) === isPhi(rows.find(hasRope)));
  $("forest").replaceChildren(...(drawn.length ? [forest(drawn, c, state.k, state.threshold, room($("forest"), 860))] : []));
  $("forest-caption").textContent = drawn.length ? `Each task on its own: posterior mean${isPhi(drawn[0]) ? " of phi" : ""} and 95% interval; the gray band is its ROPE, the color is that of the better model.` : rows.length || !own(c).length ? "" : "No task name contains this.";
  table($("tasks-table"), `Each task on its own; better and worse refer to ${D.models[c.a].brief}. Choose a row to see its plot.`, [["task", false, (r) => D.tasks[r.task]], VERDICT, advantage(own(c)), ...LIVE, CLASSICAL, [`${text(own(c)[0]?.unit ?? D.pairs[0].unit)}s`, true, (r) => r.n, (r) => r.n.toLocaleString("en")]], rows, { opens: true });
}

const plainThreshold = () => String(state.threshold === D.threshold ? D.threshold : Number(state.threshold.toFixed(3)));

function show() {
  const answer = headline(state.k, state.threshold);
  if ($("answer").textContent !== answer) $("answer").textContent = answer;
  const c = D.pairs[state.focus], t = (state.k / D.one).toFixed(2);
  const alike = new Set(D.pairs.filter(hasRope).map((p) => p.rope.join())).size <= 1;
  $("rope-text").textContent = !hasRope(c) ? ropeText(c, state.k) : alike ? ropeText(c, state.k) : `${t} × the ROPE of each pair; here ${ropeText(c, state.k)}`;
  $("rope").setAttribute("aria-valuetext", $("rope-text").textContent);
  $("threshold-text").textContent = plainThreshold();
  $("reset").disabled = !moved();
  document.body.classList.toggle("moved", moved());
  showFocus(); showModels(); showMatrix(); showPairs(); showTasks(); showWhy(); showScores(); hints();
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
  $("pair").scrollIntoView({ block: "start" });
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
    $("pair-title").textContent = "One pair";
    $("pair-title").classList.remove("hidden");
  }
  if (D.models.length > 2) {
    option($("model"), "", "all models");
    D.models.forEach((m, i) => option($("model"), i, m.name));
    $("model").addEventListener("change", (e) => { state.model = e.target.value; show(); });
  } else $("model-row").hidden = true;
  $("board").hidden = !D.board;
  $("scores").hidden = !D.scores;
  $("scores").addEventListener("toggle", showScores);
  document.querySelectorAll("details").forEach((d) => d.addEventListener("toggle", hints));
  for (const [name, content] of Object.entries(D.files)) {
    const save = () => {
      const link = html("a", { href: URL.createObjectURL(new Blob([content], { type: "text/plain" })), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    };
    $("files").append(html("button", { type: "button", onclick: save }, `Download ${name}`));
  }
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
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    showScores();
  });
  document.body.classList.remove("still");
  show();
}

// For tests and for the console.
window.ropewalk = { data: D, state, probabilities, verdict, sentence, headline, standing, edges, show, tasks: () => D.pairs.flatMap(own) };
start();
