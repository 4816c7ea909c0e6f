import { byId, element, say } from './dom.js';
import { count, span } from './figures.js';
import { start } from './api.js';
import { clearErrors, showErrors } from './errors.js';
import { fields as facts } from './facts.js';
import { experimentOf, fieldOf, limitOf, nest, secondsOf, titleOf, valueOf } from './spec.js';

const form = byId('spec');
const fields = [...form.querySelectorAll('[data-path]')];
const summary = byId('spec-errors');
const NAMES = { run: 'run', experiment: 'experiment', limit: 'search' };
const EXAMPLE = { name: 'Four clients on 5,000 RU/s', documents: '25,000', workers: '4', throughput: '5,000', concurrency: '2' };

/** Makes the form start runs, experiments and searches for a limit. */
export function connectForm(onStarted) {
  fields.forEach(showFacts);
  form.addEventListener('change', showWhatApplies);
  byId('f-file').addEventListener('change', async event => {
    const [file] = event.target.files;
    if (file) byId('f-json').value = await file.text();
    showWhatApplies();
  });
  byId('f-json').addEventListener('input', showWhatApplies);
  showWhatApplies();

  form.addEventListener('submit', async event => {
    event.preventDefault();
    const button = byId('start-button');
    button.disabled = true;
    say(byId('started'), '');
    clearErrors(fields, summary);
    try {
      const kind = chosen() === 'run' ? 'run' : 'experiment';
      const started = await start(kind, byId('f-json').value.trim() || JSON.stringify(specOf(chosen())), byId('f-failIf').value.trim());
      say(byId('started'), `Started ${started.id}: ${about(started)}.`);
      onStarted({ kind, id: started.id });
    } catch (problem) {
      showErrors(fields, summary, byId('start-button'), problem, fieldOf);
    } finally {
      button.disabled = false;
    }
  });
}

/** Fills in a run that shows something; it is a click away. */
export function fillExample() {
  form.reset();
  fields.forEach(showFacts);
  for (const [field, value] of Object.entries(EXAMPLE)) byId(`f-${field}`).value = value;
  showWhatApplies();
  byId('start-button').focus();
}

/** Sets the options and the default of a field. */
function showFacts(field) {
  const { names, default: standard } = facts[field.dataset.path] ?? {};
  if (field.matches('select:empty')) {
    const offered = names.filter(name => !field.dataset.except?.split(' ').includes(name));
    field.append(...offered.map(name => element('option', { value: name }, titleOf(name))));
  }
  if (field.matches('select') && standard !== undefined) field.value = standard;
  if ('number' in field.dataset && standard !== undefined) field.placeholder = secondsOf(standard).toLocaleString('en-US');
}

const chosen = () => new FormData(form).get('what');

/** Hides fields that do not apply: those of other kinds of load or experiment, and all of them if a spec is given as JSON. */
function showWhatApplies() {
  const variesWorkers = chosen() === 'experiment' && byId('f-vary').value === 'workers';
  const shown = [chosen(), byId('f-kind').value, variesWorkers ? 'fleets' : 'one-fleet'];
  const isText = byId('f-json').value.trim() !== '';
  for (const part of form.querySelectorAll('[data-for]')) part.hidden = !part.dataset.for.split(' ').some(what => shown.includes(what));
  byId('fields').hidden = isText;
  byId('json-only').hidden = !isText;
  byId('f-failIf').placeholder = chosen() === 'run' ? 'throttledShare>0.05' : chosen() === 'limit' ? 'rate<5000' : 'findings.refuted>0';
  say(byId('documents-label'), variesWorkers ? 'Documents of a worker'
    : byId('f-kind').value === 'query' || byId('f-kind').value === 'read' ? 'Operations' : 'Documents');
  say(byId('start-button'), `Start the ${NAMES[chosen()]}`);
}

/** The visible fields that are filled in. The server has the defaults of the others. */
function specOf(what) {
  const used = fields.filter(field => field.id !== 'f-failIf' && !['', facts[field.dataset.path]?.default].includes(field.value.trim())
    && !field.closest('[hidden]'));
  const values = used.map(field => [field.dataset.path, valueOf(field.value.trim(), 'number' in field.dataset)]);
  const { vary, values: texts, repeats, ...run } = nest(values);
  run.name ??= nameOf(what);
  return what === 'experiment' ? experimentOf(run, { path: vary, values: texts ?? '', repeats })
    : what === 'limit' ? limitOf(run)
    : run;
}

/** A name for what was given none, such as "25,000 inserts by 4 workers". */
function nameOf(what) {
  const text = id => byId(id).selectedOptions?.[0].textContent ?? (byId(id).value.trim() || byId(id).placeholder);
  const [kind, workers] = [text('f-kind').toLowerCase(), `${text('f-workers')} worker${text('f-workers') === '1' ? '' : 's'}`];
  return what === 'experiment' ? `${text('f-vary')} ${text('f-values')}: ${kind}`
    : what === 'limit' ? `Limit of ${kind} by ${workers}`
    : `${text('f-documents').replace(/^\d+$/, number => count(number))} ${kind} by ${workers}`;
}

function about({ estimate: { requestUnits, seconds }, runs }) {
  const units = `${runs > 1 ? `${count(runs)} runs, ` : ''}about ${count(requestUnits)} RU`;
  return seconds === null ? units : `${units}, at least ${span(seconds)}`;
}
