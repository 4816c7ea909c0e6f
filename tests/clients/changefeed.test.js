import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeFeedMode, ChangeFeedStartFrom } from '@azure/cosmos';
import { createContainer, fill, ids, item, numbers, split } from './client.js';

const count = 240;

/** Reads up to the first page without changes. */
async function drain(feed) {
  const documents = [];
  for (;;) {
    const page = await feed.readNext();
    if (page.statusCode === 304)
      return documents;
    documents.push(...page.result);
  }
}

test('the feed from the beginning has each item once, at its last change', async () => {
  const container = await fill(count);
  await container.items.upsert(item(3, { number: 33 }));
  await container.item('4', 'k4').delete();
  const feed = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 17 });
  const changes = await drain(feed);
  assert.deepEqual(ids(changes), numbers(0, count).filter(id => id !== '4'));
  assert.equal(changes.find(one => one.id === '3').number, 33);
  await container.items.upsert(item(9, { number: 99 }));
  assert.deepEqual((await drain(feed)).map(one => one.number), [99]);
});

test('the feed from now has what changes afterwards', async () => {
  const container = await fill(20);
  const feed = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now() });
  assert.deepEqual(await drain(feed), []);
  await container.items.create(item(21));
  assert.deepEqual(ids(await drain(feed)), ['21']);
});

test('the feed from a time has what changed since', async () => {
  const container = await fill(20);
  const from = time => container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Time(new Date(time)) });
  assert.equal((await drain(from(Date.now() - 3_600_000))).length, 20);
  assert.equal((await drain(from(Date.now() + 3_600_000))).length, 0);
});

test('the feed of one partition key is in the order of changes', async () => {
  const container = await createContainer();
  for (const i of [5, 3, 8, 5, 1])
    await container.items.upsert({ id: `${i}`, pk: 'one' });
  await container.items.create({ id: 'other', pk: 'two' });
  const feed = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning('one'), maxItemCount: 2 });
  assert.deepEqual((await drain(feed)).map(one => one.id), ['3', '8', '5', '1']);
});

test('the feeds of all ranges add up to the whole', async () => {
  const container = await fill(count);
  const found = [];
  for (const range of await container.getFeedRanges())
    found.push(...await drain(container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(range) })));
  assert.deepEqual(ids(found), numbers(0, count));
});

test('the feed goes on across splits by its continuation, with nothing lost or doubled', async () => {
  const container = await fill(count);
  const first = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 10 });
  const found = [];
  let continuation;
  for (let i = 0; i < 5; i++) {
    const page = await first.readNext();
    found.push(...page.result);
    continuation = page.continuationToken;
  }
  await split(container, 0);
  await split(container, 3);
  const rest = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Continuation(continuation) });
  found.push(...await drain(rest));
  assert.deepEqual(ids(found), numbers(0, count));
});

test('the mode with all versions and deletes has each write and each delete', async () => {
  const container = await createContainer();
  const feed = container.items.getChangeFeedIterator({
    changeFeedStartFrom: ChangeFeedStartFrom.Now('k1'), changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
  });
  assert.deepEqual(await drain(feed), []);
  await container.items.create(item(1));
  await container.items.upsert(item(1, { number: 2 }));
  await container.item('1', 'k1').delete();
  const changes = await drain(feed);
  assert.deepEqual(
    changes.map(change => [change.metadata.operationType, change.current?.number]),
    [['create', 1], ['replace', 2], ['delete', undefined]]);
  assert.deepEqual([changes[2].metadata.id, changes[2].metadata.partitionKey], ['1', { pk: 'k1' }]);
});
