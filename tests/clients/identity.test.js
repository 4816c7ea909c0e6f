// The account with the option to accept every token of an identity.
import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import { test } from 'node:test';
import { CosmosClient } from '@azure/cosmos';
import { startAccount } from './account.js';

test('a client with any token is served, and one with another key is not', { timeout: 300_000 }, async t => {
  const { ready, stop } = await startAccount('--any-token', '--latency', 'none');
  t.after(stop);
  // The SDK sends tokens over TLS only.
  const connection = { endpoint: ready.endpoint, agent: new Agent({ ca: ready.certificatePem }) };
  const client = new CosmosClient({
    ...connection, aadCredentials: { getToken: async () => ({ token: 'of.no.issuer', expiresOnTimestamp: Date.now() + 3_600_000 }) },
  });
  const { database } = await client.databases.createIfNotExists({ id: 'identity' });
  const { container } = await database.containers.create({ id: 'one', partitionKey: '/pk' });
  await container.items.create({ id: '1', pk: 'k' });
  assert.equal((await container.item('1', 'k').read()).resource.id, '1');

  const other = new CosmosClient({ ...connection, key: Buffer.from('another').toString('base64') });
  await assert.rejects(other.databases.readAll().fetchAll(), { code: 401 });
});
