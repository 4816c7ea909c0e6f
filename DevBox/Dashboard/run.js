import { byId, element, say } from './dom.js';
import { partitionShare } from './facts.js';
import { brief, compact, count, duration, milliseconds, percent } from './figures.js';
import { areas, bars, lines } from './plots.js';

const MOST_SAMPLES = 1200;
const MOST_BANDS = 8;
const SHOWN_WORKERS = 50;

let samples = [];
let status = null;

/** Another run is shown from now on. */
export function clearRun() {
  samples = [];
  status = null;
}

/** Shows a run in figures, plots and by worker. */
export function showRun(next) {
  status = next;
  if (status.phase === 'running' && status.perSecond && status.done > 0) remember();
  const share = status.asked > 0 ? Math.min(1, status.done / status.asked) : 0;
  byId('progress').value = share;
  byId('progress').hidden = false;
  say(byId('progress-text'), `${count(status.done)} of ${count(status.asked)} documents (${percent(share)})`);
  byId('current-run').hidden = true;
  showFigures();
  drawPlots();
  showWorkers(status.workers);
}

function remember() {
  const at = status.elapsedSeconds ?? 0;
  const last = samples[samples.length - 1];
  if (last && at <= last.at) return;
  const bands = bandsOf(status.workers);
  samples.push({
    at,
    rates: bands.map(band => band.workers.reduce((total, worker) => total + worker.perSecond.documents, 0)),
    throttled: status.perSecond.throttled,
    p50: status.p50Ms,
    p99: status.p99Ms,
  });
  if (samples.length > MOST_SAMPLES) samples.shift();
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

function showFigures() {
  const rates = status.done > 0 ? status.perSecond : null;
  const rows = [
    ['documents/s', rates ? brief(rates.documents) : null],
    ['p50', status.p50Ms === null ? null : milliseconds(status.p50Ms)],
    ['p99', status.p99Ms === null ? null : milliseconds(status.p99Ms)],
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

/** Draws the plots again, as for another width. */
export function drawPlots() {
  if (status === null) return;
  byId('plots').hidden = samples.length === 0;
  if (samples.length === 0) return;
  const bands = bandsOf(status.workers);
  const colours = bands.map((_, i) => `s${i}`);
  byId('rate-legend').replaceChildren(...bands.map((band, i) => element('li', {}, element('span', { class: `key s${i}` }), band.name)));
  areas(byId('rate-plot'), samples.map(sample => ({ at: sample.at, values: sample.rates })), colours, 220);
  const newest = samples[samples.length - 1];
  const best = Math.max(...samples.map(sample => total(sample.rates)));
  const now = status.phase !== 'running' ? 'At' : `Now ${count(total(newest.rates))}/s, at`;
  say(byId('rate-caption'), `${simulated(status)}${now} most ${count(best)}/s, each over the four seconds before.`);

  areas(byId('throttle-plot'), samples.map(sample => ({ at: sample.at, values: [sample.throttled] })), ['throttled'], 110);
  say(byId('throttle-caption'), `${simulated(status)}${count(status.throttled)} operations got a 429.`);
  const timed = samples.filter(sample => sample.p99 !== null);
  byId('latencies').hidden = timed.length === 0;
  if (timed.length > 0) {
    lines(byId('latency-plot'), timed.map(sample => ({ at: sample.at, values: [sample.p50, sample.p99] })), ['s0', 's5'], 140);
    const last = timed[timed.length - 1];
    say(byId('latency-caption'), `${simulated(status)}${status.phase === 'running' ? 'Now' : 'Last'} p50 ${milliseconds(last.p50)}, p99 `
      + `${milliseconds(last.p99)} over the ten seconds before, waits after a 429 included.`);
  }
  drawPartitions();
}

function drawPartitions() {
  const partitions = status.partitions;
  byId('partitions').hidden = partitions.length === 0 || status.phase !== 'running';
  if (byId('partitions').hidden) return;
  const budget = partitions[0].budgetPerSecond;
  bars(byId('partition-plot'), partitions.map(partition => partition.requestUnitsPerSecond), budget, partitionShare, 170);
  say(byId('partition-limit'), `at ${percent(partitionShare)} of the budget or more`);
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
