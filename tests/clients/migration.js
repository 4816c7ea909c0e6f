// Migrates documents into a new container by the SDK's bulk path, and says how long that took and what it cost.
//   npm run migrate -- --documents 100000 --throughput 400000
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { account, createContainer, createRetryingClient } from './client.js';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, throughput: { type: 'string', default: '400000' } },
});
const documents = Number(values.documents);
const CHUNK = 5_000;

/** Document i of the source: an order of about 300 bytes. */
const order = i => ({
  id: `order-${i}`, pk: `customer-${i % 997}`, placed: new Date(1_700_000_000_000 + i * 1_000).toISOString(), total: (i * 37 % 10_000) / 100,
  lines: [{ sku: `sku-${i % 211}`, quantity: 1 + i % 5 }, { sku: `sku-${i % 89}`, quantity: 1 + i % 3 }],
  address: { street: `${i % 200} Main Street`, city: ['Ulm', 'Graz', 'Bern'][i % 3], zip: `${10_000 + i % 80_000}` },
});

const client = createRetryingClient();
const container = await createContainer({ throughput: Number(values.throughput) }, client);
let charge = 0;
let created = 0;
const started = performance.now();
for (let from = 0; from < documents; from += CHUNK) {
  const operations = Array.from({ length: Math.min(CHUNK, documents - from) }, (_, i) => {
    const resourceBody = order(from + i);
    return { operationType: 'Create', partitionKey: resourceBody.pk, resourceBody };
  });
  for (const result of await container.items.executeBulkOperations(operations)) {
    assert.equal(result.response?.statusCode, 201, result.error?.message);
    charge += result.response.requestCharge;
    created++;
  }
}
const seconds = (performance.now() - started) / 1_000;

const count = (await container.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources[0];
assert.equal(created, documents);
assert.equal(count, documents);
for (let i = 0; i < documents; i += Math.ceil(documents / 50)) {
  const { resource } = await container.item(`order-${i}`, order(i).pk).read();
  const { _rid, _self, _etag, _attachments, _ts, ...kept } = resource;
  assert.deepEqual(kept, order(i));
}

const ledger = await (await fetch(new URL('ledger', account.control))).json();
const counts = ledger.containers.find(one => one.name === container.id);
assert.equal(counts.documents.created, documents);
console.log(`${documents} documents in ${seconds.toFixed(1)} s: ${Math.round(documents / seconds)} documents/s, `
  + `${Math.round(charge)} RU by the client, ${Math.round(counts.operations.create.requestUnits)} RU by the ledger, `
  + `${counts.operations.create.throttled ?? 0} operations throttled and retried; ${count} counted.`);
await container.delete();
client.dispose();
