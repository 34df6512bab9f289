// The frame: the verdict at the top, the views beside the source, keys, the address, light and dark.

const views = new Map();
let shownView = "";

function verdictKind() {
  return report.verdict.startsWith("true") ? "true" : report.verdict.startsWith("false") ? "false" : "unknown";
}

/** Whether there are inputs that the answer says nothing of. */
function isBounded(said) {
  return said.verdict === "true within bounds";
}

function buildTop() {
  const kind = verdictKind();
  const words = { true: "Proved", false: "Violated", unknown: "Not decided" };
  const first = report.properties.find((property) => property.violation);
  const inside = report.verdict.slice(report.verdict.indexOf("(") + 1, -1);
  const names = report.properties.map((property) => property.property);
  const said = kind === "true" ? (names.length > 3 ? names.length + " properties hold" : names.join(", ") + (names.length > 1 ? " hold" : " holds"))
    : first ? first.property + ": " + first.violation.message : inside;
  replace(byId("top"),
    el("div.verdict-box." + kind, null, el("span.sign", { "aria-hidden": "true" }, SIGNS[kind]), el("h1", null, words[kind] + (isBounded(report) ? " within bounds" : ""))),
    el("div.said", null, el("p.main", null, said),
      el("p.dim", null, [report.run.files.map(baseName).join(", "), report.run.engine, seconds(report.run.seconds)].filter(Boolean).join(" \u00b7 "))),
    el("button.quiet", { id: "theme", onclick: nextTheme }));
}

/** The views, each with the function that draws it. */
function buildViews() {
  const entries = [];
  if (violated().length) entries.push(["trace", "Trace", buildTrace]);
  entries.push(["answer", "Answer", buildAnswer]);
  if (report.properties.some((property) => property.proof)) entries.push(["proof", "Proof", buildProof]);
  entries.push(["numbers", "Numbers", buildNumbers]);
  const tabs = el("div.tabs", { role: "tablist", "aria-label": "Views", onkeydown: moveTab });
  const panels = entries.map(([name, title, build]) => {
    const tab = el("button.tab", { id: "tab-" + name, role: "tab", "aria-controls": "view-" + name, onclick: () => showView(name) }, title);
    const panel = el("div.view", { id: "view-" + name, role: "tabpanel", "aria-labelledby": "tab-" + name, hidden: true });
    tabs.append(tab);
    views.set(name, { tab, panel, build });
    return panel;
  });
  const help = violated().length > 0 && el("p.keys", null, el("kbd", null, "j"), el("kbd", null, "\u2193"), " next  ", el("kbd", null, "k"),
    el("kbd", null, "\u2191"), " back  ", el("kbd", null, "Home"), " ", el("kbd", null, "End"));
  replace(byId("panel"), el("div.bar", null, tabs, help), panels);
  // The panels are in the page before they are drawn.
  views.forEach(({ panel, build }) => build(panel));
}

function showView(name) {
  if (!views.has(name) || name === shownView) return;
  shownView = name;
  views.forEach(({ tab, panel }, other) => {
    panel.hidden = other !== name;
    tab.setAttribute("aria-selected", String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
  });
  annotate(name === "proof");
  const keys = document.querySelector(".keys");
  if (keys) keys.hidden = name !== "trace";
  if (name === "trace") go(trace.at);
  remember({ view: name });
}

function moveTab(event) {
  const names = [...views.keys()];
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const name = names[(names.indexOf(shownView) + by + names.length) % names.length];
  showView(name);
  views.get(name).tab.focus();
  event.preventDefault();
  event.stopPropagation();
}

const KEYS = { j: 1, ArrowDown: 1, ArrowRight: 1, k: -1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || shownView !== "trace" || !(event.key in KEYS)) return;
  if (event.target.closest && event.target.closest("select, input, textarea, summary")) return;
  go(trace.at + KEYS[event.key]);
  event.preventDefault();
}

/** Keeps where the reader is in the address, so that a link leads back here. */
function remember(what) {
  const known = new URLSearchParams(location.hash.slice(1));
  for (const [key, value] of Object.entries(what)) known.set(key, value);
  if (trace.shown && violated().length > 1) known.set("property", report.properties[trace.shown.index].property);
  try {
    history.replaceState(null, "", "#" + known.toString());
  } catch (error) {
    // A page that was not loaded from an address has none to keep.
  }
}

function visitAddress(asked) {
  const index = report.properties.findIndex((property) => property.violation && property.property === asked.get("property"));
  if (index >= 0 && trace.shown && index !== trace.shown.index) chooseTrace(index);
  const first = violated().length ? "trace" : report.properties.some((property) => (property.proof?.claims || []).length) ? "proof" : "answer";
  showView(views.has(asked.get("view")) ? asked.get("view") : shownView || first);
  const step = Number(asked.get("step"));
  if (step >= 1 && trace.shown) go(step - 1);
}

const THEMES = ["auto", "light", "dark"];

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = byId("theme");
  button.textContent = { auto: "\u25d0 Auto", light: "\u2600 Light", dark: "\u263e Dark" }[theme];
  button.setAttribute("aria-label", "Colours: " + theme + ". Change");
}

function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  applyTheme(theme);
  try {
    localStorage.setItem("fathom-theme", theme);
  } catch (error) {
    // Then it lasts as long as the page.
  }
}

function keptTheme() {
  try {
    const theme = localStorage.getItem("fathom-theme");
    return THEMES.includes(theme) ? theme : "auto";
  } catch (error) {
    return "auto";
  }
}

const asked = new URLSearchParams(location.hash.slice(1));
buildTop();
applyTheme(THEMES.includes(asked.get("theme")) ? asked.get("theme") : keptTheme());
buildSource();
buildViews();
showLegend(violated().length > 0);
visitAddress(asked);
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => visitAddress(new URLSearchParams(location.hash.slice(1))));
document.documentElement.dataset.ready = "true";
