// Accounts, databases, containers, ranges, offers and options of @azure/cosmos.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ConsistencyLevel, CosmosClient } from '@azure/cosmos';
import { account, client, createContainer, createRetryingClient } from './client.js';
import { probe, rejects } from './probes.js';

const createDatabase = async (more = {}) => (await client.databases.create({ id: `probe-${randomUUID()}`, ...more })).database;
const byId = id => ({ query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: id }] });

probe('account', [
  ['has its properties', async () => {
    const { resource } = await client.getDatabaseAccount();
    assert.equal(resource.consistencyPolicy, ConsistencyLevel.Session);
    assert.deepEqual([resource.writableLocations.length, resource.readableLocations.length], [1, 1]);
  }],
  ['has its endpoints', async () => {
    const found = [await client.getWriteEndpoint(), await client.getReadEndpoint(), ...await client.getReadEndpoints()];
    assert.ok(found.every(endpoint => endpoint.startsWith(account.httpEndpoint)), found.join());
  }],
  ['is found by a connection string', async () => {
    const other = new CosmosClient(`AccountEndpoint=${account.httpEndpoint};AccountKey=${account.key};`);
    assert.ok(Array.isArray((await other.databases.readAll().fetchAll()).resources));
    other.dispose();
  }],
  ['takes a consistency of the client', async () => {
    const other = new CosmosClient({ endpoint: account.httpEndpoint, key: account.key, consistencyLevel: ConsistencyLevel.Eventual });
    assert.ok(Array.isArray((await other.databases.readAll().fetchAll()).resources));
    other.dispose();
  }],
  ['throttles until a client that waits is through', async () => {
    const by = createRetryingClient();
    const own = await createContainer({ throughput: 400 }, by);
    const text = 'x'.repeat(60_000);
    for (let i = 0; i < 30; i++)
      await own.items.create({ id: `${i}`, pk: 'one', text });
    assert.equal((await own.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources[0], 30);
  }],
]);

probe('database', [
  ['create, read and delete', async () => {
    const database = await createDatabase();
    const { resource, headers } = await database.read();
    assert.ok(resource._rid && resource._etag && resource._colls === 'colls/' && headers['x-ms-request-charge']);
    assert.equal((await database.delete()).statusCode, 204);
    await rejects(database.read(), 404);
  }],
  ['create of a known one, and if there is none', async () => {
    const { id } = await createDatabase();
    await rejects(client.databases.create({ id }), 409, /already exists/);
    assert.equal((await client.databases.createIfNotExists({ id })).statusCode, 200);
    assert.equal((await client.databases.createIfNotExists({ id: `${id}-2` })).statusCode, 201);
  }],
  ['create with shared and with automatic throughput', async () => {
    assert.equal((await (await createDatabase({ throughput: 1_000 })).readOffer()).resource.content.offerThroughput, 1_000);
    const scaling = await createDatabase({ maxThroughput: 4_000 });
    assert.equal((await scaling.readOffer()).resource.content.offerAutopilotSettings.maxThroughput, 4_000);
  }],
  ['without an offer', async () => assert.equal((await (await createDatabase()).readOffer()).resource, undefined)],
  ['list and query', async () => {
    const { id } = await createDatabase();
    assert.ok((await client.databases.readAll({ maxItemCount: 2 }).fetchAll()).resources.some(one => one.id === id));
    assert.deepEqual((await client.databases.query(byId(id)).fetchAll()).resources.map(one => one.id), [id]);
    assert.deepEqual((await client.databases.query('SELECT * FROM root r WHERE r.id = "none"').fetchAll()).resources, []);
  }],
  ['create with too little throughput', () => rejects(createDatabase({ throughput: 100 }), 400)],
  ['create with an id that cannot be', () => assert.rejects(client.databases.create({ id: 'a/b' }))],
  ['read that is aborted', async () => {
    const database = await createDatabase();
    await assert.rejects(database.read({ abortSignal: AbortSignal.abort() }), { name: 'AbortError' });
  }],
  ['users', async () => (await createDatabase()).users.create({ id: 'u' }), /users are not simulated/i],
  ['permissions', async () => (await createDatabase()).user('u').permissions.readAll().fetchAll(), /permissions are not simulated/i],
]);

probe('container', [
  ['create with its defaults', async () => {
    const { resource } = await (await createContainer()).read();
    const { indexingMode, automatic, includedPaths } = resource.indexingPolicy;
    assert.deepEqual([indexingMode, automatic, includedPaths, resource.partitionKey.kind], ['consistent', true, [{ path: '/*' }], 'Hash']);
    assert.ok(resource._rid && resource.conflictResolutionPolicy.mode === 'LastWriterWins');
  }],
  ['create of a known one, and if there is none', async () => {
    const { id, database } = await createContainer();
    await rejects(database.containers.create({ id, partitionKey: '/pk' }), 409);
    assert.equal((await database.containers.createIfNotExists({ id, partitionKey: '/pk' })).statusCode, 200);
    assert.equal((await database.containers.createIfNotExists({ id: `${id}-2`, partitionKey: '/pk' })).statusCode, 201);
  }],
  ['create in no database', () => rejects(client.database('none').containers.create({ id: 'c', partitionKey: '/pk' }), 404)],
  ['key of its definition', async () =>
    assert.deepEqual((await (await createContainer()).getPartitionKeyDefinition()).resource.paths, ['/pk'])],
  ['list and query', async () => {
    const { id, database } = await createContainer();
    assert.ok((await database.containers.readAll().fetchAll()).resources.some(one => one.id === id));
    assert.deepEqual((await database.containers.query(byId(id)).fetchAll()).resources.map(one => one.id), [id]);
  }],
  ['replace of the index and the time to live', async () => {
    const container = await createContainer();
    const { resource } = await container.read();
    const indexingPolicy = { ...resource.indexingPolicy, excludedPaths: [{ path: '/big/*' }] };
    const replaced = await container.replace({ ...resource, indexingPolicy, defaultTtl: 60 });
    assert.deepEqual([replaced.resource.defaultTtl, replaced.resource.indexingPolicy.excludedPaths[0].path], [60, '/big/*']);
  }],
  ['replace of the key', async () => {
    const container = await createContainer();
    await rejects(container.replace({ id: container.id, partitionKey: { paths: ['/other'] } }), 400);
  }],
  ['size and quota', async () => {
    const container = await createContainer();
    const { headers } = await container.read({ populateQuotaInfo: true });
    assert.match(headers['x-ms-resource-usage'], /documentsCount=0/);
  }],
  ['unique keys', async () => {
    const container = await createContainer({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/a', '/b/c'] }] } });
    await container.items.create({ id: '1', pk: 'x', a: 1, b: { c: 2 } });
    await rejects(container.items.create({ id: '2', pk: 'x', a: 1, b: { c: 2 } }), 409);
    assert.equal((await container.items.create({ id: '2', pk: 'x', a: 1 })).statusCode, 201);
  }],
  ['computed properties', async () => {
    const computedProperties = [{ name: 'lower', query: 'SELECT VALUE LOWER(c.name) FROM c' }];
    const container = await createContainer({ computedProperties });
    await container.items.create({ id: '1', pk: 'x', name: 'ANNA' });
    assert.deepEqual((await container.items.query("SELECT VALUE c.lower FROM c WHERE c.lower = 'anna'").fetchAll()).resources, ['anna']);
  }],
  ['composite and spatial indexes are kept', async () => {
    const indexingPolicy = {
      includedPaths: [{ path: '/*' }], compositeIndexes: [[{ path: '/a', order: 'ascending' }, { path: '/b', order: 'descending' }]],
      spatialIndexes: [{ path: '/place/*', types: ['Point'] }],
    };
    const { resource } = await (await createContainer({ indexingPolicy })).read();
    assert.deepEqual(resource.indexingPolicy.compositeIndexes, indexingPolicy.compositeIndexes);
    assert.deepEqual(resource.indexingPolicy.spatialIndexes[0].types, ['Point']);
  }],
  ['ranges', async () => {
    const container = await createContainer();
    const { resources } = await container.readPartitionKeyRanges().fetchAll();
    assert.deepEqual([resources[0].minInclusive, resources.at(-1).maxExclusive, resources.length], ['', 'FF', 3]);
    assert.equal((await container.getFeedRanges()).length, 3);
  }],
  ['deletes of all items of a key', async () => {
    const container = await createContainer();
    for (const pk of ['a', 'b'])
      await container.items.create({ id: '1', pk });
    await container.deleteAllItemsForPartitionKey('a');
    assert.deepEqual((await container.items.query('SELECT VALUE c.pk FROM c').fetchAll()).resources, ['b']);
  }],
  ['of no throughput that can be', () => rejects(createContainer({ throughput: 250 }), 400)],
  ['with a key of two paths that is not hierarchical', () => rejects(
    createContainer({ partitionKey: { paths: ['/a', '/b'], kind: 'Hash', version: 2 } }), 400)],
  ['with a wrong index', () => rejects(
    createContainer({ indexingPolicy: { compositeIndexes: [[{ path: '/a', order: 'sideways' }, { path: '/b' }]] } }), 400)],
  ['conflicts', async () => (await createContainer()).conflicts.readAll().fetchAll(), /conflicts are not simulated/i],
  ['vectors', () => createContainer({ vectorEmbeddingPolicy: { vectorEmbeddings: [{ path: '/v', dimensions: 3 }] } }), /vector/i],
  ['full texts', () => createContainer({ fullTextPolicy: { defaultLanguage: 'en-US', fullTextPaths: [] } }), /full-text/i],
]);

probe('offer', [
  ['read, list and query', async () => {
    const { resource, offer } = await (await createContainer({ throughput: 1_100 })).readOffer();
    assert.equal((await offer.read()).resource.content.offerThroughput, 1_100);
    assert.ok((await client.offers.readAll().fetchAll()).resources.some(one => one.id === resource.id));
    assert.equal((await client.offers.query(byId(resource.id)).fetchAll()).resources.length, 1);
  }],
  ['replace of fixed throughput', async () => {
    const { resource, offer } = await (await createContainer({ throughput: 1_000 })).readOffer();
    resource.content.offerThroughput = 1_500;
    assert.equal((await offer.replace(resource)).resource.content.offerThroughput, 1_500);
  }],
  ['replace of automatic throughput', async () => {
    const { resource, offer } = await (await createContainer({ throughput: undefined, maxThroughput: 4_000 })).readOffer();
    resource.content.offerAutopilotSettings.maxThroughput = 6_000;
    assert.equal((await offer.replace(resource)).resource.content.offerAutopilotSettings.maxThroughput, 6_000);
  }],
  ['replace by too little', async () => {
    const { resource, offer } = await (await createContainer({ throughput: 1_000 })).readOffer();
    resource.content.offerThroughput = 10;
    await rejects(offer.replace(resource), 400);
  }],
]);

probe('error', [
  ['has code, body, activity, charge and headers', async () => {
    const container = await createContainer();
    await assert.rejects(container.item('1', 'x').replace({ id: '1', pk: 'x' }), error => {
      assert.deepEqual([error.code, error.body.code], [404, 'NotFound']);
      assert.ok(error.activityId && Number(error.headers['x-ms-request-charge']) > 1);
      return true;
    });
  }],
  ['of a wrong key', async () => {
    const other = new CosmosClient({ endpoint: account.httpEndpoint, key: Buffer.from('other').toString('base64') });
    await rejects(other.databases.readAll().fetchAll(), 401, /authorization/i);
  }],
  ['of a session ahead', async () => {
    const container = await createContainer();
    await container.items.create({ id: '1', pk: 'x' });
    const { headers } = await container.item('1', 'x').read();
    const ahead = headers['x-ms-session-token'].replace(/\d+$/, lsn => `${Number(lsn) + 1_000}`);
    const read = by => by.database('clients').container(container.id).items
      .query('SELECT VALUE c.id FROM c', { partitionKey: 'x', sessionToken: ahead }).fetchAll();
    const steady = new CosmosClient({
      endpoint: account.httpEndpoint, key: account.key, connectionPolicy: { enableEndpointDiscovery: false },
    });
    await rejects(read(steady), 404, /session/, 1002);
    // By default the SDK tries again without the session.
    assert.deepEqual((await read(client)).resources, ['1']);
    steady.dispose();
  }],
  ['of a container that is gone', async () => {
    const container = await createContainer();
    await container.delete();
    await assert.rejects(container.items.create({ id: '1', pk: 'x' }), { code: 404 });
  }],
]);
