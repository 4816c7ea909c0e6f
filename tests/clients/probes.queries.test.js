// Queries of @azure/cosmos over three partitions. What each must return is computed here, from the same items.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { createContainer } from './client.js';
import { probe, rejects } from './probes.js';

const names = ['anna', 'Bert', 'çelik', 'dörte', 'e_va'];
const items = Array.from({ length: 60 }, (_, i) => ({
  id: `${i}`, pk: `k${i % 7}`, number: i, half: i / 2, flag: i % 3 === 0, name: names[i % 5], tags: ['a', 'b', 'c'].slice(0, i % 4),
  nested: { deep: { value: i % 10 } }, rows: [{ v: i % 5 }, { v: 3, w: 'x' }],
  at: `2026-03-${String(1 + i % 28).padStart(2, '0')}T10:00:00.0000000Z`,
  ...[{ maybe: null }, {}, { maybe: i }, { maybe: 'text' }][i % 4],
}));
let container;

before(async () => {
  container = await createContainer({
    indexingPolicy: {
      includedPaths: [{ path: '/*' }],
      compositeIndexes: [[{ path: '/pk', order: 'ascending' }, { path: '/number', order: 'descending' }]],
    },
  });
  for (const one of items)
    await container.items.create(one);
});

const all = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;
const where = (condition, value = one => one.id) => items.filter(condition).map(value);
const distinct = values => [...new Map(values.map(value => [JSON.stringify(value), value])).values()];
const sum = values => values.reduce((total, value) => total + value, 0);
const groups = key => Object.values(Object.groupBy ? Object.groupBy(items, key) : items.reduce((found, one) => {
  (found[key(one)] ??= []).push(one);
  return found;
}, {}));
const descending = [...items].reverse();
const sorted = values => values.map(value => JSON.stringify(value)).sort();

/** `[query or condition, results]`; a condition is of `SELECT VALUE c.id`. Only results of ORDER BY have an order. */
const conditions = [
  ['c.number >= 50', where(one => one.number >= 50)],
  ['c.number IN (3, 5, 99)', ['3', '5']],
  ['c.number BETWEEN 10 AND 12', ['10', '11', '12']],
  ['NOT c.flag AND c.number < 5', ['1', '2', '4']],
  ["c.name LIKE 'a%'", where(one => one.name === 'anna')],
  ["c.name LIKE '_e%' OR c.name LIKE '%!_va' ESCAPE '!'", where(one => ['Bert', 'e_va'].includes(one.name) || /^.e/.test(one.name))],
  ["STARTSWITH(c.name, 'BE', true)", where(one => one.name === 'Bert')],
  ["CONTAINS(c.name, 'ör') OR ENDSWITH(c.name, 'lik')", where(one => ['dörte', 'çelik'].includes(one.name))],
  ["ARRAY_CONTAINS(c.tags, 'c')", where(one => one.tags.includes('c'))],
  ["ARRAY_CONTAINS(c.rows, { 'w': 'x' }, true) AND c.number < 2", ['0', '1']],
  ['IS_DEFINED(c.maybe)', where(one => 'maybe' in one)],
  ['IS_NULL(c.maybe)', where(one => one.maybe === null)],
  ['IS_STRING(c.maybe) OR IS_NUMBER(c.maybe)', where(one => ['string', 'number'].includes(typeof one.maybe))],
  ['(c.maybe ?? -1) = -1', where(one => !('maybe' in one))],
  ["(c.flag ? 'yes' : 'no') = 'yes'", where(one => one.flag)],
  ['c.number % 7 = 2 AND c.half * 2 = c.number', where(one => one.number % 7 === 2)],
  ["(c.name || '!') = 'anna!'", where(one => one.name === 'anna')],
  ['c.nested.deep["value"] = 9', where(one => one.nested.deep.value === 9)],
  ['c.rows[0].v = 4', where(one => one.rows[0].v === 4)],
  ["EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = 'b')", where(one => one.tags.includes('b'))],
  ['(SELECT VALUE COUNT(1) FROM t IN c.tags) = 3', where(one => one.tags.length === 3)],
  ["REGEXMATCH(c.name, '^[a-z]+$')", where(one => /^[a-z]+$/.test(one.name))],
  ["DateTimePart('day', c.at) = 5", where(one => one.at.startsWith('2026-03-05'))],
  ['c._ts > 0 AND c.id = "7"', ['7']],
  ['c.missing = 1 OR c.pk = "k1" -- and nothing else', where(one => one.pk === 'k1')],
].map(([condition, expected]) => [`SELECT VALUE c.id FROM c WHERE ${condition}`, expected]);

