// Starts one account for all test files, or for the migration, and ends it when they have ended.
import { spawn } from 'node:child_process';
import { program, startAccount } from './account.js';

if (!program) {
  console.error('DevBox is not built: dotnet build ScaleOut.slnx -c Release');
  process.exit(1);
}

const isMigration = process.argv[2] === 'migrate';
const account = await startAccount('--latency', 'none', '--partitions', isMigration ? '8' : '3');
const script = isMigration ? ['migration.js', ...process.argv.slice(3)] : ['--test', '--test-reporter=spec', ...process.argv.slice(3)];
const run = spawn(process.execPath, script, { stdio: 'inherit', env: { ...process.env, ACCOUNT: JSON.stringify(account.ready) } });
const code = await new Promise(resolve => run.once('exit', resolve));
const ended = await account.stop();
if (ended !== 0)
  console.error(`The account ended with ${ended}.`);
process.exit(code || ended);
