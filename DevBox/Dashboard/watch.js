import { byId, element, say } from './dom.js';
import { compact, count, duration, percent } from './figures.js';
import { readRun, reportPath, stopRun } from './api.js';
import { areas, bars } from './plots.js';

const POLL_MS = 1000;
const HIDDEN_POLL_MS = 5000;
const MOST_SAMPLES = 1200;
const MOST_BANDS = 8;
const SHOWN_WORKERS = 50;
const ACTIVE = ['queued', 'running', 'stopping'];
const PHASES = {
  preparing: 'preparing the container',
  running: 'running the workload',
  verifying: 'counting the documents',
  reporting: 'writing the report',
  cleaningUp: 'cleaning up',
  ended: 'ending',
};

let current = null;
let timer = null;
let onChange = () => {};

/** Sets the function that is called when the run's state has changed. */
export function connectWatch(changed) {
  onChange = changed;
  byId('stop').addEventListener('click', stop);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) poll(); });
  window.addEventListener('resize', () => { if (current?.status) drawPlots(); });
}

export const watchedId = () => current?.id ?? null;

/** Shows a run and follows it to its end. */
export function watch(id) {
  if (current?.id === id) return;
  current = { id, samples: [], status: null, announced: '' };
  say(byId('watch-title'), `Run ${id}`);
  byId('watch-hint').hidden = true;
  byId('run').hidden = true;
  byId('badges').replaceChildren();
  poll();
}

async function poll() {
  clearTimeout(timer);
  const asked = current;
  if (!asked) return;
  try {
    const status = await readRun(asked.id);
    if (asked !== current) return;
    trouble(null);
    show(status);
    if (ACTIVE.includes(status.state)) schedule();
  } catch (problem) {
    if (asked !== current) return;
    trouble(problem.message);
    if (problem.status !== 404) schedule();
  }
}

function schedule() {
  timer = setTimeout(poll, document.hidden ? HIDDEN_POLL_MS : POLL_MS);
}

async function stop() {
  byId('stop').disabled = true;
  try {
    await stopRun(current.id);
  } catch (problem) {
    trouble(problem.message);
  }
  byId('watch').focus();
  poll();
}

function trouble(text) {
  byId('trouble').hidden = text === null;
  say(byId('trouble'), text ?? '');
}

function show(status) {
  const before = current.status?.state;
  current.status = status;
  if (status.perSecond && status.done > 0) remember(status);
  byId('run').hidden = false;
  say(byId('watch-title'), status.name || `Run ${status.id}`);
  showState(status);
  showFigures(status);
  showActions(status);
  drawPlots();
  showWorkers(status.workers);
  if (before !== status.state) onChange();
}

function remember(status) {
  const at = status.elapsedSeconds ?? 0;
  const last = current.samples[current.samples.length - 1];
  if (last && at <= last.at) return;
  const bands = bandsOf(status.workers);
  current.samples.push({
    at,
    rates: bands.map(band => band.workers.reduce((total, worker) => total + worker.perSecond.documents, 0)),
    throttled: status.perSecond.throttled,
  });
  if (current.samples.length > MOST_SAMPLES) current.samples.shift();
}

/** Up to eight workers have a band each; more share them. */
function bandsOf(workers) {
  const size = Math.ceil(workers.length / MOST_BANDS);
  const bands = [];
  for (let first = 0; first < workers.length; first += size) {
    const some = workers.slice(first, first + size);
    const lastIndex = some[some.length - 1].index;
    bands.push({ workers: some, name: some.length === 1 ? `worker ${some[0].index}` : `workers ${some[0].index} to ${lastIndex}` });
  }
  return bands;
}

function doingOf(status) {
  if (status.state === 'running') {
    return status.phase === 'running' && status.done === 0 ? 'starting the workers' : PHASES[status.phase];
  }
  return status.state === 'queued' && status.runsAhead > 0
    ? `waits for ${status.runsAhead} other${status.runsAhead === 1 ? '' : 's'}`
    : null;
}

function showState(status) {
  const doing = doingOf(status);
  const badges = [element('span', { class: `badge ${status.state}` }, status.state)];
  if (status.simulated) badges.push(element('span', { class: 'badge sim' }, 'simulated'));
  if (doing) badges.push(element('span', { class: 'doing' }, doing));
  const box = byId('badges');
  if (box.textContent !== badges.map(badge => badge.textContent).join('')) box.replaceChildren(...badges);

  const share = status.asked > 0 ? Math.min(1, status.done / status.asked) : 0;
  byId('progress').value = share;
  say(byId('progress-text'), `${count(status.done)} of ${count(status.asked)} documents (${percent(share)})`);

  // Every tenth is announced, not every second.
  const tenth = `${status.state}${status.state === 'running' ? ` ${Math.floor(share * 10) * 10} %` : ''}`;
  if (tenth !== current.announced) say(byId('announce'), `Run ${status.id}: ${tenth}`);
  current.announced = tenth;

  const reasons = byId('reasons');
  const troubles = [...status.reasons, ...status.warnings];
  reasons.hidden = troubles.length === 0;
  reasons.replaceChildren(...troubles.map(reason => element('li', {}, reason)));
}

