import { element } from './dom.js';

/** Removes the errors that showErrors has shown. */
export function clearErrors(fields, summary) {
  summary.hidden = true;
  summary.replaceChildren();
  for (const field of fields) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
    field.parentElement.querySelector('.field-error')?.remove();
  }
}

/** Shows each error at the field with its data-path, and the others in the summary. Focuses the first. */
export function showErrors(fields, summary, button, problem, fieldOf = path => path) {
  const errors = Object.entries(problem.errors ?? {});
  const notes = new Map();
  const elsewhere = [];
  for (const [path, messages] of errors) {
    const shown = fields.filter(candidate => !candidate.closest('[data-fields][hidden]'));
    const field = shown.find(candidate => candidate.dataset.path === fieldOf(path))
      ?? shown.find(candidate => candidate.dataset.path.startsWith(`${fieldOf(path)}.`));
    if (field) notes.set(field, [...(notes.get(field) ?? []), ...messages]);
    else elsewhere.push(...messages.map(message => (path ? `${path}: ${message}` : message)));
  }

  for (const [field, messages] of notes) {
    const note = element('p', { class: 'field-error', id: `${field.id}-error` }, [...new Set(messages)].join('; '));
    field.parentElement.append(note);
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', note.id);
    const details = field.closest('details');
    if (details) details.open = true;
  }

  const lines = errors.length === 0 ? [problem.message] : elsewhere;
  if (notes.size > 0) {
    lines.unshift(notes.size === 1 ? 'One field cannot be used as it is.' : `${notes.size} fields cannot be used as they are.`);
  }
  summary.append(...lines.map(line => element('p', {}, line)));
  summary.hidden = false;
  (fields.find(field => notes.has(field)) ?? button).focus();
}
