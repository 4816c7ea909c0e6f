// Items of @azure/cosmos: single ones, patches, batches, bulk, and the change feed.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { ChangeFeedMode, ChangeFeedStartFrom, PartitionKeyBuilder, PriorityLevel } from '@azure/cosmos';
import { createContainer, ids } from './client.js';
import { probe, rejects } from './probes.js';

let container;
let last = 0;

before(async () => { container = await createContainer({ defaultTtl: -1 }); });

/** A new item in a key of its own. */
const create = async (more = {}) => {
  const body = { id: `i${++last}`, pk: `p${last}`, number: last, ...more };
  const { resource } = await container.items.create(body);
  return { body, resource, item: container.item(body.id, body.pk), pk: body.pk };
};
const ifMatch = condition => ({ accessCondition: { type: 'IfMatch', condition } });
const ifNoneMatch = condition => ({ accessCondition: { type: 'IfNoneMatch', condition } });

probe('item', [
  ['create returns what was sent, and the system properties', async () => {
    const { body, resource } = await create({ list: [1, { a: null }], text: '☃' });
    const { _rid, _self, _etag, _attachments, _ts, ...rest } = resource;
    assert.deepEqual(rest, body);
    assert.ok(_rid && _self.includes(_rid) && _attachments && Math.abs(_ts - Date.now() / 1_000) < 3_600 && /^"/.test(_etag));
  }],
  ['create has charge, session, activity and ETag', async () => {
    const response = await container.items.create({ id: `i${++last}`, pk: 'headers' });
    assert.ok(response.requestCharge > 5 && response.activityId && response.etag === response.resource._etag);
    assert.match(response.headers['x-ms-session-token'], /^\d+:/);
  }],
  ['create without an id gets one', async () => assert.match((await container.items.create({ pk: 'x' })).resource.id, /^[0-9a-f-]{36}$/)],
  ['create of a known id', async () => {
    const { body } = await create();
    await rejects(container.items.create(body), 409, /already exists/);
  }],
  ['create of an id that is no text', () =>
    assert.rejects(container.items.create({ id: 5, pk: 'x' }), { message: 'Id must be a string.' })],
  ['create of an empty id', () => rejects(container.items.create({ id: '', pk: 'x' }, { disableAutomaticIdGeneration: true }), 400)],
  ['create of 2 MB', async () => assert.equal((await create({ text: 'x'.repeat(2_000_000) })).resource.text.length, 2_000_000)],
  ['create of more than 2 MB', () => rejects(create({ text: 'x'.repeat(2_100_000) }), 413, /too large/i)],
  ['read', async () => {
    const { item, body } = await create();
    const { resource, statusCode, requestCharge } = await item.read();
    assert.deepEqual([resource.number, statusCode, requestCharge], [body.number, 200, 1]);
  }],
  ['read of what is not there', async () => {
    const { statusCode, resource, substatus } = await container.item('none', 'none').read();
    assert.deepEqual([statusCode, resource, substatus ?? 0], [404, undefined, 0]);
  }],
  ['read by another key', async () => assert.equal((await container.item((await create()).body.id, 'other').read()).statusCode, 404)],
  ['read on a known ETag', async () => {
    const { item, resource } = await create();
    assert.equal((await item.read(ifNoneMatch(resource._etag))).statusCode, 304);
    assert.equal((await item.read(ifNoneMatch('"other"'))).statusCode, 200);
  }],
  ['read at each consistency that is weaker', async () => {
    const { item } = await create();
    for (const consistencyLevel of ['Session', 'ConsistentPrefix', 'Eventual'])
      assert.equal((await item.read({ consistencyLevel })).statusCode, 200);
  }],
  ['read with the session of the write', async () => {
    const { headers } = await container.items.create({ id: `i${++last}`, pk: 's' });
    assert.equal((await container.item(`i${last}`, 's').read({ sessionToken: headers['x-ms-session-token'] })).statusCode, 200);
  }],
  ['read with a priority', async () =>
    assert.equal((await (await create()).item.read({ priorityLevel: PriorityLevel.Low })).statusCode, 200)],
  ['read with headers of its own', async () =>
    assert.equal((await (await create()).item.read({ initialHeaders: { 'x-own': 'header' } })).statusCode, 200)],
  ['read that is aborted', async () => {
    const { item } = await create();
    await assert.rejects(item.read({ abortSignal: AbortSignal.abort() }), { name: 'AbortError' });
  }],
  ['replace', async () => {
    const { item, body, resource } = await create();
    const replaced = await item.replace({ ...body, number: -1 });
    assert.equal(replaced.resource.number, -1);
    assert.notEqual(replaced.resource._etag, resource._etag);
    assert.equal(replaced.resource._rid, resource._rid);
  }],
  ['replace of what is not there', () => rejects(container.item('none', 'none').replace({ id: 'none', pk: 'none' }), 404)],
  ['replace on an old ETag', async () => {
    const { item, body, resource } = await create();
    await item.replace(body, ifMatch(resource._etag));
    await rejects(item.replace(body, ifMatch(resource._etag)), 412, /precondition/i);
  }],
  ['upsert of a new item, and of a known one', async () => {
    const { body } = await create();
    assert.equal((await container.items.upsert({ ...body, number: 5 })).statusCode, 200);
    assert.equal((await container.items.upsert({ ...body, id: `i${++last}` })).statusCode, 201);
  }],
  ['upsert on an old ETag', async () => {
    const { body } = await create();
    await rejects(container.items.upsert(body, ifMatch('"old"')), 412);
  }],
  ['delete', async () => {
    const { item } = await create();
    assert.equal((await item.delete()).statusCode, 204);
    await rejects(item.delete(), 404);
  }],
  ['delete on an old ETag', async () => rejects((await create()).item.delete(ifMatch('"old"')), 412)],
  ['key in an object that has none', async () => {
    await container.items.create({ id: `none${++last}` });
    assert.equal((await container.item(`none${last}`, undefined).read()).statusCode, 200);
  }],
  ['time to live of its own that is none', () => rejects(create({ ttl: 0 }), 400, /ttl/)],
  ['ids with spaces, signs and letters of all alphabets', async () => {
    for (const id of ['a b', 'ä ö', '雪', '%25', 'a&b=c', 'a+b', '"q"', "it's", '<x>', '{}', '😀', 'x'.repeat(255)]) {
      await container.items.create({ id, pk: 'ids' });
      assert.equal((await container.item(id, 'ids').read()).resource.id, id);
    }
  }],
  ['numbers as they are', async () => {
    const numbers = [0, -1, 0.1, 1e21, 2 ** 53, 5e-324, 1.7976931348623157e308];
    const { item } = await create({ numbers });
    assert.deepEqual((await item.read()).resource.numbers, numbers);
  }],
  ['texts as they are', async () => {
    const texts = ['', '\u0000\u001f', '"\\/', '\u2028', '\ud83d\ude00', 'a'.repeat(1_000)];
    assert.deepEqual((await (await create({ texts })).item.read()).resource.texts, texts);
  }],
]);

const patched = async (operations, before, after) => {
  const { item, body } = await create(before);
  const { resource } = await item.patch(operations);
  const { _rid, _self, _etag, _attachments, _ts, ...rest } = resource;
  assert.deepEqual(rest, { id: body.id, pk: body.pk, number: body.number, ...after });
};

probe('patch', [
  ['add a property', () => patched([{ op: 'add', path: '/a', value: { b: 1 } }], {}, { a: { b: 1 } })],
  ['add to a list, at a place and at its end', () => patched(
    [{ op: 'add', path: '/l/0', value: 'x' }, { op: 'add', path: '/l/-', value: 'z' }], { l: ['y'] }, { l: ['x', 'y', 'z'] })],
  ['set', () => patched([{ op: 'set', path: '/a', value: 2 }, { op: 'set', path: '/n', value: null }], { a: 1 }, { a: 2, n: null })],
  ['set within objects', () => patched([{ op: 'set', path: '/a/b', value: 2 }], { a: { b: 1, c: 3 } }, { a: { b: 2, c: 3 } })],
  ['replace', () => patched([{ op: 'replace', path: '/a', value: [2] }], { a: 1 }, { a: [2] })],
  ['remove', () => patched([{ op: 'remove', path: '/a' }, { op: 'remove', path: '/l/1' }], { a: 1, l: [1, 2, 3] }, { l: [1, 3] })],
  ['increment, also of nothing', () => patched(
    [{ op: 'incr', path: '/a', value: -0.5 }, { op: 'incr', path: '/b', value: 3 }], { a: 1 }, { a: 0.5, b: 3 })],
  ['move', () => patched([{ op: 'move', from: '/a/b', path: '/c' }], { a: { b: 1 } }, { a: {}, c: 1 })],
  ['names with signs', () => patched([{ op: 'set', path: '/a~1b~0', value: 2 }], { 'a/b~': 1 }, { 'a/b~': 2 })],
  ['on a condition that holds', async () => {
    const { item, body } = await create();
    const condition = `from c where c.number = ${body.number}`;
    assert.equal((await item.patch({ condition, operations: [{ op: 'set', path: '/a', value: 1 }] })).resource.a, 1);
  }],
  ['on a condition that fails', async () => rejects(
    (await create()).item.patch({ condition: 'from c where c.number = 0', operations: [{ op: 'set', path: '/a', value: 1 }] }), 412)],
  ['replace of what is not there', async () => rejects((await create()).item.patch([{ op: 'replace', path: '/none', value: 1 }]), 400)],
  ['of the partition key', async () => rejects((await create()).item.patch([{ op: 'set', path: '/pk', value: 'x' }]), 400)],
  ['of the id', async () => rejects((await create()).item.patch([{ op: 'set', path: '/id', value: 'x' }]), 400)],
  ['of eleven operations', async () => rejects(
    (await create()).item.patch(Array.from({ length: 11 }, (_, i) => ({ op: 'set', path: `/p${i}`, value: i }))), 400)],
]);

const inOne = (id, more = {}) => ({ id, pk: 'one', ...more });

probe('batch', [
  ['of each kind', async () => {
    await container.items.create(inOne('b1'));
    const { result, code } = await container.items.batch([
      { operationType: 'Create', resourceBody: inOne('b2', { n: 1 }) }, { operationType: 'Upsert', resourceBody: inOne('b3') },
      { operationType: 'Read', id: 'b1' }, { operationType: 'Replace', id: 'b1', resourceBody: inOne('b1', { n: 2 }) },
      { operationType: 'Patch', id: 'b2', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 4 }] } },
      { operationType: 'Delete', id: 'b3' },
    ], 'one');
    assert.deepEqual([code, result.map(one => one.statusCode)], [200, [201, 201, 200, 200, 200, 204]]);
    assert.equal(result[4].resourceBody.n, 5);
    assert.ok(result.every(one => one.requestCharge > 0));
  }],
  ['that fails at an ETag', async () => {
    const { result } = await container.items.batch([
      { operationType: 'Create', resourceBody: inOne('b4') },
      { operationType: 'Replace', id: 'b1', ifMatch: '"old"', resourceBody: inOne('b1') },
    ], 'one');
    assert.deepEqual(result.map(one => one.statusCode), [424, 412]);
    assert.equal((await container.item('b4', 'one').read()).statusCode, 404);
  }],
  ['without the content of writes in the response', async () => {
    const { result } = await container.items.batch(
      [{ operationType: 'Upsert', resourceBody: inOne('b6') }, { operationType: 'Read', id: 'b6' }], 'one',
      { contentResponseOnWriteEnabled: false });
    assert.deepEqual([result[0].statusCode, result[0].resourceBody, result[1].resourceBody.id], [201, undefined, 'b6']);
  }],
  ['of 101 operations', () => assert.rejects(container.items.batch(
    Array.from({ length: 101 }, (_, i) => ({ operationType: 'Upsert', resourceBody: inOne(`b${i}`) })), 'one'), /more than 100/)],
  ['of another key', async () => {
    const { result } = await container.items.batch([{ operationType: 'Create', resourceBody: { id: 'b5', pk: 'other' } }], 'one');
    assert.equal(result[0].statusCode, 400);
  }],
]);

