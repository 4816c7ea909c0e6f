import { byId, element, say } from './dom.js';
import { count, duration } from './figures.js';
import { startRun } from './api.js';

const form = byId('spec');
const fields = [...form.querySelectorAll('[data-path]')];
const summary = byId('spec-errors');

/** Lets the form start runs. */
export function connectForm(onStarted) {
  const kind = byId('f-kind');
  const showBatchSize = () => { byId('batch-size').hidden = !['batch', 'tableBatch'].includes(kind.value); };
  kind.addEventListener('change', showBatchSize);
  showBatchSize();

  form.addEventListener('submit', async event => {
    event.preventDefault();
    const button = byId('start-button');
    button.disabled = true;
    say(byId('started'), '');
    clearErrors();
    try {
      const started = await startRun(specOf());
      say(byId('started'), `Started ${started.id}: ${about(started.estimate)}.`);
      onStarted(started.id);
    } catch (problem) {
      showErrors(problem);
    } finally {
      button.disabled = false;
    }
  });
}

/** Only what was filled in: the server has the defaults. What is no number is sent as it stands, for the server to name. */
function specOf() {
  const spec = {};
  for (const field of fields) {
    const text = field.value.trim();
    if (text === '' || field.closest('[hidden]')) continue;
    const names = field.dataset.path.split('.');
    const last = names.pop();
    const target = names.reduce((inner, name) => (inner[name] ??= {}), spec);
    const number = Number(text.replaceAll(',', ''));
    target[last] = 'number' in field.dataset && Number.isFinite(number) ? number : text;
  }
  return spec;
}

function about({ requestUnits, seconds }) {
  const units = `about ${count(requestUnits)} RU`;
  return seconds === null ? units : `${units}, at least ${duration(seconds)} minutes`;
}

function clearErrors() {
  summary.hidden = true;
  summary.replaceChildren();
  for (const field of fields) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
    field.parentElement.querySelector('.field-error')?.remove();
  }
}

function showErrors(problem) {
  const errors = Object.entries(problem.errors ?? {});
  const elsewhere = [];
  let first = null;
  for (const [path, messages] of errors) {
    const field = fields.find(candidate => candidate.dataset.path === path);
    if (!field) {
      elsewhere.push(...messages.map(message => (path ? `${path}: ${message}` : message)));
      continue;
    }
    const note = element('p', { class: 'field-error', id: `${field.id}-error` }, messages.join('; '));
    field.parentElement.append(note);
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', note.id);
    const hidden = field.closest('details');
    if (hidden) hidden.open = true;
    first = first && fields.indexOf(first) < fields.indexOf(field) ? first : field;
  }

  const lines = errors.length === 0 ? [problem.message] : elsewhere;
  const marked = errors.length - new Set(elsewhere.map(line => line.split(':')[0])).size;
  if (errors.length > 0 && marked > 0) {
    lines.unshift(marked === 1 ? 'One field cannot be used as it is.' : `${marked} fields cannot be used as they are.`);
  }
  summary.append(...lines.map(line => element('p', {}, line)));
  summary.hidden = false;
  (first ?? byId('start-button')).focus();
}