const selections = [
  ['SELECT c.id, c.number * 2 AS twice FROM c WHERE c.number < 3', [0, 1, 2].map(i => ({ id: `${i}`, twice: i * 2 }))],
  ["SELECT VALUE { 'key': c.pk, 'list': [c.number, c.flag] } FROM c WHERE c.id = '8'", [{ key: 'k1', list: [8, false] }]],
  ['SELECT VALUE ARRAY(SELECT VALUE r.v FROM r IN c.rows WHERE r.v > 2) FROM c',
    items.map(one => one.rows.map(row => row.v).filter(v => v > 2))],
  ['SELECT VALUE [UPPER(c.pk), LENGTH(c.name), SUBSTRING(c.name, 1, 2)] FROM c WHERE c.id = "0"', [['K0', 4, 'nn']]],
  ['SELECT VALUE [ABS(-c.number), ROUND(c.half), FLOOR(c.half), POWER(c.number, 2)] FROM c WHERE c.id = "5"', [[5, 3, 2, 25]]],
  ['SELECT VALUE [ARRAY_LENGTH(c.tags), ARRAY_SLICE(c.tags, 1), ToString(c.number), INDEX_OF(c.name, "a")] FROM c WHERE c.id = "15"',
    [[3, ['b', 'c'], '15', 0]]],
  ['SELECT VALUE StringToNumber("12.5")', [12.5]],
  ['SELECT VALUE r.number FROM root r WHERE r.id = "4"', [4]],
  ['SELECT c["name"], c.nested.deep.value FROM c WHERE c.id = "1"', [{ name: 'Bert', value: 1 }]],
  ['SELECT c.id, t FROM c JOIN t IN c.tags', items.flatMap(one => one.tags.map(t => ({ id: one.id, t })))],
  ['SELECT VALUE [t, r.v] FROM c JOIN t IN c.tags JOIN r IN c.rows WHERE c.number < 20',
    items.slice(0, 20).flatMap(one => one.tags.flatMap(t => one.rows.map(row => [t, row.v])))],
  ['SELECT VALUE t FROM t IN c.tags', items.flatMap(one => one.tags)],
  ['SELECT VALUE s.total FROM c JOIN (SELECT VALUE { "total": c.number + c.half }) s WHERE c.id = "2"', [3]],
  ['SELECT DISTINCT VALUE c.pk FROM c', distinct(items.map(one => one.pk))],
  ['SELECT DISTINCT c.flag, c.name FROM c', distinct(items.map(({ flag, name }) => ({ flag, name })))],
  // Objects: of DISTINCT values with an order the SDK drops 0, false and ''.
  ['SELECT DISTINCT c.nested.deep.value FROM c ORDER BY c.nested.deep.value', Array.from({ length: 10 }, (_, value) => ({ value }))],
  ['SELECT VALUE c.number FROM c ORDER BY c.number DESC', descending.map(one => one.number)],
  ['SELECT TOP 4 VALUE c.number FROM c ORDER BY c.number DESC', [59, 58, 57, 56]],
  ['SELECT VALUE c.number FROM c ORDER BY c.number OFFSET 57 LIMIT 10', [57, 58, 59]],
  ['SELECT VALUE c.number FROM c ORDER BY c.number OFFSET 100 LIMIT 10', []],
  ['SELECT c.pk, c.number FROM c ORDER BY c.pk ASC, c.number DESC',
    items.map(({ pk, number }) => ({ pk, number })).sort((a, b) => a.pk.localeCompare(b.pk) || b.number - a.number)],
  ['SELECT VALUE c.name FROM c ORDER BY c.name', items.map(one => one.name).sort()],
  ['SELECT VALUE n.deep.value FROM c.nested AS n ORDER BY n.deep.value', items.map(one => one.nested.deep.value).sort()],
  ['SELECT VALUE [c.number, t] FROM c JOIN t IN c.tags ORDER BY c.number DESC',
    descending.flatMap(one => one.tags.map(t => [one.number, t]))],
  ['SELECT VALUE COUNT(1) FROM c', [60]],
  ['SELECT VALUE COUNT(c.maybe) FROM c', [where(one => 'maybe' in one).length]],
  ['SELECT VALUE SUM(c.half) FROM c', [sum(items.map(one => one.half))]],
  ['SELECT VALUE AVG(c.number) FROM c', [29.5]],
  ['SELECT VALUE MIN(c.name) FROM c', ['Bert']],
  ['SELECT VALUE MAX(c.number) FROM c WHERE c.flag', [57]],
  ['SELECT COUNT(1) AS count, SUM(c.number) AS total, MAX(c.name) AS last FROM c', [{ count: 60, total: 1770, last: 'çelik' }]],
  ['SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags', [sum(items.map(one => one.tags.length))]],
  ['SELECT c.pk, COUNT(1) AS count FROM c GROUP BY c.pk', groups(one => one.pk).map(group => ({ pk: group[0].pk, count: group.length }))],
  ['SELECT c.pk, c.flag, AVG(c.number) AS mean, MIN(c.number) AS least FROM c GROUP BY c.pk, c.flag',
    groups(one => `${one.pk} ${one.flag}`).map(group => ({
      pk: group[0].pk, flag: group[0].flag, mean: sum(group.map(one => one.number)) / group.length, least: group[0].number,
    }))],
  ['SELECT UPPER(c.name) AS name, SUM(c.number) AS total FROM c WHERE c.number < 10 GROUP BY UPPER(c.name)',
    names.map((name, i) => ({ name: name.toUpperCase(), total: 2 * i + 5 }))],
];

