import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createContainer, fill, ids, item, numbers, split } from './client.js';

const count = 120;
let container;

before(async () => { container = await fill(count); });

const all = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;

test('every item is read, in pages of the size that is asked for', async () => {
  const iterator = container.items.readAll({ maxItemCount: 7 });
  const found = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    assert.ok((resources ?? []).length <= 7);
    found.push(...resources ?? []);
  }
  assert.deepEqual(ids(found), numbers(0, count));
});

test('conditions and parameters choose items', async () => {
  const byKey = await all({ query: 'SELECT * FROM c WHERE c.pk = @pk', parameters: [{ name: '@pk', value: 'k4' }] });
  assert.deepEqual(ids(byKey), numbers(0, count).filter(id => id % 20 === 4));
  const byId = await all({ query: 'SELECT * FROM c WHERE c.id = @id AND c.number >= 3', parameters: [{ name: '@id', value: '17' }] });
  assert.deepEqual(ids(byId), ['17']);
  const inRange = await all('SELECT * FROM c WHERE c.number >= 110 AND c.number != 115');
  assert.deepEqual(ids(inRange), numbers(110, count).filter(id => id !== '115'));
});

test('a query of one partition key looks at that key only', async () => {
  const found = await all('SELECT * FROM c', { partitionKey: 'k7' });
  assert.deepEqual(ids(found), numbers(0, count).filter(id => id % 20 === 7));
});

test('items are counted across partitions', async () => {
  assert.deepEqual(await all('SELECT VALUE COUNT(1) FROM c'), [count]);
  assert.deepEqual(await all('SELECT VALUE COUNT(1) FROM c WHERE c.number < 30'), [30]);
});

test('a query in pages of one partition key goes on by its continuation', async () => {
  const first = await container.items.query('SELECT * FROM c', { partitionKey: 'k1', maxItemCount: 2 }).fetchNext();
  assert.equal(first.resources.length, 2);
  const rest = container.items.query('SELECT * FROM c', { partitionKey: 'k1', continuationToken: first.continuationToken });
  assert.deepEqual(ids([...first.resources, ...(await rest.fetchAll()).resources]), numbers(0, count).filter(id => id % 20 === 1));
});

test('a query that was begun before a split gives every item once', async () => {
  const own = await fill(count);
  const iterator = own.items.query('SELECT * FROM c', { maxItemCount: 5, maxDegreeOfParallelism: 1 });
  const found = [...(await iterator.fetchNext()).resources ?? []];
  await split(own, 0);
  while (iterator.hasMoreResults())
    found.push(...(await iterator.fetchNext()).resources ?? []);
  assert.deepEqual(ids(found), numbers(0, count));
  await own.items.upsert(item(1));
});

test('properties are chosen, named and computed', async () => {
  const [found] = await all("SELECT c.id, c.number * 2 AS twice, UPPER(c.pk) AS key FROM c WHERE c.id = '21'");
  assert.deepEqual(found, { id: '21', twice: 42, key: 'K1' });
  assert.deepEqual(await all("SELECT VALUE c.number FROM c WHERE c.id IN ('3', '4') AND STARTSWITH(c.pk, 'k4')"), [4]);
  const either = await all('SELECT * FROM c WHERE (c.number < 2 OR c.number BETWEEN 117 AND 118) AND NOT IS_DEFINED(c.missing)');
  assert.deepEqual(ids(either), ['0', '1', '117', '118']);
});

test('items are ordered across partitions, in pages and with an offset', async () => {
  const ordered = await all('SELECT c.number FROM c ORDER BY c.number DESC', { maxItemCount: 11 });
  assert.deepEqual(ordered.map(one => one.number), numbers(0, count).map(Number).reverse());
  const some = await all('SELECT VALUE c.number FROM c WHERE c.number >= 50 ORDER BY c.number OFFSET 5 LIMIT 4');
  assert.deepEqual(some, [55, 56, 57, 58]);
  assert.deepEqual(await all('SELECT TOP 3 VALUE c.number FROM c ORDER BY c.number'), [0, 1, 2]);
});

