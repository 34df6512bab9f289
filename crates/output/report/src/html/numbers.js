// The numbers of a run: where the time went, how much there was of everything, which lines were reached; drawn as bars.

const INTEGER = new Intl.NumberFormat("en");

function seconds(value) {
  if (value >= 100) return value.toFixed(0) + " s";
  return value >= 1 ? value.toFixed(1) + " s" : Math.round(value * 1000) + " ms";
}

/** Bars: names, lengths from 0 to 1, and what stands behind them. */
function bars(title, rows) {
  const height = 22;
  const [left, width, right] = [200, 250, 100];
  const total = left + width + right;
  const short = (name) => (name.length > 32 ? name.slice(0, 31) + "\u2026" : name);
  const drawn = rows.map(({ name, share, label, kind }, index) => svg("g", { transform: "translate(0," + index * height + ")" },
    svg("title", null, name + ": " + label),
    svg("text.name", { x: left - 8, y: 15, "text-anchor": "end" }, short(name)),
    svg("rect.track", { x: left, y: 4, width, height: 14, rx: 3 }),
    svg("rect.bar" + (kind ? "." + kind : ""), { x: left, y: 4, width: Math.max(share > 0 ? 2 : 0, share * width), height: 14, rx: 3 }),
    svg("text.label", { x: left + width + 8, y: 15 }, label)));
  return el("figure", null, el("figcaption", null, title),
    svg("svg", { viewBox: "0 0 " + total + " " + rows.length * height, role: "img", "aria-label": title + ": " +
      rows.map(({ name, label }) => name + " " + label).join(", ") }, drawn));
}

function timePlot() {
  const total = report.run.seconds;
  const solver = (report.statistics.find(([name]) => name === "solver microseconds") || [])[1];
  const members = report.members || [];
  const longest = Math.max(total, solver / 1e6 || 0, ...members.map((member) => member.seconds), 1e-9);
  const rows = [{ name: "whole run", share: total / longest, label: seconds(total) }];
  if (solver !== undefined) rows.push({ name: "in solvers", share: solver / 1e6 / longest, label: seconds(solver / 1e6), kind: "second" });
  const engines = members.map((member) => ({ name: member.engine, share: member.seconds / longest, kind: member.status,
    label: seconds(member.seconds) + (member.status === "answered" ? "" : ", " + member.status) }));
  return [bars("Time", rows), engines.length > 0 && bars("Time at work, engine by engine", engines)];
}

function countPlot() {
  const counted = report.statistics.filter(([name, value]) => value > 0 && !name.endsWith("microseconds"));
  if (!counted.length) return null;
  const most = Math.log10(1 + Math.max(...counted.map(([, value]) => value)));
  return bars("How much of everything (logarithmic)", counted.map(([name, value]) =>
    ({ name, share: Math.log10(1 + value) / most, label: INTEGER.format(value), kind: "second" })));
}

function coveragePlot() {
  const rows = (report.coverage || []).filter((file) => file.reached.length).map((file) => {
    const all = file.reached.length + file.missed.length;
    return { name: baseName(file.file), share: file.reached.length / all, label: file.reached.length + " of " + all, kind: "good" };
  });
  return rows.length ? bars("Lines with code that the run came to", rows) : null;
}

function tracePlot() {
  if (!violated().length) return null;
  const rows = violated().map((index) => {
    const places = new Set(traceOf(index).visits.filter((visit) => visit.place.file).map((visit) => visit.place.file + ":" + visit.place.line));
    return { name: report.properties[index].property, places: places.size };
  });
  const most = Math.max(...rows.map((row) => row.places), 1);
  return bars("Lines on the path to each violation", rows.map((row) =>
    ({ name: row.name, share: row.places / most, label: String(row.places), kind: "bad" })));
}

function buildNumbers(panel) {
  const run = report.run;
  const facts = [["Files", run.files.join(", ")], ["Starts in", run.entry], ["Data model", run.data_model], ["Engine", run.engine],
    ["Solver", run.solver], ["Seed", run.seed], ["Time", seconds(run.seconds)], ["Fathom", run.version], ["Settings", run.config]];
  replace(panel,
    el("h2", null, "The run"),
    el("dl.facts", null, facts.filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([name, value]) => [el("dt", null, name), el("dd", null, value)])),
    report.summary && el("p.paths", null, "Paths: " + report.summary + "."),
    el("h2", null, "Plots"), timePlot(), coveragePlot(), tracePlot(), countPlot(),
    report.statistics.length > 0 && el("details", null, el("summary", null, "All counters"),
      el("table.counters", null, el("tbody", null, report.statistics.map(([name, value]) =>
        el("tr", null, el("th", { scope: "row" }, name), el("td", null, INTEGER.format(value))))))));
}