const parameters = [
  ['number', 'c.number = @p', 17, ['17']],
  ['text with quotes and signs', 'c.name = @p OR @p = "it\'s \\"q\\""', 'it\'s "q"', items.map(one => one.id)],
  ['list', 'ARRAY_CONTAINS(@p, c.id)', ['3', '4', 'none'], ['3', '4']],
  ['object', 'c.nested = @p', { deep: { value: 7 } }, where(one => one.nested.deep.value === 7)],
  ['null', 'c.maybe = @p', null, where(one => one.maybe === null)],
  ['true', 'c.flag = @p', true, where(one => one.flag)],
  ['without a value', 'c.number = @p', undefined, []],
];

const assertResults = async (query, expected, options) => {
  const actual = await all(query, options);
  if (/ORDER BY/.test(query.query ?? query))
    assert.deepEqual(actual, expected);
  else
    assert.deepEqual(sorted(actual), sorted(expected));
};

probe('query', [...conditions, ...selections].map(([query, expected]) => [query, () => assertResults(query, expected)]));

probe('query in pages of 3', selections.filter(([query]) => /ORDER BY|DISTINCT|GROUP BY|JOIN/.test(query))
  .map(([query, expected]) => [query, () =>
    assertResults(query, expected, { maxItemCount: 3, bufferItems: true, maxDegreeOfParallelism: 2 })]));

probe('query with a parameter', parameters.map(([name, condition, value, expected]) => [name, () =>
  assertResults({ query: `SELECT VALUE c.id FROM c WHERE ${condition}`, parameters: [{ name: '@p', value }] }, expected)]));

