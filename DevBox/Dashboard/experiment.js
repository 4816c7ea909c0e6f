import { byId, element, say } from './dom.js';
import { brief, count, percent } from './figures.js';
import { write } from './place.js';

/** Shows the progress of an experiment or of a search for a limit. */
export function showExperiment(status) {
  const share = status.runs > 0 ? status.ended / status.runs : 0;
  const searches = status.bracket !== undefined || status.outcome?.limit !== undefined;
  byId('progress').value = searches ? (status.outcome ? 1 : 0) : share;
  byId('progress').hidden = searches && !status.outcome;
  say(byId('progress-text'), searches ? `${count(status.ended)} runs measured`
    : `${status.ended} of ${status.runs} runs (${percent(share)})`);
  const origin = status.outcome?.simulated ? ', simulated' : '';
  const rows = [
    ['now', status.variant ? `${status.variant}, repeat ${status.repeat}` : null],
    ['not complete', status.notComplete > 0
      ? `${count(status.notComplete)}${status.lastNotComplete ? `; the last: ${status.lastNotComplete}` : ''}` : null],
    ['the limit, documents/s', between(status.outcome?.limit ?? status.bracket)],
    ...Object.entries(status.outcome?.verdicts ?? {}).map(([verdict, times]) =>
      [`${words(verdict)}${origin}`, times > 0 ? count(times) : null]),
  ];
  byId('figures').replaceChildren(...rows
    .filter(([, value]) => value !== null)
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
  byId('current-run').hidden = !status.runId;
  if (status.runId) {
    const link = element('a', { href: write({ kind: 'run', id: status.runId }) }, status.runId);
    byId('current-run').replaceChildren('The run that is on: ', link);
  }
}

function between(limit) {
  if (!limit || (limit.low === null && limit.high === null)) return null;
  return limit.high === null ? `over ${brief(limit.low)}` : limit.low === null ? `under ${brief(limit.high)}`
    : `${brief(limit.low)} to ${brief(limit.high)}`;
}

const words = name => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
