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

/** The tab that all tests of a file use, since opening one takes a second of CPU. */
let tab;
/** What goes wrong in the tab: errors, what its policy blocks, and requests to other servers. */
const troubles = [];
let origin = '';

/** Opens a page of the server in the tab. */
export async function openPage(browser, address, { viewport = { width: 1280, height: 900 }, colorScheme = 'light' } = {}) {
  tab ??= await watchedTab(browser);
  ({ origin } = new URL(address));
  await tab.setViewportSize(viewport);
  await tab.emulateMedia({ media: 'screen', colorScheme });
  // An address that differs in its hash alone would not load the page again.
  await tab.goto('about:blank');
  await tab.goto(address);
  return tab;
}

/** Leaves the page that the tab shows. Gives what went wrong since the last time. */
export async function leavePage() {
  await tab?.goto('about:blank');
  return troubles.splice(0);
}

export const noteTrouble = text => troubles.push(text);

async function watchedTab(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  page.on('pageerror', error => noteTrouble(error.message));
  page.on('dialog', dialog => { noteTrouble(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  // Responses with status 400 and 404 come from the interface and are shown; the browser logs them all the same.
  page.on('console', message => {
    const isShown = /status of 40[04]/.test(message.text()) && new URL(message.location().url).pathname.startsWith('/api/');
    if (message.type() === 'error' && !isShown) noteTrouble(message.text());
  });
  page.on('request', request => {
    const url = request.url();
    if (url !== 'about:blank' && !url.startsWith(origin) && !url.startsWith('data:')) noteTrouble(url);
  });
  return page;
}

function newest(files) {
  return files.filter(existsSync).sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? null;
}
