// The page of DevBox serve, as a person uses it: with a mouse, with the keyboard, on a phone, in the dark.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { skip, startBrowser, startServer } from './server.js';
import { textWithPoorContrast } from './contrast.js';

const TIMEOUT_MS = 120_000;
const LIVE = { documents: 20_000, workers: 4 };

describe('the page of DevBox serve', { skip, timeout: 600_000 }, () => {
  let server, browser, page, troubles;

  before(async () => {
    server = await startServer();
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  afterEach(async () => {
    await page?.close();
    // Whatever is left would hold up the next test.
    for (const run of (await api('/api/runs?pageSize=100')).runs) {
      if (!['queued', 'running', 'stopping'].includes(run.state)) continue;
      await fetch(`${server.address}api/runs/${run.id}/stop`, { method: 'POST' });
    }
    assert.deepEqual(troubles, [], 'errors on the console, blocked by the policy, or requests elsewhere');
  });

  async function open(options = {}, hash = '') {
    troubles = [];
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('pageerror', error => troubles.push(error.message));
    page.on('dialog', dialog => { troubles.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    // A response with status 400 comes from the interface and is shown; the browser logs it all the same.
    page.on('console', message => {
      if (message.type() === 'error' && !/status of 400/.test(message.text())) troubles.push(message.text());
    });
    page.on('request', request => {
      if (!request.url().startsWith(server.address) && !request.url().startsWith('data:')) troubles.push(request.url());
    });
    await page.goto(server.address + hash);
    await page.locator('#runs li, #no-runs:not([hidden])').first().waitFor();
    return page;
  }

  async function api(path) {
    return (await fetch(new URL(path, server.address))).json();
  }

  async function start(spec) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${server.address}api/runs`, { method: 'POST', headers, body: JSON.stringify(spec) });
    assert.equal(response.status, 202);
    return (await response.json()).id;
  }

  const state = name => page.locator('#badges .badge').filter({ hasText: new RegExp(`^${name}$`) }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName.toLowerCase());
  const widest = () => page.evaluate(() => document.scrollingElement.scrollWidth);

  test('a run is started, shown live and reported, with the keyboard alone', async () => {
    await open();
    for (let i = 0; i < 50 && (await focused()) !== 'f-name'; i++) await page.keyboard.press('Tab');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'f-documents');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('20,000');
    await page.keyboard.press('Enter');

    await page.locator('#watch-title', { hasText: 'By keyboard' }).waitFor();
    assert.equal(await focused(), 'watch');
    await state('running');
    await page.locator('#rate-plot path').first().waitFor();
    await page.locator('#partition-plot rect').first().waitFor();
    assert.equal(await page.locator('#rate-legend li').count(), 4);
    assert.equal(await page.locator('#worker-rows tr').count(), 4);
    assert.match(
      await page.locator('#partition-caption').textContent(),
      /^Simulated\. Partition \d+ of \d+ is the busiest: [\d,]+ RU\/s of [\d,]+ \(/);
    assert.match(await page.locator('#figures').textContent(), /documents\/s/);
    await state('complete');
    assert.equal(await page.locator('#progress-text').textContent(), '20,000 of 20,000 documents (100 %)');
    assert.match(await page.locator('#announce').textContent(), /: complete$/);

    for (let i = 0; i < 50 && (await focused()) !== 'report-html'; i++) await page.keyboard.press('Tab');
    const [report] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
    await report.waitForLoadState();
    assert.match(await report.title(), /By keyboard \(simulated\)/);
    assert.ok((await report.locator('svg').count()) > 0);
    await report.close();
  });

  test('errors are shown at their fields, all at once, and the first has the focus', async () => {
    await open();
    await page.fill('#f-documents', '0');
    await page.fill('#f-workers', 'many');
    await page.fill('#f-throughput', '450');
    await page.locator('summary').click();
    await page.fill('#f-id', '../etc');
    await page.locator('summary').click();
    await page.click('#start-button');

    await page.locator('#f-documents-error').waitFor();
    for (const [field, says] of [
      ['documents', /0 is out of range/],
      ['workers', /"many" is not a whole number/],
      ['throughput', /not a multiple of 100/],
      ['id', /is not a run id/],
    ]) {
      const input = page.locator(`#f-${field}`);
      assert.equal(await input.getAttribute('aria-invalid'), 'true');
      assert.equal(await input.getAttribute('aria-describedby'), `f-${field}-error`);
      assert.match(await page.locator(`#f-${field}-error`).textContent(), says);
      assert.ok(await input.isVisible(), field);
    }
    assert.equal(await focused(), 'f-documents');
    assert.match(await page.locator('#spec-errors').textContent(), /4 fields/);

    await page.fill('#f-documents', '100');
    await page.fill('#f-workers', '1');
    await page.fill('#f-throughput', '');
    await page.fill('#f-id', 'mended');
    await page.click('#start-button');
    await page.locator('#started', { hasText: 'Started mended' }).waitFor();
    assert.equal(await page.locator('[aria-invalid]').count(), 0);
    assert.equal(await page.locator('.field-error').count(), 0);
  });

  test('names are text, whatever they hold', async () => {
    const name = `<img src=x onerror=alert(1)><script>alert(2)</script>"'`;
    const id = await start({ name, documents: 100, workers: 1 });
    await open({}, `#${id}`);

    await page.locator('#watch-title', { hasText: name }).waitFor();
    await page.locator('#runs button', { hasText: name }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await state('complete');
    const report = await browser.newPage();
    report.on('dialog', dialog => { troubles.push('dialog in the report'); dialog.dismiss(); });
    await report.goto(`${server.address}api/runs/${id}/report?format=html`);
    assert.equal(await report.locator('img, script').count(), 0);
    await report.close();
  });

  test('a run is stopped', async () => {
    const id = await start({ documents: 10_000_000, workers: 1 });
    await open({}, `#${id}`);
    await page.locator('#rate-plot path').first().waitFor();
    await page.click('#stop');

    await state('stopped');
    assert.equal(await focused(), 'watch');
    assert.ok(await page.locator('#stop').isHidden());
    assert.match(await page.locator('#reasons').textContent(), /was stopped with/);
    assert.ok(await page.locator('#report-html').isVisible());
  });

  test('the list has pages, and what is chosen is shown', async () => {
    for (let i = 0; i < 10; i++) {
      const id = await start({ id: `paged-${i}`, documents: 1_000, workers: 1 });
      await fetch(`${server.address}api/runs/${id}/stop`, { method: 'POST' });
    }
    await open();
    const first = await page.locator('#runs button').first().textContent();
    assert.equal(first, 'paged-9');
    assert.equal(await page.locator('#runs li').count(), 8);
    assert.ok(await page.locator('#newer').isDisabled());

    await page.click('#older');
    await page.locator('#runs button', { hasText: 'paged-1' }).waitFor();
    await page.click('#newer');
    await page.locator('#runs button', { hasText: 'paged-9' }).waitFor();
    await page.locator('#runs button', { hasText: 'paged-5' }).click();
    await page.locator('#watch-title', { hasText: 'paged-5' }).waitFor();
    assert.equal(await page.locator('#runs [aria-current]').textContent(), 'paged-5');
    assert.equal(new URL(page.url()).hash, '#paged-5');
  });

  test('every control has a label and shows its focus, in the order of the page', async () => {
    await open();
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('input, select, button, a, summary, progress')]
      .filter(control => !(control.labels?.length > 0 || control.textContent.trim()
        || control.getAttribute('aria-label') || control.getAttribute('aria-labelledby')))
      .map(control => control.id));
    assert.deepEqual(unnamed, []);

    const seen = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const node = document.activeElement;
        if (node === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        return {
          outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
          order: [...document.querySelectorAll('*')].indexOf(node),
          name: node.id || node.textContent.slice(0, 20),
        };
      });
      if (!stop || seen.some(other => other.order === stop.order)) break;
      seen.push(stop);
    }
    assert.ok(seen.length >= 10, `${seen.length} stops`);
    assert.deepEqual(seen.filter(stop => !stop.outlined).map(stop => stop.name), []);
    assert.deepEqual(seen.map(stop => stop.order), seen.map(stop => stop.order).sort((a, b) => a - b));
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`a phone shows all of it without scrolling sideways, ${colorScheme}, and its text can be read`, async () => {
      const id = await start({ ...LIVE, name: `A-name-without-any-space-that-is-far-longer-than-a-phone-is-wide-${'x'.repeat(60)}` });
      await open({ viewport: { width: 360, height: 740 }, colorScheme }, `#${id}`);
      assert.equal(await widest(), 360);
      await page.locator('#rate-plot path').first().waitFor();
      assert.equal(await widest(), 360);
      await page.locator('summary').click();
      assert.equal(await widest(), 360);
      await page.fill('#f-documents', '0');
      await page.click('#start-button');
      await page.locator('#f-documents-error').waitFor();
      assert.equal(await widest(), 360);
      assert.deepEqual(await page.evaluate(textWithPoorContrast), []);

      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const sum = background.match(/\d+/g).map(Number).reduce((a, b) => a + b);
      assert.ok(colorScheme === 'dark' ? sum < 150 : sum > 600, background);
    });
  }
});