probe('query that is rejected', [
  ['no query', () => rejects(all('SELEC'), 400, /Syntax error, incorrect syntax near 'SELEC'/)],
  ['an unknown name', () => rejects(all('SELECT * FROM c WHERE d.x = 1'), 400, /Identifier 'd' could not be resolved/)],
  ['an unknown function', () => rejects(all('SELECT NOFUNCTION(1) FROM c'), 400, /NOFUNCTION/)],
  ['ORDER BY without an index', () => rejects(all('SELECT * FROM c ORDER BY c.number, c.pk'), 400, /composite index/)],
  ['TOP in a subquery', () => rejects(
    all('SELECT ARRAY(SELECT TOP 1 VALUE t FROM t IN c.tags) FROM c'), 400, /'TOP' is not supported in subqueries/)],
  ['a parameter twice', () => rejects(
    all({ query: 'SELECT * FROM c WHERE c.x = @p', parameters: [{ name: '@p', value: 1 }, { name: '@p', value: 2 }] }), 400, /duplicate/)],
  ['a continuation of another query', () => rejects(
    container.items.query('SELECT * FROM c', { partitionKey: 'k1', continuationToken: 'nonsense' }).fetchNext(), 400, /Continuation/i)],
  ['distance of places', () => all("SELECT ST_DISTANCE(c.a, c.b) FROM c"), /spatial|ST_DISTANCE/i],
  ['search by vectors', () => all('SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2])'), /vector/i],
  ['search of texts', () => all("SELECT * FROM c WHERE FullTextContains(c.name, 'a')"), /full.?text/i],
]);

probe('query iterator', [
  ['asks for pages', async () => {
    const sizes = [];
    for await (const page of container.items.query('SELECT * FROM c', { partitionKey: 'k1', maxItemCount: 4 }).getAsyncIterator())
      sizes.push(page.resources.length);
    assert.deepEqual(sizes, [4, 4, 1]);
  }],
  ['begins anew', async () => {
    const iterator = container.items.query('SELECT * FROM c ORDER BY c.number', { maxItemCount: 10 });
    const first = (await iterator.fetchNext()).resources;
    iterator.reset();
    assert.deepEqual((await iterator.fetchNext()).resources, first);
  }],
  ['goes on by the continuation of an order in one key', async () => {
    const options = { partitionKey: 'k2', maxItemCount: 3 };
    const found = [];
    let continuationToken;
    do {
      const page = await container.items
        .query('SELECT VALUE c.number FROM c ORDER BY c.number DESC', { ...options, continuationToken }).fetchNext();
      found.push(...page.resources);
      continuationToken = page.continuationToken;
    } while (continuationToken);
    assert.deepEqual(found, descending.filter(one => one.pk === 'k2').map(one => one.number));
  }],
  ['has charge, activity and metrics', async () => {
    const options = { partitionKey: 'k3', populateQueryMetrics: true, populateIndexMetrics: true };
    const page = await container.items.query('SELECT * FROM c WHERE c.number = 3', options).fetchNext();
    assert.ok(page.requestCharge > 2 && page.activityId);
    assert.match(JSON.stringify(page.queryMetrics ?? page.headers ?? ''), /retrievedDocumentCount|RetrievedDocumentCount/i);
    assert.ok(page.indexMetrics);
  }],
  ['adds up the charges of all pages', async () => {
    const { requestCharge, resources } = await container.items.query('SELECT * FROM c').fetchAll();
    assert.equal(resources.length, 60);
    assert.ok(requestCharge > 3 * 2.2, `${requestCharge}`);
  }],
  ['uses a plan though it needs none', () => assertResults('SELECT VALUE c.id FROM c', items.map(one => one.id), { forceQueryPlan: true })],
  ['combines pages under query control', () => assertResults(
    'SELECT VALUE c.number FROM c ORDER BY c.number', items.map(one => one.number), { enableQueryControl: true, maxItemCount: 7 })],
  ['stops when it is aborted', () => assert.rejects(all('SELECT * FROM c', { abortSignal: AbortSignal.abort() }), { name: 'AbortError' })],
  ['has the plan', async () => {
    const { result } = await container.getQueryPlan('SELECT VALUE COUNT(1) FROM c');
    assert.deepEqual(result.queryInfo.aggregates, ['Count']);
  }],
  ['reads all items of one key', async () => {
    const { resources } = await container.items.readAll({ partitionKey: 'k0' }).fetchAll();
    assert.equal(resources.length, where(one => one.pk === 'k0').length);
  }],
]);
