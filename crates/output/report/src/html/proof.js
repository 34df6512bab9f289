// The answers property by property, and what the proofs rest on: conditions at loops and procedures, also below their lines in the source.

const SIGNS = { true: "\u2713", false: "\u2717", unknown: "?" };
const WORDS = { true: "holds", false: "violated", unknown: "unknown" };
const CLAIMS = {
  "loop-invariant": "always",
  "induction-hypothesis": "in every further iteration",
  interpolant: "one of",
  "own-invariant": "invariant of the program",
  precondition: "at every call",
  postcondition: "at every return",
};

const proofs = { notes: [], shown: [] };

/** `true`, `false` or `unknown`. */
function kindOf(property) {
  return property.verdict.split(" ")[0];
}

/** Properties about which the same is said, as one. */
function groups() {
  const found = [];
  for (const property of report.properties) {
    const said = JSON.stringify([property.verdict, property.reason, property.engine, property.assurance, property.certificates, property.proof]);
    const known = !property.violation && found.find((group) => group.said === said);
    if (known) known.names.push(property.property);
    else found.push({ said, names: [property.property], property });
  }
  const order = { false: 0, unknown: 1, true: 2 };
  return found.sort((a, b) => order[kindOf(a.property)] - order[kindOf(b.property)]);
}

function buildAnswer(panel) {
  const cards = groups().map(({ names, property }) => {
    const violation = property.violation;
    const checked = [property.engine && "by " + property.engine, property.assurance].filter(Boolean).join(" \u00b7 ");
    const kind = kindOf(property);
    return el("article.card." + kind, null,
      el("h3", null, el("span.sign", { "aria-hidden": "true" }, SIGNS[kind]), names.join(", "), " ",
        el("span.verdict", null, (names.length > 1 && kind === "true" ? "hold" : WORDS[kind]) + (isBounded(property) ? " within bounds" : ""))),
      violation && el("p.message", null, violation.message),
      violation && (violation.cause || []).map((line) => el("p.cause", null, line)),
      violation && placeLink(violation.place, shortPlace(violation.place)),
      property.reason && el("p", null, property.reason),
      checked && el("p.checked", null, checked),
      property.certificates.length > 0 && el("ul.plain", null, property.certificates.map((line) => el("li", null, line))));
  });
  const list = (title, lines, kind) => lines && lines.length > 0 &&
    el("section." + kind, null, el("h2", null, title), el("ul", null, lines.map((line) => el("li", null, line))));
  replace(panel,
    report.error && el("article.card.unknown", null, el("h3", null, "No answer: " + report.error.kind), el("pre.error", null, report.error.message)),
    list("Warnings", report.warnings, "warnings"),
    cards.length > 0 && el("section", null, el("h2", null, "Properties"), cards),
    list("These answers assume", report.assumptions, "assumptions"),
    list("What each engine found", report.engines, "engines"),
    targets(),
    report.witness && list("Witness", [report.witness.status, ...(report.witness.remarks || [])], "witness"),
    report.run.unchecked && report.run.unchecked.length > 0 &&
      el("section", null, el("h2", null, "Not checked"), el("p.dim", null, report.run.unchecked.join(", ") + ".")));
}

function targets() {
  if (!report.targets || !report.targets.length) return null;
  return el("section", null, el("h2", null, "Targets"), el("ul", null, report.targets.map((target) =>
    el("li", null, placeLink(target.place, shortPlace(target.place)), " " + target.status))));
}

/** The distinct proofs, each with the properties that it proves. */
function distinctProofs() {
  const found = [];
  for (const property of report.properties.filter((property) => property.proof)) {
    const said = JSON.stringify(property.proof);
    const known = found.find((group) => group.said === said);
    if (known) known.properties.push(property);
    else found.push({ said, proof: property.proof, properties: [property] });
  }
  return found;
}

function buildProof(panel) {
  const sections = distinctProofs().map(({ proof, properties }) => {
    const certificates = [...new Set(properties.flatMap((property) => property.certificates))];
    return el("article.proof", null,
      el("h2", null, properties.map((property) => property.property).join(", ")),
      el("p", null, proof.method),
      byPlace(proof.claims).map(({ place, name, claims }) => el("section.claims", null,
        el("h3", null, placeLink(place, shortPlace(place)), name && el("span.dim", null, " in " + sourceName(name))),
        place.text && el("pre.quoted", null, place.text),
        claims.map((claim) => el("div.claim." + claim.kind, null, el("h4", null, CLAIMS[claim.kind], el("span.dim", null, " \u00b7 " + claim.origin)),
          el("ul.conditions", null, claim.conditions.map((condition) => el("li", null, el("code", null, condition)))))))),
      !proof.claims.length && !(proof.untold || []).length && el("p.dim", null, "No invariants were needed."),
      (proof.untold || []).map((untold) => el("p.untold", null, "Not shown: " + untold.count + " " + untold.reason)),
      certificates.length > 0 && el("section", null, el("h3", null, "How it was checked"), el("ul.plain", null, certificates.map((line) => el("li", null, line)))));
  });
  replace(panel, sections.length ? sections : el("p.empty", null, "Nothing was proved, or no proof was explained."));
}

function byPlace(claims) {
  const found = [];
  for (const claim of claims) {
    const last = found[found.length - 1];
    const same = last && last.place.file === claim.place.file && last.place.line === claim.place.line;
    if (same) last.claims.push(claim);
    else found.push({ place: claim.place, name: claim.function, claims: [claim] });
  }
  return found;
}

/** Conditions that a note has room for; the proof beside it has them all. */
const MOST_CONDITIONS = 6;

function inShort(claim) {
  const shown = claim.conditions.slice(0, MOST_CONDITIONS).join(claim.kind === "interpolant" ? "  ||  " : "  &&  ");
  const left = claim.conditions.length - MOST_CONDITIONS;
  return left > 0 ? shown + "  \u2026 and " + left + " more" : shown;
}

/** Conditions below their lines in the source, while the proof is looked at. */
function annotate(visible) {
  proofs.notes.forEach((node) => node.remove());
  proofs.notes = [];
  if (!visible) return;
  let first = null;
  for (const { place, claims } of distinctProofs().flatMap(({ proof }) => byPlace(proof.claims))) {
    const line = lineAt(place);
    if (!line) continue;
    first = first || place;
    const texts = claims.map((claim) => el("div", null, el("span.kind", null, CLAIMS[claim.kind] + ": "),
      el("code", null, inShort(claim))));
    const node = el("div.note.known", null, el("div.bubble", null, texts));
    line.row.after(node);
    proofs.notes.push(node);
  }
  if (first) showPlace(first, "", []);
}
