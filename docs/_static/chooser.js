(() => {
  const { questions, answers } = JSON.parse(document.getElementById("chooser-data").textContent);
  const form = document.getElementById("chooser");
  const out = document.getElementById("chosen");
  const element = (tag, text, properties = {}) => Object.assign(document.createElement(tag), properties, { textContent: text });

  for (const question of questions) {
    const box = document.createElement("fieldset");
    box.append(element("legend", question.ask));
    for (const [value, text] of Object.entries(question.answers)) {
      const label = document.createElement("label");
      const input = Object.assign(document.createElement("input"), { type: "radio", name: question.key, value });
      label.append(input, element("span", text));
      box.append(label);
    }
    form.append(box);
  }

  const show = () => {
    const given = Object.fromEntries(new FormData(form));
    out.replaceChildren();
    if (questions.some(({ key }) => !given[key])) return;
    const found = answers.find((answer) => Object.entries(answer.if).every(([key, value]) => given[key] === value));
    if (!found) {
      out.append(element("p", "One number or rank per model is not enough on a single task. Choose “Several”, or use scores per example."));
      return;
    }
    const method = element("p", "Method: ", { className: "chosen-method" });
    method.append(element("a", found.method, { href: found.card }));
    out.append(method);
    if (found.why) out.append(element("p", `Reason: ${found.why}.`));
    out.append(element("p", "If results.csv looks like this:"), element("pre", found.table));
    out.append(element("p", "From the command line, or in Python:"), element("pre", found.command), element("pre", found.python));
  };
  form.addEventListener("change", show);
})();