probe('bulk', [
  ['of each kind in many keys', async () => {
    const keys = Array.from({ length: 30 }, (_, i) => `bulk${i}`);
    const increment = { operations: [{ op: 'incr', path: '/n', value: 1 }] };
    for (const [operationType, expected, more] of [
      ['Create', 201, pk => ({ resourceBody: { id: 'x', pk, n: 1 } })], ['Patch', 200, () => ({ id: 'x', resourceBody: increment })],
      ['Replace', 200, pk => ({ id: 'x', resourceBody: { id: 'x', pk } })], ['Upsert', 201, pk => ({ resourceBody: { id: 'y', pk } })],
      ['Read', 200, () => ({ id: 'x' })], ['Delete', 204, () => ({ id: 'x' })], ['Read', 404, () => ({ id: 'x' })],
    ]) {
      const results = await container.items.executeBulkOperations(keys.map(pk => ({ operationType, partitionKey: pk, ...more(pk) })));
      const codes = results.map(one => one.response?.statusCode ?? one.error.code);
      assert.deepEqual(codes, keys.map(() => expected), operationType);
    }
  }],
  ['without the content of writes in the response', async () => {
    const operation = { operationType: 'Create', partitionKey: 'brief', resourceBody: { id: `i${++last}`, pk: 'brief' } };
    const [{ response }] = await container.items.executeBulkOperations([operation], { contentResponseOnWriteEnabled: false });
    assert.deepEqual([response.statusCode, response.resourceBody], [201, undefined]);
  }],
  ['of none', async () => assert.deepEqual(await container.items.executeBulkOperations([]), [])],
  ['that stops at an error', async () => {
    const results = await container.items.bulk([
      { operationType: 'Create', resourceBody: { id: 's1', pk: 'stop' } }, { operationType: 'Read', id: 'none', partitionKey: 'stop' },
      { operationType: 'Create', resourceBody: { id: 's2', pk: 'stop' } },
    ], { continueOnError: false });
    assert.deepEqual(results.map(one => one.statusCode), [201, 404, 424]);
  }],
]);

