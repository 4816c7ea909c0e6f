// Clients of the account that run.js has started, and containers of their own for each test.
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:https';
import { CosmosClient } from '@azure/cosmos';

if (!process.env.ACCOUNT)
  throw new Error('No account is running: use npm test, or npm run migrate.');

export const account = JSON.parse(process.env.ACCOUNT);

/** A client over HTTP, without retries of 429. */
export const client = new CosmosClient({
  endpoint: account.httpEndpoint,
  key: account.key,
  connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } },
});

/** A client over HTTP that waits and tries again when it gets a 429, as applications have it. */
export const createRetryingClient = () => new CosmosClient({ endpoint: account.httpEndpoint, key: account.key });

/** A client over TLS that trusts the account's certificate and no other. */
export const createTlsClient = () =>
  new CosmosClient({ endpoint: account.endpoint, key: account.key, agent: new Agent({ ca: account.certificatePem, keepAlive: true }) });

export async function createContainer(definition = {}, by = client) {
  const { database } = await by.databases.createIfNotExists({ id: 'clients' });
  const { container } = await database.containers.create({
    id: `c-${randomUUID()}`, partitionKey: { paths: ['/pk'], version: 2 }, throughput: 400_000, ...definition,
  });
  return container;
}

export const item = (i, more = {}) => ({ id: `${i}`, pk: `k${i % 20}`, number: i, ...more });

/** A container with the items 0 to count - 1. */
export async function fill(count) {
  const container = await createContainer();
  for (let from = 0; from < count; from += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, i) => container.items.create(item(from + i))));
  return container;
}

/** Splits a partition of a container and waits until it is done. */
export async function split(container, partition) {
  const target = new URL(`split?database=clients&container=${container.id}&partition=${partition}`, account.control);
  const response = await fetch(target, { method: 'POST' });
  if (!response.ok)
    throw new Error(`The split ended with ${response.status}: ${await response.text()}`);
}

export const ids = documents => documents.map(document => document.id).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

export const numbers = (from, to) => Array.from({ length: to - from }, (_, i) => `${from + i}`);
