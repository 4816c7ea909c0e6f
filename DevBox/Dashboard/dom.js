// Elements are made from text and attributes only, so that a name is never parsed as markup.

export const byId = id => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children
    .filter(child => child !== null && child !== undefined)
    .map(child => (child instanceof Node ? child : String(child))));
  return node;
}

/** Sets a text only if it differs, so that a screen reader announces changes only. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
