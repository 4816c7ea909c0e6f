import { byId, element, say } from './dom.js';
import { partitionShare } from './facts.js';
import { brief, compact, count, duration, milliseconds, percent } from './figures.js';
import { ChartView, stack } from './charts.js';
import { sayIfItScrolls } from './tables.js';

const MOST_SAMPLES = 1200;
const MOST_BANDS = 8;
const SHOWN_WORKERS = 50;

const [rates, throttles, latencies] = stack(['rate-plot', 'throttle-plot', 'latency-plot'].map(byId));
const partitions = new ChartView(byId('partition-plot'));

let samples = [];
let status = null;

sayIfItScrolls(byId('workers'));

/** Prepares for another run. */
export function clearRun() {
  samples = [];
  status = null;
}

/** Shows a run's figures, charts and workers. */
export function showRun(next) {
  status = next;
  if (status.phase === 'running' && status.perSecond && status.done > 0) remember();
  const share = status.asked > 0 ? Math.min(1, status.done / status.asked) : 0;
  byId('progress').value = share;
  byId('progress').hidden = false;
  say(byId('progress-text'), `${count(status.done)} of ${count(status.asked)} documents (${percent(share)})`);
  byId('current-run').hidden = true;
  showFigures();
  drawCharts();
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
    p50: status.latencyMs?.p50 ?? null,
    p99: status.latencyMs?.p99 ?? null,
  });
  if (samples.length > MOST_SAMPLES) samples.shift();
}

/** Up to eight workers have a band each. More than eight share bands. */
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
  const latency = status.latencyMs;
  const rows = [
    ['documents/s', rates ? brief(rates.documents) : null],
    ['p50', latency === null ? null : milliseconds(latency.p50)],
    ['p99', latency === null ? null : milliseconds(latency.p99)],
    ['RU/s', rates ? count(rates.requestUnits) : null],
    ['throttled/s', rates ? count(rates.throttled) : null],
    ['throttled in all', status.workers.length > 0 && status.done > 0 ? count(throttledOf(status)) : null],
    ['time', status.elapsedSeconds === null ? null : duration(status.elapsedSeconds)],
    ['to go, about', status.remainingSeconds === null ? null : duration(status.remainingSeconds)],
    ['lost legs', status.lostLegs > 0 ? count(status.lostLegs) : null],
  ];
  byId('figures').replaceChildren(...rows
    .filter(([, value]) => value !== null)
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

function drawCharts() {
  byId('plots').hidden = samples.length === 0;
  if (samples.length === 0) return;
  const bands = bandsOf(status.workers);
  const over = (some, of) => ({ x: some.map(sample => sample.at), y: some.map(of) });
  draw(rates, 'documents per second',
    bands.map((band, i) => ({ name: band.name, colour: `s${i}`, kind: 'area', ...over(samples, sample => sample.rates[i]) })));
  const newest = samples[samples.length - 1];
  const best = Math.max(...samples.map(sample => total(sample.rates)));
  const now = status.phase !== 'running' ? 'At' : `Now ${count(total(newest.rates))}/s, at`;
  say(byId('rate-caption'), `${simulated(status)}${now} most ${count(best)}/s, each over the four seconds before.`);

  draw(throttles, '429s per second',
    [{ name: '429s', colour: 'throttled', kind: 'area', ...over(samples, sample => sample.throttled) }]);
  say(byId('throttle-caption'), `${count(throttledOf(status))} operations got a 429.`);
  const timed = samples.filter(sample => sample.p99 !== null);
  draw(latencies, 'latency of an operation, ms', [
    { name: 'p50', colour: 's0', kind: 'line', ...over(timed, sample => sample.p50) },
    { name: 'p99', colour: 's5', kind: 'line', ...over(timed, sample => sample.p99) },
  ]);
  if (timed.length > 0) {
    const last = timed[timed.length - 1];
    say(byId('latency-caption'), `${status.phase === 'running' ? 'Now' : 'Last'} p50 ${milliseconds(last.p50)}, p99 `
      + `${milliseconds(last.p99)} over the ten seconds before, waits after a 429 included.`);
  }
  drawPartitions();
}

function drawPartitions() {
  const all = status.partitions;
  byId('partitions').hidden = all.length === 0 || status.phase !== 'running';
  if (byId('partitions').hidden) return;
  const budget = all[0].budgetPerSecond;
  const loads = all.map((partition, i) => ({ i, load: partition.perSecond.requestUnits }));
  const isAtLimit = ({ load }) => budget !== null && load >= partitionShare * budget;
  const bars = (name, colour, some) => ({
    name, colour, kind: 'bars', x: some.map(({ i }) => i - 0.4), to: some.map(({ i }) => i + 0.4), y: some.map(({ load }) => load),
    titles: some.map(({ i, load }) => `partition ${i}: ${count(load)} RU/s`),
  });
  partitions.show({
    x: { unit: 'partition', min: -0.6, max: all.length - 0.4, ticks: loads.map(({ i }) => ({ at: i, label: String(i) })) },
    y: { unit: 'RU/s', min: 0 },
    series: [
      bars('RU/s', 's0', loads.filter(one => !isAtLimit(one))),
      bars(`at ${percent(partitionShare)} of the budget or more`, 'throttled', loads.filter(isAtLimit)),
    ],
    marks: budget === null ? [] : [{ axis: 'y', from: budget, name: 'budget', colour: 'limit' }],
    height: 200,
  });
  const busiest = all.reduce((most, partition, i) => (partition.perSecond.requestUnits > all[most].perSecond.requestUnits ? i : most), 0);
  const load = all[busiest].perSecond.requestUnits;
  const of = budget === null
    ? '; the budget is not known'
    : ` of ${count(budget)} (${percent(load / budget)})${status.simulated ? '' : ', assumed even'}`;
  const caption = `Partition ${busiest} of ${all.length} is the busiest: ${count(load)} RU/s${of}.`;
  say(byId('partition-caption'), simulated(status) + caption);
}

/** A chart over the time of the samples. */
function draw(view, unit, series) {
  const [first, last] = [samples[0].at, samples[samples.length - 1].at];
  view.show({ x: { unit: 'elapsed', scale: 'time', min: first, max: Math.max(first + 10, last) }, y: { unit, min: 0 }, series });
}

function showWorkers(workers) {
  byId('workers').hidden = workers.length === 0;
  byId('workers').classList.toggle('flawless', workers.every(worker => worker.lastError === null));
  const rows = workers.slice(0, SHOWN_WORKERS).map(worker => element('tr', {},
    element('th', { scope: 'row' }, worker.index),
    element('td', {}, worker.state),
    element('td', { class: 'number' }, percent(worker.asked > 0 ? worker.done / worker.asked : 1)),
    element('td', { class: 'number' }, count(worker.perSecond.documents)),
    element('td', { class: 'number' }, compact(throttledOf(worker))),
    element('td', { class: 'error' }, worker.lastError ?? '')));
  if (workers.length > SHOWN_WORKERS) {
    rows.push(element('tr', {}, element('td', { colspan: 6 }, `and ${count(workers.length - SHOWN_WORKERS)} more`)));
  }
  byId('worker-rows').replaceChildren(...rows);
}

/** The counts of a status that are not zero. */
const throttledOf = of => of.counts.throttled ?? 0;
const total = values => values.reduce((sum, value) => sum + value, 0);
const simulated = status => (status.simulated ? 'Simulated. ' : '');