const drain = async feed => {
  const changes = [];
  for (;;) {
    const page = await feed.readNext();
    if (page.statusCode === 304)
      return changes;
    changes.push(...page.result);
  }
};
const feedOf = (changeFeedStartFrom, more = {}) => container.items.getChangeFeedIterator({ changeFeedStartFrom, ...more });

probe('change feed', [
  ['of a key from the beginning', async () => {
    const { body, pk } = await create();
    assert.deepEqual(ids(await drain(feedOf(ChangeFeedStartFrom.Beginning(pk)))), [body.id]);
  }],
  ['of a key from now, and on', async () => {
    const { item, body, pk } = await create();
    const feed = feedOf(ChangeFeedStartFrom.Now(pk));
    assert.deepEqual(await drain(feed), []);
    await item.replace({ ...body, number: 0 });
    assert.deepEqual((await drain(feed)).map(one => one.number), [0]);
  }],
  ['of a range from a time', async () => {
    await create();
    const [range] = await container.getFeedRanges();
    assert.ok(Array.isArray(await drain(feedOf(ChangeFeedStartFrom.Time(new Date(Date.now() - 3_600_000), range)))));
  }],
  ['by its continuation', async () => {
    const { body, pk } = await create();
    const { continuationToken } = await feedOf(ChangeFeedStartFrom.Beginning(pk)).readNext();
    await container.items.create({ ...body, id: `i${++last}` });
    assert.deepEqual(ids(await drain(feedOf(ChangeFeedStartFrom.Continuation(continuationToken)))), [`i${last}`]);
  }],
  ['of transactions, each on one page', async () => {
    await container.items.batch(['t1', 't2', 't3'].map(id => ({ operationType: 'Create', resourceBody: { id, pk: 'feed' } })), 'feed');
    const { result } = await feedOf(ChangeFeedStartFrom.Beginning('feed'), { maxItemCount: 1 }).readNext();
    assert.deepEqual(ids(result), ['t1', 't2', 't3']);
    assert.equal(new Set(result.map(one => one._lsn)).size, 1);
  }],
  ['of all versions and deletes', async () => {
    const feed = feedOf(ChangeFeedStartFrom.Now('versions'), { changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes });
    assert.deepEqual(await drain(feed), []);
    await container.items.create({ id: 'v', pk: 'versions' });
    await container.item('v', 'versions').delete();
    assert.deepEqual((await drain(feed)).map(one => one.metadata.operationType), ['create', 'delete']);
  }],
  ['by the older iterator', async () => {
    const { body, pk } = await create();
    const { result } = await container.items.changeFeed(pk, { startFromBeginning: true }).fetchNext();
    assert.deepEqual(ids(result), [body.id]);
  }],
]);

probe('hierarchical key', [
  ['of three levels, whole and in part', async () => {
    const paths = ['/a', '/b', '/c'];
    const own = await createContainer({ partitionKey: { paths, version: 2, kind: 'MultiHash' } });
    for (let i = 0; i < 8; i++)
      await own.items.create({ id: `${i}`, a: `a${i & 1}`, b: i >> 1 & 1, c: null });
    const key = new PartitionKeyBuilder().addValue('a1').addValue(1).addNullValue().build();
    assert.equal((await own.item('3', key).read()).statusCode, 200);
    const find = async partitionKey => ids((await own.items.query('SELECT * FROM c', { partitionKey }).fetchAll()).resources);
    assert.deepEqual([await find(['a1']), await find(['a0', 1]), await find(key)], [['1', '3', '5', '7'], ['2', '6'], ['3', '7']]);
  }],
]);
