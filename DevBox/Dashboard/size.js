// Asks which fleet a rate needs, or which rate a fleet reaches, and shows the result as a page.
import { byId, element, say } from './dom.js';
import { Problem, result, resultPath, size } from './api.js';
import { clearErrors, showErrors } from './errors.js';
import { fields as facts } from './facts.js';
import { showPage } from './report.js';
import { titleOf } from './spec.js';

const form = byId('size-form');
const fields = [...form.querySelectorAll('[data-path]')];
const summary = byId('size-errors');
const OWN = 'template';
const SIZED = 'bytes';

// A server reads no files, and the kinds of a mix are fields of a spec.
const kinds = facts['document.kind'].names.filter(name => !['csv', 'mixed'].includes(name));
byId('s-document').append(...kinds.map(name => element('option', { value: name }, titleOf(name))));
byId('s-document').append(element('option', { value: SIZED }, 'Of a given size'));
byId('s-document').value = facts['document.kind'].default;
form.addEventListener('change', showWhatApplies);
showWhatApplies();

form.addEventListener('submit', async event => {
  event.preventDefault();
  clearErrors(fields, summary);
  const measures = byId('s-cpu').value.trim() === '';
  busy(measures ? 'Measuring what an operation costs on this machine, then looking for the fleet: 10 to 25 s…' : 'Looking for the fleet…');
  try {
    const { id, spec } = await size(question());
    history.replaceState(null, '', `#${encodeURIComponent(id)}`);
    show(id, spec);
    byId('result').focus();
  } catch (problem) {
    showErrors(fields, summary, byId('size-button'), problem);
  } finally {
    busy(null);
  }
});

const kept = decodeURIComponent(location.hash.slice(1));
if (kept && kept !== 'result') {
  try {
    await result(kept);
    show(kept, null);
  } catch (problem) {
    say(byId('working'), problem.message);
  }
}

/** Hides the fields of the other question, and those of other kinds of documents. */
function showWhatApplies() {
  const shown = [new FormData(form).get('by'), byId('s-document').value];
  for (const part of form.querySelectorAll('[data-for]')) part.hidden = !shown.includes(part.dataset.for);
}

/** The visible fields that are filled in, by the names of the options of size. */
function question() {
  const used = fields.filter(field => field.value.trim() !== '' && !field.closest('[hidden]') && field.id !== 's-template');
  const asked = Object.fromEntries(used.map(field => [field.dataset.path, textOf(field)]));
  const chosen = byId('s-document').value;
  if (chosen === OWN) asked.document = parsed('template', 'paste one of your documents, with placeholders such as {{id}} and {{key}}');
  // A document of a given size replaces a kind.
  if (chosen === SIZED) delete asked.document;
  if (asked.prices) asked.prices = parsed('prices', 'paste a price file, such as infra/prices.json');
  return asked;
}

const textOf = field => ('number' in field.dataset ? field.value.trim().replaceAll(',', '') : field.value.trim());

/** Parses the JSON in a text area. An error names that field. */
function parsed(name, help) {
  try {
    return JSON.parse(byId(`s-${name}`).value);
  } catch {
    throw new Problem(400, { errors: { [name]: [`is no JSON; ${help}`] } });
  }
}

function busy(text) {
  byId('size-button').disabled = text !== null;
  say(byId('working'), text ?? '');
}

function show(id, spec) {
  byId('result-hint').hidden = true;
  byId('result-links').hidden = false;
  byId('result-html').setAttribute('href', resultPath(id, 'html'));
  byId('result-md').setAttribute('href', resultPath(id, 'md'));
  byId('result-json').setAttribute('href', resultPath(id, 'json'));
  byId('result-spec').hidden = !spec;
  say(byId('result-spec-json'), spec ? JSON.stringify(spec, null, 2) : '');
  showPage(resultPath(id, 'html'));
}
