// What the page's forms make, and what its addresses name: without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read, write } from '../../DevBox/Dashboard/place.js';
import { experimentOf, fieldOf, limitOf, nest, secondsOf, titleOf, valueOf } from '../../DevBox/Dashboard/spec.js';
import { brief, span } from '../../DevBox/Dashboard/figures.js';

test('fields become a spec; what is no number stays for the server to name', () => {
  assert.deepEqual(
    nest([
      ['documents', valueOf('20,000', true)], ['workers', valueOf('many', true)], ['client.rate', 5], ['client.connectionMode', 'Direct']]),
    { documents: 20_000, workers: 'many', client: { rate: 5, connectionMode: 'Direct' } });
});

test('an experiment has a variant for each value, and the claims that so many can test', () => {
  const run = { id: 'x', name: 'n', documents: 100, client: { rate: 5 } };
  const fleet = experimentOf(run, { path: 'workers', values: '1, 2;4', repeats: 3 });
  assert.deepEqual(fleet.base, { documents: 100, client: { rate: 5 } });
  assert.deepEqual([fleet.id, fleet.name, fleet.repeats], ['x', 'n', 3]);
  assert.deepEqual(fleet.variants[2], { name: 'workers 4', change: { workers: 4, documents: 400 } });
  assert.deepEqual(fleet.findings, [{ kind: 'singleUnitPredictsFleet', variants: ['workers 1', 'workers 2', 'workers 4'] }]);

  const modes = experimentOf(run, { path: 'client.connectionMode', values: 'Gateway Direct', repeats: '' });
  assert.deepEqual(modes.variants[0], { name: 'connectionMode Gateway', change: { client: { connectionMode: 'Gateway' } } });
  assert.equal(modes.findings[0].kind, 'directBeatsGateway');
  assert.ok(!('repeats' in modes));
  assert.deepEqual(experimentOf(run, { path: 'container.indexing', values: 'Lazy', repeats: 1 }).findings, []);
  assert.deepEqual(experimentOf(run, { path: 'workload.batchSize', values: '', repeats: 1 }).variants, []);
});

test('a search has no number of documents, and its seconds become a duration', () => {
  assert.deepEqual(
    limitOf({ id: 'x', documents: 5, workers: 4, limit: { until: 'p99<20ms', stepDuration: 75 } }),
    { id: 'x', base: { workers: 4 }, limit: { until: 'p99<20ms', stepDuration: '00:01:15' } });
  assert.deepEqual(limitOf({ workers: 2 }), { base: { workers: 2 }, limit: {} });
  assert.equal(limitOf({ limit: { stepDuration: 'long' } }).limit.stepDuration, 'long');
});

test('errors of the server find their fields', () => {
  assert.equal(fieldOf('base.client.rate'), 'client.rate');
  assert.equal(fieldOf('workers'), 'workers');
  assert.equal(fieldOf('variants[1].change.workers'), 'values');
  assert.equal(fieldOf('variants'), 'values');
  assert.equal(fieldOf('limit.until'), 'limit.until');
});

test('an address names what it was written for', () => {
  for (const place of [{ kind: 'run', id: 'a-b' }, { kind: 'experiment', id: 'scaling' }, { kind: 'comparison', a: 'a', b: 'b' }]) {
    assert.deepEqual(read(write(place)), place);
  }
  for (const nothing of ['', '#', '#watch', '#a/b', '#compare/a']) assert.equal(read(nothing), null, nothing);
  assert.deepEqual(read('#%zz'), { kind: 'run', id: '%zz' });
});

test('times from an hour on are given in hours', () => {
  assert.deepEqual([38, 125, 39_646].map(span), ['38 s', '2 min 5 s', '11 h 0 min 46 s']);
  assert.deepEqual([0.01234, 57.123, 5713.4].map(brief), ['0.0123', '57.1', '5,713']);
});

test('what the program says of a field reads well on the page', () => {
  assert.deepEqual(['00:01:15', '00:00:00.5', 60_000, 'Direct'].map(secondsOf), [75, 0.5, 60_000, 'Direct']);
  assert.deepEqual(['cross-region', 'perfTest', 'BoundedStaleness'].map(titleOf), ['Cross region', 'Perf test', 'Bounded staleness']);
});
