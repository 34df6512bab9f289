// Building blocks of the page. Texts of the program get into it as text nodes and attributes, never as markup.

/** An element: its tag with classes ("button.quiet"), its attributes, its children (nodes or texts). */
function el(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name || "div");
  if (classes.length) node.className = classes.join(" ");
  return fill(node, attributes, children);
}

/** The name of a vocabulary, not an address. */
const SVG = "http://www.w3.org/2000/svg";

/** The same for drawings. */
function svg(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElementNS(SVG, name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  return fill(node, attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === "") continue;
    node.append(child.nodeType ? child : document.createTextNode(String(child)));
  }
  return node;
}

function byId(id) {
  return document.getElementById(id);
}

function replace(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
}

/** What only screen readers say. */
function spoken(text) {
  return el("span.spoken", null, text);
}

function plural(count, one, many) {
  return count + " " + (count === 1 ? one : many || one + "s");
}

/** The last part of a path. */
function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** "list.c:14", or nothing where the place is not known. */
function shortPlace(place) {
  return place && place.file ? baseName(place.file) + ":" + place.line : "";
}
