import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, createContainer, fill, ids, item, numbers } from './client.js';

test('an item is created, read, upserted, replaced and deleted', async () => {
  const container = await createContainer();
  const created = await container.items.create(item(1));
  assert.equal(created.statusCode, 201);
  assert.ok(created.requestCharge > 1);
  assert.equal((await container.item('1', 'k1').read()).resource.number, 1);
  assert.equal((await container.items.upsert(item(1, { number: 10 }))).statusCode, 200);
  assert.equal((await container.items.upsert(item(2))).statusCode, 201);
  assert.equal((await container.item('1', 'k1').replace(item(1, { number: 11 }))).resource.number, 11);
  assert.equal((await container.item('1', 'k1').delete()).statusCode, 204);
  assert.equal((await container.item('1', 'k1').read()).statusCode, 404);
});

test('an id is in use within its partition key only', async () => {
  const container = await createContainer();
  await container.items.create({ id: 'same', pk: 'one' });
  await assert.rejects(container.items.create({ id: 'same', pk: 'one' }), { code: 409 });
  await container.items.create({ id: 'same', pk: 'two' });
  await assert.rejects(container.item('same', 'three').delete(), { code: 404 });
});

test('conditions on the ETag hold', async () => {
  const container = await createContainer();
  const { etag } = await container.items.create(item(1));
  const ifMatch = condition => ({ accessCondition: { type: 'IfMatch', condition } });
  await container.item('1', 'k1').replace(item(1, { number: 2 }), ifMatch(etag));
  await assert.rejects(container.item('1', 'k1').replace(item(1, { number: 3 }), ifMatch(etag)), { code: 412 });
  await assert.rejects(container.item('1', 'k1').delete(ifMatch(etag)), { code: 412 });
  const { etag: latest } = await container.item('1', 'k1').read();
  const same = await container.item('1', 'k1').read({ accessCondition: { type: 'IfNoneMatch', condition: latest } });
  assert.equal(same.statusCode, 304);
});

test('keys of every type, and none, find their items', async () => {
  const container = await createContainer();
  for (const [i, pk] of ['text', 'späť ☃', 42, -1.5, true, false, null].entries()) {
    await container.items.create({ id: `${i}`, pk });
    assert.equal((await container.item(`${i}`, pk).read()).statusCode, 200);
  }
  await container.items.create({ id: 'none' });
  assert.equal((await container.item('none', undefined).read()).resource.id, 'none');
});

test('what no item may be is a bad request', async () => {
  const container = await createContainer();
  await assert.rejects(container.items.create({ pk: 'x' }, { disableAutomaticIdGeneration: true }), { code: 400 });
  await assert.rejects(container.items.create({ id: 'a/b?c#d\\e', pk: 'x' }));
  await assert.rejects(container.items.create({ id: 'large', pk: 'x', text: 'x'.repeat(2.1 * 1024 * 1024) }), { code: 413 });
});

test('a container that is used up responds 429 and says how long to wait', async () => {
  const container = await createContainer({ throughput: 400 });
  await assert.rejects(async () => {
    for (let i = 0; ; i++)
      await container.items.create({ id: `${i}`, pk: 'one', text: 'x'.repeat(2_000) });
  }, error => {
    assert.equal(error.code, 429);
    assert.equal(Number(error.substatus), 3200);
    assert.ok(error.retryAfterInMs > 0);
    return true;
  });
});

test('a container that was created again under its name is found by a client that knew the first', async () => {
  const container = await fill(3);
  const { resource } = await container.read();
  await container.delete();
  await container.database.containers.create({ id: container.id, partitionKey: resource.partitionKey, throughput: 400_000 });
  await container.items.create(item(1));
  assert.equal((await container.item('1', 'k1').read()).resource.number, 1);
});

test('all items of a partition key are deleted at once, and no others', async () => {
  const container = await fill(60);
  await container.deleteAllItemsForPartitionKey('k3');
  assert.equal((await container.items.readAll({ partitionKey: 'k3' }).fetchAll()).resources.length, 0);
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 57);
});

test('ids beyond ASCII, with spaces and signs, find their items', async () => {
  const container = await createContainer();
  for (const id of ['späte Größe', '☃ 雪', "it's 100%", 'a+b=c&d']) {
    await container.items.create({ id, pk: 'odd' });
    assert.equal((await container.item(id, 'odd').read()).resource.id, id);
    assert.equal((await container.item(id, 'odd').delete()).statusCode, 204);
  }
});

test('an item with a time to live is gone after it', async () => {
  const container = await createContainer({ defaultTtl: -1 });
  await container.items.create(item(1, { ttl: 1 }));
  await container.items.create(item(2));
  const isThere = async i => (await container.item(`${i}`, `k${i}`).read()).statusCode === 200;
  while (await isThere(1))
    await new Promise(done => setTimeout(done, 100));
  assert.ok(await isThere(2));
});

test('a prefix of a hierarchical key chooses its items', async () => {
  const paths = ['/tenant', '/user', '/session'];
  const container = await createContainer({ partitionKey: { paths, version: 2, kind: 'MultiHash' } });
  for (let i = 0; i < 24; i++)
    await container.items.create({ id: `${i}`, tenant: `t${i % 2}`, user: `u${i % 3}`, session: `s${i % 4}` });
  const find = async partitionKey =>
    ids((await container.items.query('SELECT * FROM c', { partitionKey }).fetchAll()).resources);
  const expected = holds => numbers(0, 24).filter(i => holds(Number(i)));
  assert.deepEqual(await find(['t1']), expected(i => i % 2 === 1));
  assert.deepEqual(await find(['t1', 'u2']), expected(i => i % 2 === 1 && i % 3 === 2));
  assert.deepEqual(await find(['t1', 'u2', 's3']), expected(i => i % 2 === 1 && i % 3 === 2 && i % 4 === 3));
  assert.equal((await container.item('5', ['t1', 'u2', 's1']).read()).statusCode, 200);
});

test('a unique key is held within a partition key', async () => {
  const container = await createContainer({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/mail'] }] } });
  await container.items.create({ id: '1', pk: 'one', mail: 'a' });
  await assert.rejects(container.items.create({ id: '2', pk: 'one', mail: 'a' }), { code: 409 });
  await container.items.create({ id: '2', pk: 'two', mail: 'a' });
});

test('errors say what the service says', async () => {
  const container = await createContainer();
  const { etag } = await container.items.create(item(1));
  await container.items.upsert(item(1));
  const stale = { accessCondition: { type: 'IfMatch', condition: etag } };
  await assert.rejects(container.item('1', 'k1').replace(item(1), stale), /one of the specified precondition is not met/);
  const renamed = await container.item('1', 'k1').replace(item(1, { id: 'other' }));
  assert.equal(renamed.resource.id, 'other');
  await assert.rejects(container.item('1', 'k1').replace(item(1)), { code: 404 });
  await assert.rejects(container.database.container('absent').items.create(item(1)), error => error.code === 404 && !error.substatus);
  await assert.rejects(client.database('absent').container('absent').items.create(item(1)), { code: 404, substatus: 1003 });
});
