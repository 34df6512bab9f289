// The way to a violation, step by step: controls, the variables and calls of the current step, the list of steps or, with
// several threads, a lane for each.

const trace = { shown: null, visits: [], at: 0, all: false };

function violated() {
  return report.properties.map((property, index) => (property.violation ? index : -1)).filter((index) => index >= 0);
}

function buildTrace(panel) {
  const choices = violated();
  const select = choices.length > 1 && el("label.choice", null, "Violation of ",
    el("select", { id: "which", onchange: (event) => chooseTrace(Number(event.target.value)) },
      choices.map((index) => el("option", { value: index }, report.properties[index].property))));
  const button = (id, shape, name, action) => el("button.round", { id, "aria-label": name, title: name, onclick: action },
    svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: shape })));
  replace(panel,
    el("div.controls", null, select,
      el("div.buttons", { role: "group", "aria-label": "Steps" },
        button("first", "M3 3h2v10H3zM13 3v10L6 8z", "First step (Home)", () => go(0)),
        button("back", "M12 3v10L4 8z", "Step back (k, \u2190, \u2191)", () => go(trace.at - 1)),
        el("span.count", { id: "count" }),
        button("forth", "M4 3v10l8-5z", "Step forward (j, \u2192, \u2193)", () => go(trace.at + 1)),
        button("last", "M13 3h-2v10h2zM3 3v10l7-5z", "Last step (End)", () => go(trace.visits.length - 1))),
      el("input.slider", { id: "slider", type: "range", min: 1, "aria-label": "Step", oninput: (event) => go(Number(event.target.value) - 1) }),
      el("label.all", null, el("input", { id: "all", type: "checkbox", onchange: (event) => showAll(event.target.checked) }),
        " show irrelevant steps")),
    el("div.now", { id: "now", "aria-live": "polite", "aria-atomic": "true" }),
    el("div.columns", null,
      el("section", null, el("h2", null, "Variables"), el("div", { id: "variables" })),
      el("section", null, el("h2", null, "Calls"), el("div", { id: "calls" }), el("h2", null, "Inputs"), el("div", { id: "inputs" }))),
    el("h2", null, "Steps"),
    el("div.steps", { id: "steps" }));
  chooseTrace(choices[0]);
}

function chooseTrace(index) {
  trace.shown = traceOf(index);
  const which = byId("which");
  if (which) which.value = String(index);
  const folded = trace.shown.visits.some((visit) => !visit.matters);
  byId("all").parentElement.hidden = !folded;
  showAll(byId("all").checked, trace.shown.visits.length);
}

/** Shows all steps or those that matter; stays where it is, as far as possible. */
function showAll(all, wanted) {
  const current = wanted === undefined ? trace.visits[trace.at] : null;
  trace.all = all;
  trace.visits = trace.shown.visits.filter((visit) => all || visit.matters);
  showPath(trace.visits, (steps) => go(steps.find((step) => step > trace.at) ?? steps[0]));
  listSteps();
  const near = current ? trace.visits.findIndex((visit) => visit.steps[1] >= current.steps[1] && visit.steps[0] >= current.steps[0]) : -1;
  go(near >= 0 ? near : trace.visits.length - 1);
}

function visitTitle(visit) {
  if (visit.kind === "line") return (visit.place.text || "").trim() || shortPlace(visit.place);
  return visit.title;
}

function listSteps() {
  const { threads, names } = trace.shown;
  const lanes = threads.length > 1;
  const list = el("ol." + (lanes ? "lanes" : "lane"), lanes ? {} : null);
  if (lanes) list.style.gridTemplateColumns = "repeat(" + threads.length + ", minmax(9em, 1fr))";
  trace.visits.forEach((visit, index) => {
    const notes = visit.notes.map((note) => el("span.change", null, note));
    const item = el("li.of-" + visit.kind, { id: "step-" + (index + 1) },
      el("button", { tabindex: "-1", onclick: () => go(index) },
        el("span.where", null, visit.kind === "line" || visit.kind === "violation" ? shortPlace(visit.place) : ""),
        el("span.what", null, visitTitle(visit)), notes));
    item.style.setProperty("--depth", Math.min(visit.depth, 8));
    if (lanes) {
      item.style.gridColumn = String(threads.indexOf(visit.thread) + 1);
      item.style.gridRow = String(index + 2);
    }
    list.append(item);
  });
  if (lanes) {
    threads.forEach((thread, column) => {
      const head = el("li.head", { role: "presentation" }, "Thread " + thread + (names.has(thread) ? " \u00b7 " + names.get(thread) : ""));
      head.style.gridColumn = String(column + 1);
      head.style.gridRow = "1";
      list.append(head);
    });
  }
  const gap = trace.shown.violation.skipped_before !== undefined;
  replace(byId("steps"), gap && el("p.empty", null, "The run is long: steps in its middle are not kept."), list);
  const slider = byId("slider");
  slider.max = String(trace.visits.length);
}

