import { byId, element, say } from './dom.js';
import { brief, invalidOf, milliseconds, when } from './figures.js';
import { list, reportPath } from './api.js';
import { write } from './place.js';

const PAGE = 8;
const TYPING_MS = 250;
const POLL_MS = 5000;

// Continuations of the pages up to this one. That of the first page is null.
let trail = [null];
const names = new Map();
let next = null;
let ticked = [];
let shown = null;
let asked = 0;
let typing = null;

/** Shows the lists. Calls back with two ids of one kind to compare them. */
export function connectList(onCompare) {
  byId('filters').addEventListener('submit', event => { event.preventDefault(); newest(); });
  byId('older').addEventListener('click', () => { if (next) { trail.push(next); refresh(); } });
  byId('newer').addEventListener('click', () => { if (trail.length > 1) { trail.pop(); refresh(); } });
  byId('list-kinds').addEventListener('change', () => { ticked = []; newest(); });
  byId('state').addEventListener('change', newest);
  byId('search').addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(newest, TYPING_MS);
  });
  byId('search').addEventListener('keydown', event => {
    if (event.key !== 'Escape' || byId('search').value === '') return;
    event.preventDefault();
    event.stopPropagation();
    byId('search').value = '';
    newest();
  });
  byId('compare').addEventListener('click', () => onCompare(...ticked));
  showTicked();
}

/** Reads the shown page again at an interval while somebody sees it. */
export function keepRefreshed() {
  setInterval(() => { if (!document.hidden && listedKind()) refresh(); }, POLL_MS);
}

/** The name of a run or an experiment that was listed; its id if it has none. */
export const nameOf = id => names.get(id) ?? id;

export const listedKind = () => new FormData(byId('filters')).get('kind');

/** Shows the list of a kind. */
export function showKind(kind) {
  const button = byId(`list-${kind}`);
  if (button.checked) return;
  button.checked = true;
  ticked = [];
  trail = [null];
}

/** Shows the first page, which has the newest. */
export function newest() {
  trail = [null];
  return refresh();
}

/** Reads the page again. Returns its entries, or nothing if the server does not respond. */
export async function refresh() {
  const number = ++asked;
  const kind = listedKind();
  let page;
  try {
    page = await list(kind, {
      pageSize: PAGE, continuation: trail[trail.length - 1], search: byId('search').value.trim(), state: byId('state').value,
    });
  } catch {
    return [];
  }
  // A later request replaces this one.
  if (number !== asked) return [];
  next = page.continuation;
  // A disabled button would lose the focus to the page.
  toggle(byId('older'), next === null, byId('newer'));
  toggle(byId('newer'), trail.length === 1, byId('older'));
  byId('pages').hidden = next === null && trail.length === 1;
  const filtered = byId('search').value.trim() !== '' || byId('state').value !== '';
  byId('no-runs').hidden = page.items.length > 0;
  say(byId('no-runs'), !filtered ? 'There are none yet.'
    : next === null ? 'None of these fits the search.' : 'None of those looked at so far fits the search; there are older ones.');
  const focused = document.activeElement?.dataset?.key;
  byId('list-head').hidden = page.items.length === 0;
  byId('runs').replaceChildren(...page.items.flatMap((item, i) => [heading(item, page.items[i - 1]), row(item)]).filter(Boolean));
  if (focused) byId('runs').querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  mark(shown);
  showTicked();
  return page.items;
}

/** Marks the entry that is shown beside the list. */
export function mark(item) {
  shown = item;
  for (const link of byId('runs').querySelectorAll('a[data-id]')) {
    if (item && link.dataset.id === item.id && item.kind === listedKind()) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** A line above the runs of one experiment. */
function heading(item, before) {
  const experiment = item.experiment ?? null;
  if (experiment === (before?.experiment ?? null)) return null;
  return element('li', { class: 'group' }, ...experiment === null ? ['Runs of their own'] : [
    'Runs of ', element('a', { 'data-key': `of ${experiment}`, href: write({ kind: 'experiment', id: experiment }) }, experiment)]);
}

function row(item) {
  const name = item.name || item.id;
  names.set(item.id, name);
  const ended = !['queued', 'running', 'stopping', 'interrupted'].includes(item.state);
  const tick = element('input', {
    type: 'checkbox', 'data-key': `tick ${item.id}`, 'aria-label': `Compare ${name}`, checked: ticked.includes(item.id),
    disabled: !ended,
  });
  tick.addEventListener('change', () => {
    // A third one replaces the one that was selected first.
    ticked = tick.checked ? [...ticked, item.id].slice(-2) : ticked.filter(id => id !== item.id);
    for (const other of byId('runs').querySelectorAll('input')) other.checked = ticked.includes(other.dataset.key.slice('tick '.length));
    showTicked();
  });
  return element('li', {},
    tick,
    element('span', { class: 'what' },
      element('a', { class: 'link', 'data-key': item.id, 'data-id': item.id, href: write(item) }, name),
      item.name ? element('span', { class: 'id' }, item.id) : null),
    element('span', { class: 'figure' },
      invalidOf(item).length > 0 ? element('span', { class: 'invalid' }, `not valid: ${invalidOf(item).join(', ')}`) : null,
      ...figureOf(item)),
    element('time', { datetime: item.startedAt }, when(item.startedAt)),
    element('span', { class: `badge ${item.state}` }, item.state),
    ended
      ? element('a', {
        'data-key': `report ${item.id}`, 'aria-label': `Report of ${name}`, href: reportPath(item, 'html'), target: '_blank',
        rel: 'noopener',
      }, 'report')
      : element('span', {}));
}

/** The outcome in a few figures. */
function figureOf(item) {
  if (item.kind === 'run') {
    return [
      item.perSecond > 0 ? element('b', {}, `${brief(item.perSecond)}/s`) : null,
      typeof item.p99Ms === 'number' ? element('span', { class: 'id' }, `p99 ${milliseconds(item.p99Ms)}`) : null,
      item.boundBy ? element('span', { class: 'id' }, item.boundBy) : null];
  }
  const found = Object.entries(item.outcome?.verdicts ?? {}).filter(([, times]) => times > 0);
  const limit = item.outcome?.limit;
  return [
    limit?.low ? element('b', {}, `${brief(limit.low)}/s`) : item.runs ? element('span', {}, `${item.ended} of ${item.runs} runs`) : null,
    item.notComplete > 0 ? element('span', { class: 'invalid' }, `${item.notComplete} not complete`) : null,
    ...found.map(([verdict, times]) => element('span', { class: 'id' }, `${times} ${words(verdict)}`)),
    item.outcome?.simulated ? element('span', { class: 'id' }, 'simulated') : null];
}

const words = name => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

function showTicked() {
  byId('compare').disabled = ticked.length !== 2;
  say(byId('ticked'), ticked.length === 2 ? `${nameOf(ticked[1])} against ${nameOf(ticked[0])}`
    : ticked.length === 1 ? 'Tick one more.'
    : 'Tick two to compare them.');
}

function toggle(button, disabled, other) {
  const focused = document.activeElement === button;
  button.disabled = disabled;
  if (disabled && focused) other.focus();
}
