// The source files: lines with colours, which of them the trace and the run came to, notes below lines.

const KEYWORDS = {
  C: "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return " +
    "short signed sizeof static struct switch typedef union unsigned void volatile while _Bool bool class namespace new delete template " +
    "this public private",
  Boogie: "assert assume axiom bool break call const else ensures exists false forall free function goto havoc if implementation int " +
    "invariant lambda modifies old procedure real requires return returns then true type unique var where while",
};

const source = { files: [], current: -1, notes: [], marked: null };

/** The number of a file, also if it is called by its absolute path in one place and by a shorter one in another. */
function fileNumber(name) {
  const exact = data.sources.findIndex((file) => file.name === name);
  if (exact >= 0 || !name) return exact;
  return data.sources.findIndex((file) => file.name.endsWith("/" + name) || name.endsWith("/" + file.name));
}

function buildSource() {
  const keywords = {};
  for (const [language, words] of Object.entries(KEYWORDS)) keywords[language] = new Set(words.split(" "));
  const tabs = el("div.files", { role: "tablist", "aria-label": "Files" });
  const view = el("div.listing", { id: "listing", tabindex: "0", role: "region", "aria-label": "Source text" });
  data.sources.forEach((file, number) => {
    const lines = new Map();
    const body = el("div.file", { id: "file-" + number, hidden: true });
    let inComment = false;
    if (!file.parts.length) body.append(el("p.empty", null, "This file can't be read as text."));
    file.parts.forEach((part) => {
      if (part.first > 1) body.append(el("div.cut", null, "\u22ef"));
      part.lines.forEach((text, index) => {
        const [tokens, open] = tokenize(text, keywords[file.language], file.language, inComment);
        inComment = open;
        const line = buildLine(number, part.first + index, text, tokens);
        lines.set(part.first + index, line);
        body.append(line.row);
      });
    });
    if (file.is_latin) body.prepend(el("p.empty", null, "Not UTF-8: each byte is shown as a character of Latin-1."));
    view.append(body);
    const tab = el("button.tab", { role: "tab", title: file.name, "aria-selected": "false", onclick: () => showFile(number) }, baseName(file.name));
    tabs.append(tab);
    source.files.push({ lines, body, tab, file });
  });
  showCoverage();
  const legend = el("div.legend", { id: "legend" });
  replace(byId("code"), el("div.bar", null, tabs, legend), view);
  if (data.sources.length) showFile(0);
  else view.append(el("p.empty", null, "No source file is known."));
}

function buildLine(file, number, text, tokens) {
  const code = el("code");
  const step = el("span.step");
  const row = el("div.line", { id: "L" + file + "-" + number }, step, el("span.number", null, number), el("span.mark"), code);
  const line = { row, code, step, text, tokens };
  paint(line, null);
  return line;
}

/** Puts the tokens of a line into its element; those between the two ends of `mark` stand out. */
function paint(line, mark) {
  const nodes = [];
  for (const [kind, start, end] of line.tokens) {
    const cuts = mark ? [start, ...[mark[0], mark[1]].filter((cut) => cut > start && cut < end), end] : [start, end];
    for (let at = 0; at + 1 < cuts.length; at++) {
      const text = line.text.slice(cuts[at], cuts[at + 1]);
      const here = mark && cuts[at] >= mark[0] && cuts[at + 1] <= mark[1];
      const node = kind ? el("span." + kind, null, text) : document.createTextNode(text);
      nodes.push(here ? el("mark", null, node) : node);
    }
  }
  line.code.replaceChildren(...nodes);
}

/** Kinds and ends of the tokens of a line, and whether a comment goes on behind it. */
function tokenize(text, keywords, language, inComment) {
  const tokens = [];
  let at = 0;
  const push = (kind, end) => {
    if (end > at) tokens.push([kind, at, end]);
    at = end;
  };
  if (inComment) {
    const end = text.indexOf("*/");
    if (end < 0) return [text.length ? [["comment", 0, text.length]] : [], true];
    push("comment", end + 2);
  }
  if (language === "C" && /^\s*#/.test(text) && at === 0) {
    const comment = text.search(/\/[*/]/);
    push("directive", comment < 0 ? text.length : comment);
  }
  const token = /\/\/.*|\/\*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_$][\w$.]*|\d[\w.]*|\s+|[^\w\s"'/]+|./gy;
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text);
    const word = found ? found[0] : text[at];
    if (word === "/*") {
      const end = text.indexOf("*/", at + 2);
      push("comment", end < 0 ? text.length : end + 2);
      if (end < 0) return [tokens, true];
    } else if (word.startsWith("//")) push("comment", text.length);
    else if (word[0] === '"' || word[0] === "'") push("string", at + word.length);
    else if (/^\d/.test(word)) push("literal", at + word.length);
    else push(keywords.has(word) ? "keyword" : "", at + word.length);
  }
  return [tokens, false];
}