/** Goes to a step, counted from 0. */
function go(index) {
  const count = trace.visits.length;
  trace.at = Math.max(0, Math.min(index, count - 1));
  const visit = trace.visits[trace.at];
  byId("count").textContent = trace.at + 1 + " / " + count;
  byId("slider").value = String(trace.at + 1);
  for (const [id, stop] of [["first", trace.at === 0], ["back", trace.at === 0], ["forth", trace.at === count - 1], ["last", trace.at === count - 1]]) {
    byId(id).disabled = stop;
  }
  const wrong = visit.kind === "violation";
  const bubble = wrong ? [visit.title, ...visit.notes] : visit.kind === "line" ? visit.notes : [visit.title];
  showPlace(visit.place, wrong ? "wrong" : "", bubble);
  showNow(visit);
  const state = stateAfter(trace.shown.violation, visit.steps[1]);
  const before = trace.at > 0 ? trace.visits[trace.at - 1].steps[1] : -1;
  showVariables(state, before);
  showCalls(state);
  showInputs(state);
  document.querySelectorAll("#steps [aria-current]").forEach((item) => item.removeAttribute("aria-current"));
  const item = byId("step-" + (trace.at + 1));
  item.setAttribute("aria-current", "step");
  const steps = byId("steps");
  const top = topIn(steps, item);
  if (top < steps.scrollTop + 24 || top + item.offsetHeight > steps.scrollTop + steps.clientHeight - 24) {
    steps.scrollTop = top - steps.clientHeight / 2;
  }
  remember({ step: trace.at + 1 });
}

function showNow(visit) {
  const thread = trace.shown.threads.length > 1 && el("span.tag", null, "thread " + visit.thread);
  const notes = visit.notes.map((note) => el("div.change", null, note));
  const title = el("div.title", null, spoken("Step " + (trace.at + 1) + ": "), thread,
    visit.place.file && el("span.where", null, shortPlace(visit.place)), el(visit.kind === "line" ? "code" : "strong", null, visitTitle(visit)));
  byId("now").className = "now of-" + visit.kind;
  replace(byId("now"), title, notes);
}

function row(variable, before) {
  const fresh = variable.at > before;
  return el("tr" + (fresh ? ".fresh" : ""), null,
    el("th", { scope: "row", title: variable.name }, variable.name, fresh && spoken(" (changed)")),
    el("td", null, el("code", { title: variable.value }, variable.value)), el("td.type", { title: variable.type }, variable.type));
}

function table(title, variables, before) {
  if (!variables.length) return null;
  return el("table", null, el("caption", null, title), el("tbody", null, variables.map((variable) => row(variable, before))));
}

/** Calls whose variables are shown. */
const MOST_FRAMES = 8;

function showVariables(state, before) {
  const frames = framesOf(state).slice(-MOST_FRAMES).reverse();
  const tables = frames.map((frame) => table("in " + sourceName(frame.function), [...frame.variables.values()], before));
  const objects = new Map((trace.shown.violation.objects || []).map((object) => [object.number, object]));
  const cells = [...state.cells.values()].sort((a, b) => a.number - b.number || a.offset - b.offset);
  for (const [storage, title] of [["global", "globals"], ["stack", "locals in memory"], ["heap", "heap"]]) {
    tables.push(table(title, cells.filter((cell) => objects.get(cell.number)?.storage === storage), before));
  }
  const shown = tables.filter(Boolean);
  replace(byId("variables"), shown.length ? shown : el("p.empty", null, "None is known yet."));
}

function showCalls(state) {
  const frames = framesOf(state);
  const names = frames.filter((frame) => frame.function).reverse();
  const items = names.map((frame) => el("li", null, el("code", null, sourceName(frame.function)),
    frame.caller && frame.caller.file && placeLink(frame.caller, " from " + shortPlace(frame.caller))));
  replace(byId("calls"), items.length ? el("ol.calls", null, items) : el("p.empty", null, "No function is active."));
}

function showInputs(state) {
  const inputs = (trace.shown.violation.inputs || []).map((input, index) => ({ input, number: index + 1 })).filter(({ input }) => input.source);
  const words = data.inputs[trace.shown.index];
  const items = inputs.map(({ input, number }) => el("li" + (state.inputs.has(number) ? ".seen" : ""), null,
    el("code", null, words[number - 1][0] + " "), el("code.value", null, words[number - 1][1]),
    placeLink(input.place, shortPlace(input.place))));
  const functions = (trace.shown.violation.functions || []).map((text) => el("li", null, el("code", null, text)));
  replace(byId("inputs"), items.length || functions.length ? el("ol.inputs", null, items, functions) : el("p.empty", null, "It needs no input."));
}

/** A button that shows a place in the source. */
function placeLink(place, text) {
  if (!place || !place.file) return null;
  return el("button.link", { onclick: () => showPlace(place, "", []) }, text);
}
