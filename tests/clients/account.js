// Starts the program's simulated account on free ports, and says how to reach it.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** For an account that hangs. One that ends is noticed at once, and a busy machine takes a minute to start one. */
const START_MS = 5 * 60_000;

const builds = ['Release', 'Debug'].map(configuration =>
  fileURLToPath(new URL(`../../DevBox/bin/${configuration}/net10.0/DevBox.dll`, import.meta.url)));

/** The newest build of the program; null when there is none. */
export const program = builds.filter(existsSync).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? null;

/** Resolves to what the account prints when it is ready, and a function that ends it. */
export async function startAccount(...options) {
  const account = spawn('dotnet', [program, 'account', '--json', '-', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise(resolve => account.once('exit', resolve));
  let output = '';
  const ready = await new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      account.kill('SIGKILL');
      reject(new Error(`The account did not start: ${output}`));
    }, START_MS);
    account.stderr.on('data', text => { output += text; });
    account.stdout.on('data', text => {
      output += text;
      const end = output.indexOf('\n');
      if (end < 0)
        return;
      clearTimeout(timeout);
      resolve(JSON.parse(output.slice(0, end)));
    });
    ended.then(code => reject(new Error(`The account ended with ${code}: ${output}`)));
  });
  return {
    ready,
    async stop() {
      account.kill('SIGTERM');
      return await ended;
    },
  };
}