function showFile(number) {
  if (number < 0 || number === source.current) return;
  source.files.forEach((file, index) => {
    file.body.hidden = index !== number;
    file.tab.setAttribute("aria-selected", String(index === number));
  });
  source.current = number;
}

function lineAt(place) {
  const number = place && place.file ? fileNumber(place.file) : -1;
  const line = number < 0 ? undefined : source.files[number].lines.get(place.line);
  return line && Object.assign(line, { file: number });
}

/** Columns count bytes of UTF-8; the text is in units of UTF-16. */
function unitsBefore(line, column) {
  if (source.files[line.file].file.is_latin) return column - 1;
  let bytes = 0;
  let units = 0;
  for (const character of line.text) {
    if (bytes >= column - 1) break;
    const code = character.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units += character.length;
  }
  return units;
}

/** Highlights a place, scrolls to it and puts a note below it. */
function showPlace(place, kind, note) {
  if (source.marked) {
    source.marked.row.classList.remove("here", "wrong");
    source.marked.row.removeAttribute("aria-current");
    paint(source.marked, null);
    source.marked = null;
  }
  source.notes.forEach((node) => node.remove());
  source.notes = [];
  const line = lineAt(place);
  if (!line) return;
  showFile(line.file);
  line.row.classList.add("here");
  line.row.classList.toggle("wrong", kind === "wrong");
  line.row.setAttribute("aria-current", "location");
  if (place.column > 0) {
    const start = unitsBefore(line, place.column);
    const word = /^(?:[\w$]+|\S)/.exec(line.text.slice(start));
    if (word) paint(line, [start, start + word[0].length]);
  }
  source.marked = line;
  if (note && note.length) {
    const node = el("div.note." + kind, null, el("div.bubble", null, note.map((text) => el("div", null, text))));
    line.row.after(node);
    source.notes.push(node);
  }
  scrollTo(line.row);
}

/** How far below the beginning of what scrolls an element is. */
function topIn(view, node) {
  return node.getBoundingClientRect().top - view.getBoundingClientRect().top + view.scrollTop;
}

function scrollTo(row) {
  const view = byId("listing");
  const top = topIn(view, row);
  const low = view.scrollTop + view.clientHeight * 0.2;
  const high = view.scrollTop + view.clientHeight * 0.75;
  if (top < low || top > high) view.scrollTop = Math.max(0, top - view.clientHeight * 0.4);
}

/** Lines of the trace get the number of their first visit, which leads there. */
function showPath(visits, go) {
  source.files.forEach((file) => file.lines.forEach((line) => {
    line.row.classList.remove("path");
    line.step.replaceChildren();
  }));
  const first = new Map();
  visits.forEach((visit, index) => {
    const line = lineAt(visit.place);
    if (!line) return;
    if (!first.has(line)) first.set(line, []);
    first.get(line).push(index);
  });
  for (const [line, steps] of first) {
    line.row.classList.add("path");
    const label = steps.length > 1 ? (steps[0] + 1) + "\u2026" : steps[0] + 1;
    const title = steps.length > 1 ? plural(steps.length, "visit") + ", the first is step " + (steps[0] + 1) : "step " + (steps[0] + 1);
    line.step.append(el("button", { title, "aria-label": title, tabindex: "-1", onclick: () => go(steps) }, label));
  }
}

/** Which lines the run came to, where the engine kept account. */
function showCoverage() {
  for (const covered of report.coverage || []) {
    const number = fileNumber(covered.file);
    if (number < 0) continue;
    const mark = (lines, name, title) => lines.forEach((at) => {
      const line = source.files[number].lines.get(at);
      if (!line) return;
      line.row.classList.add(name);
      line.row.querySelector(".mark").title = title;
    });
    mark(covered.reached, "reached", "a path of the run came here");
    mark(covered.missed, "missed", "no path of the run came here");
  }
}

function showLegend(hasTrace) {
  const entries = [];
  if (hasTrace) entries.push(el("span.key.path-key", null, "on the path"));
  if ((report.coverage || []).length) {
    entries.push(el("span.key.reached-key", null, "reached by the run"), el("span.key.missed-key", null, "not reached"));
  }
  replace(byId("legend"), entries);
}
