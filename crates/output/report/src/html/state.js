// The data, and the state of the program after each step of a trace: calls of every thread, variables, memory, inputs.

const data = JSON.parse(byId("data").textContent);
const report = data.report;

/** The name of a function as it is written in the source. */
function sourceName(name) {
  return Object.hasOwn(data.names, name) ? data.names[name] : name;
}

/** A violated property with its visits; the violation itself is the last of them. */
function traceOf(index) {
  const violation = report.properties[index].violation;
  const last = Math.max(violation.steps.length - 1, 0);
  const visits = data.traces[index].map((visit) => Object.assign({}, visit));
  const end = { kind: "violation", thread: 1, depth: 0, place: violation.place, title: violation.message, notes: violation.cause || [],
    steps: [last, last], matters: true };
  if (visits.length) {
    end.thread = visits[visits.length - 1].thread;
    end.depth = visits[visits.length - 1].depth;
  }
  visits.push(end);
  const threads = [...new Set(visits.map((visit) => visit.thread))].sort((a, b) => a - b);
  return { index, violation, visits, threads, names: threadNames(violation) };
}

function threadNames(violation) {
  const names = new Map();
  for (const step of violation.steps) {
    if (step.kind === "thread" && step.function) names.set(step.number, sourceName(step.function));
  }
  return names;
}

/** What is known behind a step, counted from 0; before the first one with -1. */
function stateAfter(violation, last) {
  const state = { thread: 1, frames: new Map(), cells: new Map(), inputs: new Set(), names: threadNames(violation), outermost: outermost(violation) };
  for (let at = 0; at <= last && at < violation.steps.length; at++) {
    if (at === violation.skipped_before) forget(state, violation.skipped_stack || []);
    follow(state, violation.steps[at], at);
  }
  const ended = new Set((violation.objects || []).filter((object) => object.until !== undefined && object.until <= last)
    .map((object) => object.number));
  for (const [key, cell] of state.cells) if (ended.has(cell.number)) state.cells.delete(key);
  return state;
}

/** The function that the first thread begins with: of Boogie programs that is one of Fathom's own. */
function outermost(violation) {
  const last = violation.steps.findLast((step) => step.kind === "thread");
  const ofFirst = !last || last.number === 1;
  return ofFirst && violation.stack.length ? violation.stack[violation.stack.length - 1] : report.run.entry;
}

/** The calls of the running thread, innermost last. The function that a thread begins with is not entered by a step. */
function framesOf(state) {
  if (!(state.frames.get(state.thread) || []).length) {
    const name = state.thread === 1 ? state.outermost : state.names.get(state.thread) || "";
    state.frames.set(state.thread, [{ function: name, caller: null, variables: new Map() }]);
  }
  return state.frames.get(state.thread);
}

function innermost(state) {
  const frames = framesOf(state);
  return frames[frames.length - 1];
}

/** Behind steps that are missing only the active functions are known. */
function forget(state, active) {
  state.frames.set(state.thread, active.map((name) => ({ function: name, caller: null, variables: new Map() })));
  state.cells.clear();
}

function follow(state, step, at) {
  switch (step.kind) {
    case "enter":
      framesOf(state).push({ function: step.function, caller: step.caller, variables: new Map() });
      break;
    case "leave":
      if (framesOf(state).length > 1) framesOf(state).pop();
      break;
    case "thread":
      state.thread = step.number;
      break;
    case "input":
      state.inputs.add(step.number);
      break;
    case "value":
      if (step.type_name === "lifetime" || step.type_name === "sourceloc") break;
      if (step.object) store(state, step, at);
      else innermost(state).variables.set(step.variable, { name: step.variable, type: step.type_name, value: step.value, at });
      break;
  }
}

/** Bytes that overlap with what is written hold something else from now on, whatever they were called. */
function store(state, step, at) {
  const { number, offset, size, path } = step.object;
  for (const [key, cell] of state.cells) {
    if (cell.number === number && cell.offset < offset + size && offset < cell.offset + cell.size) state.cells.delete(key);
  }
  state.cells.set(number + ":" + offset + ":" + size, { number, offset, size, name: path, type: step.type_name, value: step.value, at });
}
