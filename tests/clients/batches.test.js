import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContainer, fill, ids, item, numbers, split } from './client.js';

const inOneKey = (i, more) => ({ ...item(i, more), pk: 'one' });

test('a transactional batch does all of its operations', async () => {
  const container = await createContainer();
  await container.items.create(inOneKey(1));
  await container.items.create(inOneKey(2));
  const response = await container.items.batch([
    { operationType: 'Create', resourceBody: inOneKey(3) },
    { operationType: 'Upsert', resourceBody: inOneKey(4) },
    { operationType: 'Replace', id: '1', resourceBody: inOneKey(1, { number: 10 }) },
    { operationType: 'Read', id: '2' },
    { operationType: 'Delete', id: '2' },
    { operationType: 'Patch', id: '3', resourceBody: [{ op: 'incr', path: '/number', value: 5 }] },
  ], 'one');
  assert.deepEqual(response.result.map(one => one.statusCode), [201, 201, 200, 200, 204, 200]);
  assert.equal(response.result[3].resourceBody.number, 2);
  const { resources } = await container.items.readAll().fetchAll();
  assert.deepEqual(ids(resources), ['1', '3', '4']);
  assert.equal(resources.find(one => one.id === '1').number, 10);
  assert.equal(resources.find(one => one.id === '3').number, 8);
});

test('a transactional batch that fails does nothing', async () => {
  const container = await createContainer();
  await container.items.create(inOneKey(1));
  const response = await container.items.batch([
    { operationType: 'Create', resourceBody: inOneKey(2) },
    { operationType: 'Create', resourceBody: inOneKey(1) },
    { operationType: 'Delete', id: '1' },
  ], 'one');
  assert.deepEqual(response.result.map(one => one.statusCode), [424, 409, 424]);
  assert.deepEqual(ids((await container.items.readAll().fetchAll()).resources), ['1']);
});

test('bulk operations of many keys are done each for itself', async () => {
  const container = await createContainer();
  await container.items.create(item(0));
  const operations = Array.from({ length: 500 }, (_, i) => ({
    operationType: 'Create', partitionKey: `k${i % 20}`, resourceBody: item(i),
  }));
  const results = await container.items.executeBulkOperations(operations);
  assert.equal(results.filter(one => one.response?.statusCode === 201).length, 499);
  assert.equal((results[0].error ?? results[0].response).code ?? results[0].response.statusCode, 409);
  assert.deepEqual(ids((await container.items.readAll().fetchAll()).resources), numbers(0, 500));
});

test('bulk operations by the older call are done each for itself', async () => {
  const container = await createContainer();
  const operations = Array.from({ length: 60 }, (_, i) => ({ operationType: 'Create', partitionKey: `k${i % 20}`, resourceBody: item(i) }));
  const created = await container.items.bulk(operations);
  const read = await container.items.bulk([
    { operationType: 'Read', id: '7', partitionKey: 'k7' },
    { operationType: 'Read', id: 'none', partitionKey: 'k7' },
  ], { continueOnError: true });
  assert.deepEqual(created.map(one => one.statusCode), operations.map(() => 201));
  assert.deepEqual(read.map(one => one.statusCode), [200, 404]);
  assert.equal(read[0].resourceBody.number, 7);
});

test('bulk operations go on across a split', async () => {
  const container = await fill(10);
  await split(container, 1);
  const operations = Array.from({ length: 200 }, (_, i) => ({
    operationType: 'Upsert', partitionKey: `k${i % 20}`, resourceBody: item(i, { number: -i }),
  }));
  const results = await container.items.executeBulkOperations(operations);
  assert.ok(results.every(one => one.response?.statusCode === 201 || one.response?.statusCode === 200));
  assert.equal((await container.item('5', 'k5').read()).resource.number, -5);
});

test('patches set, add, increment, move and remove, on a condition', async () => {
  const container = await createContainer();
  await container.items.create(item(1, { tags: ['a'], nested: { x: 1 } }));
  const { resource } = await container.item('1', 'k1').patch([
    { op: 'set', path: '/text', value: 'set' },
    { op: 'add', path: '/tags/0', value: 'b' },
    { op: 'incr', path: '/number', value: 41 },
    { op: 'move', from: '/nested/x', path: '/moved' },
    { op: 'remove', path: '/nested' },
  ]);
  const { text, tags, number, moved, nested } = resource;
  assert.deepEqual({ text, tags, number, moved, nested }, { text: 'set', tags: ['b', 'a'], number: 42, moved: 1, nested: undefined });
  const condition = { condition: 'FROM c WHERE c.number = 0', operations: [{ op: 'set', path: '/text', value: 'no' }] };
  await assert.rejects(container.item('1', 'k1').patch(condition), { code: 412 });
  await assert.rejects(container.item('9', 'k9').patch([{ op: 'set', path: '/text', value: 'x' }]), { code: 404 });
});
