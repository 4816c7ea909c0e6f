// Starts the program's server in a folder and on a port of its own, and a browser to look at its page.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const START_TIMEOUT_MS = 60_000;
const PAGE_TIMEOUT_MS = 120_000;

const executable = BROWSERS.find(path => path && existsSync(path));
const program = newest(['Release', 'Debug']
  .map(configuration => fileURLToPath(new URL(`../../DevBox/bin/${configuration}/net10.0/DevBox.dll`, import.meta.url))));

/** Why nothing can be tested here; false when it can. */
export const skip = !executable ? 'no Chromium: install chromium, or name it in CHROMIUM' : !program ? 'DevBox is not built' : false;

export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'scaleout-browser-'));
  const process = spawn(
    'dotnet', [program, 'serve', '--port', '0', '--out', join(folder, 'runs')], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise(resolve => process.once('exit', resolve));
  const address = await new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error(`The server did not start: ${output}`)), START_TIMEOUT_MS);
    const take = text => {
      output += text;
      const found = /page +(http:\S+)/.exec(output);
      if (found) {
        clearTimeout(timeout);
        resolve(found[1]);
      }
    };
    process.stdout.on('data', take);
    process.stderr.on('data', take);
    ended.then(code => reject(new Error(`The server ended with ${code}: ${output}`)));
  });
  return {
    address,
    async stop() {
      process.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const startBrowser = () => chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-gpu'] });

/** Opens a page of the server; what goes wrong on it, is blocked by its policy or asks another server is added to the troubles. */
export async function openPage(browser, address, troubles, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  page.on('pageerror', error => troubles.push(error.message));
  page.on('dialog', dialog => { troubles.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  // Responses with status 400 and 404 come from the interface and are shown; the browser logs them all the same.
  page.on('console', message => {
    const isShown = /status of 40[04]/.test(message.text()) && new URL(message.location().url).pathname.startsWith('/api/');
    if (message.type() === 'error' && !isShown) troubles.push(message.text());
  });
  page.on('request', request => {
    if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith('data:')) troubles.push(request.url());
  });
  await page.goto(address);
  return page;
}

function newest(files) {
  return files.filter(existsSync).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? null;
}
