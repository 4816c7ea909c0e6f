import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CosmosClient } from '@azure/cosmos';
import { account, client, createContainer, createTlsClient } from './client.js';

test('the account says where it is and how consistent it is', async () => {
  const { resource } = await client.getDatabaseAccount();
  assert.equal(resource.consistencyPolicy, 'Session');
  assert.equal(resource.writableLocations[0].databaseAccountEndpoint, account.httpEndpoint);
});

test('a client that trusts the certificate works over TLS, and one that does not fails', async () => {
  const trusting = createTlsClient();
  const { resources } = await trusting.databases.readAll().fetchAll();
  assert.ok(Array.isArray(resources));
  const other = new CosmosClient({ endpoint: account.endpoint, key: account.key });
  await assert.rejects(other.databases.readAll().fetchAll(), /self.signed|certificate/i);
});

test('a wrong key is unauthorized', async () => {
  const stranger = new CosmosClient({ endpoint: account.httpEndpoint, key: Buffer.from('another key').toString('base64') });
  await assert.rejects(stranger.databases.readAll().fetchAll(), { code: 401 });
});

test('databases are created, found, read, listed, queried and deleted', async () => {
  const id = `db-${Date.now()}`;
  const { database, statusCode } = await client.databases.create({ id });
  assert.equal(statusCode, 201);
  await assert.rejects(client.databases.create({ id }), { code: 409 });
  assert.equal((await client.databases.createIfNotExists({ id })).statusCode, 200);
  assert.equal((await database.read()).resource.id, id);
  assert.ok((await client.databases.readAll().fetchAll()).resources.some(one => one.id === id));
  const found = await client.databases
    .query({ query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: id }] }).fetchAll();
  assert.deepEqual(found.resources.map(one => one.id), [id]);
  assert.equal((await database.delete()).statusCode, 204);
  await assert.rejects(database.read(), { code: 404 });
});

test('containers are created, read, listed, replaced and deleted', async () => {
  const indexingPolicy = { indexingMode: 'consistent', includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/text/?' }] };
  const container = await createContainer({ indexingPolicy });
  const { resource } = await container.read();
  assert.deepEqual(resource.partitionKey.paths, ['/pk']);
  assert.deepEqual((await container.getPartitionKeyDefinition()).resource.paths, ['/pk']);
  assert.ok(resource.indexingPolicy.excludedPaths.some(one => one.path === '/text/?'));
  assert.ok((await container.database.containers.readAll().fetchAll()).resources.some(one => one.id === container.id));
  const replaced = await container.replace({ ...resource, indexingPolicy: { indexingMode: 'none', automatic: false } });
  assert.equal(replaced.resource.indexingPolicy.indexingMode, 'none');
  await assert.rejects(container.replace({ ...resource, partitionKey: { paths: ['/other'] } }), { code: 400 });
  assert.equal((await container.delete()).statusCode, 204);
  await assert.rejects(container.read(), { code: 404 });
});

test('throughput is read and changed, by hand and with autoscale', async () => {
  const container = await createContainer({ throughput: 1_000 });
  const { offer, resource } = await container.readOffer();
  assert.equal(resource.content.offerThroughput, 1_000);
  resource.content.offerThroughput = 2_500;
  await offer.replace(resource);
  assert.equal((await container.readOffer()).resource.content.offerThroughput, 2_500);
  const scaling = await createContainer({ throughput: undefined, maxThroughput: 4_000 });
  assert.equal((await scaling.readOffer()).resource.content.offerAutopilotSettings.maxThroughput, 4_000);
  await assert.rejects(createContainer({ throughput: 150 }), { code: 400 });
});

test('a container has as many ranges as partitions', async () => {
  const container = await createContainer();
  assert.equal((await container.readPartitionKeyRanges().fetchAll()).resources.length, 3);
  assert.equal((await container.getFeedRanges()).length, 3);
});

test('a database shares its throughput among containers without their own', async () => {
  const { database } = await client.databases.create({ id: `shared-${Date.now()}`, throughput: 5_000 });
  assert.equal((await database.readOffer()).resource.content.offerThroughput, 5_000);
  const { container } = await database.containers.create({ id: 'sharing', partitionKey: { paths: ['/pk'], version: 2 } });
  await container.items.create({ id: '1', pk: 'x' });
  assert.equal((await container.readOffer()).resource, undefined);
  await database.delete();
});

test('hierarchical keys, unique keys and a time to live are kept with their container', async () => {
  const container = await createContainer({
    partitionKey: { paths: ['/tenant', '/user'], version: 2, kind: 'MultiHash' }, uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/mail'] }] },
    defaultTtl: 3_600,
  });
  await container.items.create({ id: '1', tenant: 't', user: 'u', mail: 'a' });
  assert.equal((await container.item('1', ['t', 'u']).read()).resource.mail, 'a');
  await assert.rejects(container.items.create({ id: '2', tenant: 't', user: 'u', mail: 'a' }), { code: 409 });
  await container.items.create({ id: '2', tenant: 't', user: 'v', mail: 'a' });
  assert.equal((await container.items.query('SELECT * FROM c', { partitionKey: ['t', 'v'] }).fetchAll()).resources.length, 1);
  const { resource } = await container.read();
  assert.equal(resource.defaultTtl, 3_600);
  assert.deepEqual(resource.uniqueKeyPolicy.uniqueKeys[0].paths, ['/mail']);
});

test('what is not simulated is rejected by name', async () => {
  await assert.rejects(createContainer({ vectorEmbeddingPolicy: { vectorEmbeddings: [{ path: '/v' }] } }), { code: 400 }, 'vectors');
  await assert.rejects(createContainer({ partitionKey: { paths: ['/a', '/b'], kind: 'Hash', version: 2 } }), { code: 400 }, 'two paths');
  const container = await createContainer();
  await assert.rejects(container.conflicts.readAll().fetchAll(), /not simulated/);
});

test('users are rejected by name', async () => {
  const { database } = await createContainer();
  await assert.rejects(database.users.create({ id: 'reader' }), /users/i);
  await assert.rejects(database.users.readAll().fetchAll(), /users/i);
});

test('names that are not ASCII are served', async () => {
  const { database } = await client.databases.create({ id: `grün-${Date.now()}` });
  const { container } = await database.containers.create({ id: 'späť ☃', partitionKey: { paths: ['/pk'], version: 2 } });
  await container.items.create({ id: 'ä', pk: 'k' });
  assert.equal((await container.item('ä', 'k').read()).resource.id, 'ä');
  assert.equal((await container.items.query('SELECT * FROM c').fetchAll()).resources.length, 1);
  await database.delete();
});
