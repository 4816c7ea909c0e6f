import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContainer, fill, ids } from './client.js';

test('stored procedures run in one partition key, all or nothing', async () => {
  const container = await createContainer();
  await container.scripts.storedProcedures.create({
    id: 'import',
    body: function (items, fails) {
      const collection = getContext().getCollection();
      items.forEach(item => collection.createDocument(collection.getSelfLink(), item, error => {
        if (error)
          throw error;
      }));
      collection.queryDocuments(collection.getSelfLink(), 'SELECT VALUE COUNT(1) FROM c', (error, [count]) => {
        if (fails)
          throw new Error(1234, 'on purpose');
        console.log('%s items', count);
        getContext().getResponse().setBody({ count });
      });
    },
  });
  const procedure = container.scripts.storedProcedure('import');
  const { resource, headers } = await procedure.execute(
    'k', [[{ id: '1', pk: 'k' }, { id: '2', pk: 'k' }], false], { enableScriptLogging: true });
  assert.deepEqual(resource, { count: 2 });
  assert.equal(decodeURIComponent(headers['x-ms-documentdb-script-log-results']), '2 items');
  await assert.rejects(procedure.execute('k', [[{ id: '3', pk: 'k' }], true]), { code: 400, substatus: 1234 });
  await assert.rejects(procedure.execute('k', [[{ id: '1', pk: 'k' }], false]), { code: 400, substatus: 409 });
  assert.deepEqual(ids((await container.items.readAll().fetchAll()).resources), ['1', '2']);
});

test('triggers run with the writes that name them', async () => {
  const container = await createContainer();
  await container.scripts.triggers.create({
    id: 'stamp', triggerType: 'Pre', triggerOperation: 'All',
    body: function () {
      const item = getContext().getRequest().getBody();
      item.stamped = true;
      getContext().getRequest().setBody(item);
    },
  });
  const { resource } = await container.items.create({ id: '1', pk: 'k' }, { preTriggerInclude: 'stamp' });
  assert.equal(resource.stamped, true);
  await assert.rejects(container.items.create({ id: '2', pk: 'k' }, { preTriggerInclude: 'none' }), { code: 400 });
});

test('queries over all partitions call user-defined functions', async () => {
  const container = await fill(20);
  await container.scripts.userDefinedFunctions.create({ id: 'isOdd', body: 'function (n) { return n % 2 === 1; }' });
  const { resources } = await container.items.query('SELECT VALUE c.number FROM c WHERE udf.isOdd(c.number) ORDER BY c.number DESC').fetchAll();
  assert.deepEqual(resources, [19, 17, 15, 13, 11, 9, 7, 5, 3, 1]);
  assert.deepEqual(ids((await container.scripts.userDefinedFunctions.readAll().fetchAll()).resources), ['isOdd']);
});