test('items are added up and grouped across partitions', async () => {
  assert.deepEqual(await all('SELECT VALUE SUM(c.number) FROM c'), [count * (count - 1) / 2]);
  assert.deepEqual(await all('SELECT VALUE MAX(c.number) FROM c'), [count - 1]);
  const groups = await all('SELECT c.pk, COUNT(1) AS items FROM c GROUP BY c.pk');
  assert.equal(groups.length, 20);
  assert.ok(groups.every(group => group.items === count / 20));
  const keys = await all('SELECT DISTINCT VALUE c.pk FROM c');
  assert.equal(new Set(keys).size, 20);
  assert.equal(keys.length, 20);
});

test('what is no query is a bad request', async () => {
  for (const query of ['SELECT', 'nonsense', 'SELECT TOP @none * FROM c', "SELECT * FROM c WHERE c.x = 'open"])
    await assert.rejects(all(query), { code: 400 }, query);
});

test('arrays are iterated, counted and searched', async () => {
  const own = await createContainer();
  const items = numbers(0, 30).map(id => ({ id, pk: `k${id % 7}`, number: Number(id), tags: ['a', 'b', 'c'].slice(0, id % 4), rows: [{ v: id % 5 }, { v: 3 }] }));
  for (const one of items)
    await own.items.create(one);
  const query = async text => (await own.items.query(text, { maxItemCount: 4 }).fetchAll()).resources;
  const sorted = values => values.map(value => JSON.stringify(value)).sort();
  const pairs = items.flatMap(one => one.tags.flatMap(tag => one.rows.map(row => ({ id: one.id, tag, v: row.v }))));
  assert.deepEqual(sorted(await query('SELECT c.id, tag, r.v FROM c JOIN tag IN c.tags JOIN r IN c.rows')), sorted(pairs));
  assert.deepEqual(sorted(await query('SELECT VALUE x.v FROM x IN c.rows')), sorted(items.flatMap(one => one.rows.map(row => row.v))));
  assert.deepEqual(
    await query("SELECT VALUE c.number FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'b') ORDER BY c.number"),
    items.filter(one => one.tags.includes('b')).map(one => one.number));
  assert.deepEqual(
    await query('SELECT VALUE ARRAY(SELECT VALUE r.v FROM r IN c.rows WHERE r.v > 2) FROM c ORDER BY c.number'),
    items.map(one => one.rows.map(row => row.v).filter(v => v > 2)));
  assert.deepEqual(
    await query('SELECT VALUE [c.number, t] FROM c JOIN t IN c.tags ORDER BY c.number DESC'),
    [...items].reverse().flatMap(one => one.tags.map(tag => [one.number, tag])));
  assert.deepEqual(await query('SELECT VALUE SUM(r.v) FROM c JOIN r IN c.rows'), [items.flatMap(one => one.rows).reduce((sum, row) => sum + row.v, 0)]);
  await assert.rejects(query('SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY t'), /Order-by over correlated collections is not supported/);
});

test('what queries do not have here is rejected by name', async () => {
  const rejected = {
    "SELECT * FROM c WHERE ST_DISTANCE(c.x, {'type': 'Point', 'coordinates': [0, 0]}) < 1": /spatial|ST_DISTANCE/i,
    'SELECT TOP 5 * FROM c ORDER BY VectorDistance(c.v, [1, 2])': /vector/i,
    "SELECT * FROM c WHERE FullTextContains(c.x, 'a')": /full.?text/i,
  };
  for (const [query, message] of Object.entries(rejected))
    await assert.rejects(all(query), error => error.code === 400 && message.test(error.message), query);
});

test('a path that is not indexed costs a scan, and orders nothing', async () => {
  const own = await createContainer({
    indexingPolicy: { indexingMode: 'consistent', includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/other/?' }] },
  });
  for (let i = 0; i < 40; i++)
    await own.items.create({ id: `${i}`, pk: 'k', number: i, other: i, text: 'x'.repeat(2_000) });
  const query = text => own.items.query(text, { partitionKey: 'k' }).fetchAll();
  const [indexed, scanned] = [await query('SELECT * FROM c WHERE c.number = 3'), await query('SELECT * FROM c WHERE c.other = 3')];
  assert.deepEqual(scanned.resources, indexed.resources);
  assert.ok(scanned.requestCharge > indexed.requestCharge + 1, `${scanned.requestCharge} > ${indexed.requestCharge}`);
  await assert.rejects(query('SELECT * FROM c ORDER BY c.other'), /order-by item is excluded/);
});
