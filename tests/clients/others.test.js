// The program against a server of another kind, which has no query plans.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createHttpsServer } from '@vercel/cosmosdb-server';
import { program } from './account.js';

const packageOf = dirname(createRequire(import.meta.url).resolve('@vercel/cosmosdb-server/package.json'));

test('a run writes 200 documents to a server without query plans, and counts them', { timeout: 300_000 }, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'scaleout-others-'));
  const server = createHttpsServer().listen(0, '127.0.0.1');
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });
  await once(server, 'listening');
  const { fingerprint256 } = new X509Certificate(await readFile(join(packageOf, 'cert.pem')));
  const run = spawn('dotnet', [
    program, 'run', '--account', `https://127.0.0.1:${server.address().port}`, '--account-thumbprint', fingerprint256.replaceAll(':', ''),
    '--mode', 'Gateway', '--workers', '1', '--documents', '200', '--throughput', '1000', '--out', folder,
  ], { env: { ...process.env, COSMOS_KEY: Buffer.from('k'.repeat(64)).toString('base64') }, signal: t.signal, killSignal: 'SIGKILL' });
  let output = '';
  run.stdout.on('data', text => { output += text; });
  run.stderr.on('data', text => { output += text; });

  const [code] = await once(run, 'exit');

  assert.equal(code, 0, output);
  assert.match(output, /all 200 documents written/);
});
