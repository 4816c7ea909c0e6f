import { byId, element } from './dom.js';
import { when } from './figures.js';
import { listRuns, reportPath } from './api.js';

const PAGE = 8;

// Continuations of the pages before this one, the first page's being null.
let trail = [null];
let next = null;
let choose = () => {};

/** Shows the list; calls back with the id of a run that was chosen. */
export function connectRuns(onChosen) {
  choose = onChosen;
  byId('older').addEventListener('click', () => { if (next) { trail.push(next); refresh(); } });
  byId('newer').addEventListener('click', () => { if (trail.length > 1) { trail.pop(); refresh(); } });
}

/** Goes back to the newest runs. */
export function newest() {
  trail = [null];
  return refresh();
}

/** Reads the page again; gives its runs, or none when the server does not respond. */
export async function refresh(watched) {
  let page;
  try {
    page = await listRuns(trail[trail.length - 1], PAGE);
  } catch {
    return [];
  }
  next = page.continuation;
  // A button that has the focus must not lose it to nowhere.
  toggle(byId('older'), next === null, byId('newer'));
  toggle(byId('newer'), trail.length === 1, byId('older'));
  byId('pages').hidden = next === null && trail.length === 1;
  byId('no-runs').hidden = page.runs.length > 0;
  const focused = document.activeElement?.dataset?.run;
  byId('runs').replaceChildren(...page.runs.map(run => row(run)));
  if (focused) [...byId('runs').querySelectorAll('button')].find(button => button.dataset.run === focused)?.focus();
  if (watched) mark(watched);
  return page.runs;
}

/** Marks the run that is shown. */
export function mark(id) {
  for (const button of byId('runs').querySelectorAll('button')) {
    if (button.dataset.run === id) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
}

function row(run) {
  const button = element('button', { type: 'button', class: 'link', 'data-run': run.id }, run.name || run.id);
  button.addEventListener('click', () => choose(run.id));
  const ended = !['queued', 'running', 'stopping', 'interrupted'].includes(run.state);
  return element('li', {},
    element('span', { class: 'what' }, button, run.name ? element('span', { class: 'id' }, run.id) : null),
    element('time', { datetime: run.startedAt }, when(run.startedAt)),
    element('span', { class: `badge ${run.state}` }, run.state),
    ended
      ? element('a', {
        href: reportPath(run.id, 'html'), target: '_blank', rel: 'noopener', 'aria-label': `Report of ${run.name || run.id}`,
      }, 'report')
      : element('span', {}));
}

function toggle(button, disabled, other) {
  const focused = document.activeElement === button;
  button.disabled = disabled;
  if (disabled && focused) other.focus();
}