function showFigures(status) {
  const rates = status.done > 0 ? status.perSecond : null;
  const rows = [
    ['documents/s', rates ? count(rates.documents) : null],
    ['RU/s', rates ? count(rates.requestUnits) : null],
    ['throttled/s', rates ? count(rates.throttled) : null],
    ['throttled in all', status.workers.length > 0 && status.done > 0 ? count(status.throttled) : null],
    ['time', status.elapsedSeconds === null ? null : duration(status.elapsedSeconds)],
    ['to go, about', status.remainingSeconds === null ? null : duration(status.remainingSeconds)],
    ['lost legs', status.lostLegs > 0 ? count(status.lostLegs) : null],
  ];
  byId('figures').replaceChildren(...rows
    .filter(([, value]) => value !== null)
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

function showActions(status) {
  const active = ACTIVE.includes(status.state);
  const stopButton = byId('stop');
  stopButton.hidden = !active;
  stopButton.disabled = status.state === 'stopping';
  byId('reports').hidden = active || status.state === 'interrupted';
  for (const format of ['html', 'md', 'csv', 'json']) byId(`report-${format}`).setAttribute('href', reportPath(status.id, format));
}

function drawPlots() {
  const { samples, status } = current;
  byId('plots').hidden = samples.length === 0;
  if (samples.length === 0) return;
  const bands = bandsOf(status.workers);
  const colours = bands.map((_, i) => `s${i}`);
  byId('rate-legend').replaceChildren(...bands.map((band, i) => element('li', {}, element('span', { class: `key s${i}` }), band.name)));
  areas(byId('rate-plot'), samples.map(sample => ({ at: sample.at, values: sample.rates })), colours, 220);
  const newest = samples[samples.length - 1];
  const best = Math.max(...samples.map(sample => total(sample.rates)));
  const now = status.perSecond === null ? 'At' : `Now ${count(total(newest.rates))}/s, at`;
  say(byId('rate-caption'), `${simulated(status)}${now} most ${count(best)}/s, each over the four seconds before.`);

  areas(byId('throttle-plot'), samples.map(sample => ({ at: sample.at, values: [sample.throttled] })), ['throttled'], 110);
  say(byId('throttle-caption'), `${simulated(status)}${count(status.throttled)} operations got a 429.`);
  drawPartitions(status);
}

function drawPartitions(status) {
  const partitions = status.partitions;
  byId('partitions').hidden = partitions.length === 0 || status.perSecond === null;
  if (byId('partitions').hidden) return;
  const budget = partitions[0].budgetPerSecond;
  bars(byId('partition-plot'), partitions.map(partition => partition.requestUnitsPerSecond), budget, 170);
  const busiest = partitions.reduce(
    (most, partition, i) => (partition.requestUnitsPerSecond > partitions[most].requestUnitsPerSecond ? i : most), 0);
  const load = partitions[busiest].requestUnitsPerSecond;
  const of = budget === null
    ? '; the budget is not known'
    : ` of ${count(budget)} (${percent(load / budget)})${status.simulated ? '' : ', assumed even'}`;
  const caption = `Partition ${busiest} of ${partitions.length} is the busiest: ${count(load)} RU/s${of}.`;
  say(byId('partition-caption'), simulated(status) + caption);
}

function showWorkers(workers) {
  byId('workers').hidden = workers.length === 0;
  byId('workers').classList.toggle('flawless', workers.every(worker => worker.lastError === null));
  const rows = workers.slice(0, SHOWN_WORKERS).map(worker => element('tr', {},
    element('th', { scope: 'row' }, worker.index),
    element('td', {}, worker.state),
    element('td', { class: 'number' }, percent(worker.asked > 0 ? worker.done / worker.asked : 1)),
    element('td', { class: 'number' }, count(worker.perSecond.documents)),
    element('td', { class: 'number' }, compact(worker.throttled)),
    element('td', { class: 'error' }, worker.lastError ?? '')));
  if (workers.length > SHOWN_WORKERS) {
    rows.push(element('tr', {}, element('td', { colspan: 6 }, `and ${count(workers.length - SHOWN_WORKERS)} more`)));
  }
  byId('worker-rows').replaceChildren(...rows);
}

const total = values => values.reduce((sum, value) => sum + value, 0);
const simulated = status => (status.simulated ? 'Simulated. ' : '');
