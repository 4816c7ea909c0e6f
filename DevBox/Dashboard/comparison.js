import { byId, element, say } from './dom.js';
import { brief } from './figures.js';
import { compare } from './api.js';
import { nameOf } from './list.js';
import { sayIfItScrolls } from './tables.js';

const VERDICTS = { differs: 'differs', same: 'the same', noDifferenceShown: 'no difference shown', notKnown: 'noise not known' };
const HEADINGS = [['settings', 'Settings that differ'], ['findings', 'Findings'], ['notes', 'Notes']];

let asked = 0;

/** Shows how two runs or experiments differ. A later call replaces one that is still loading. */
export async function showComparison(a, b) {
  const number = ++asked;
  const body = byId('comparison-body');
  byId('comparison').hidden = false;
  say(byId('comparison-title'), `${nameOf(b)} against ${nameOf(a)}`);
  body.replaceChildren(element('p', { class: 'note' }, 'Comparing…'));
  let shown;
  try {
    shown = parts(await compare(a, b));
  } catch (problem) {
    const lines = Object.values(problem.errors ?? {}).flat();
    shown = [element('p', { class: 'errors' }, lines.length > 0 ? lines.join('; ') : problem.message)];
  }
  if (number === asked) body.replaceChildren(...shown);
}

function parts({ a, b, simulated, result, invalid, rows, ...lists }) {
  const known = rows.some(row => row.interval95);
  const head = ['Figure', nameOf(a), nameOf(b), 'Ratio', ...(known ? ['95% interval'] : []), 'Verdict']
    .map((title, i, all) => element('th', { scope: 'col', class: i > 0 && i < all.length - 1 ? 'number' : null }, title));
  const table = element('table', {},
    element('caption', {}, `${simulated ? 'Simulated. ' : ''}Ratio is the second one over the first.`),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows.map(row => element('tr', { class: row.verdict },
      element('th', { scope: 'row' }, row.figure),
      element('td', { class: 'number' }, figure(row.a)),
      element('td', { class: 'number' }, figure(row.b)),
      element('td', { class: 'number' }, row.ratio === null ? '' : `${brief(row.ratio)} x`),
      known ? element('td', { class: 'number' }, row.interval95 ? `${brief(row.interval95.low)} to ${brief(row.interval95.high)}` : '')
        : null,
      element('td', { title: row.basis }, VERDICTS[row.verdict])))));
  const box = element('div', { class: 'scroll', role: 'region', 'aria-label': 'Comparison', tabindex: '0' }, table);
  sayIfItScrolls(box);
  return [
    element('p', { class: invalid.length > 0 ? 'verdict invalid' : 'verdict' }, result[0]),
    box,
    ...HEADINGS.filter(([name]) => lists[name].length > 0).flatMap(([name, title]) => [
      element('h3', {}, title), element('ul', { class: 'plain' }, ...lists[name].map(line => element('li', {}, line)))]),
  ];
}

const figure = value => (value === null || value === undefined ? '-' : brief(value));
