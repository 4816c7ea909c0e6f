// The page of DevBox serve that sizes fleets, and what a report is like on paper.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { leavePage, openPage, skip, startBrowser, startServer } from './server.js';
import { textWithPoorContrast } from './contrast.js';

describe('sizing a fleet', { skip, timeout: 600_000 }, () => {
  let server, browser, page;

  before(async () => {
    server = await startServer();
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  afterEach(async () => {
    assert.deepEqual(await leavePage(), [], 'errors on the console, blocked by the policy, or requests elsewhere');
  });

  async function open(path, options = {}) {
    page = await openPage(browser, server.address + path, options);
    return page;
  }

  const report = () => page.frameLocator('#report');

  test('a rate is asked for and gets the report of the command, which a link opens again', async () => {
    await open('');
    await page.locator('header a', { hasText: 'Size a fleet' }).click();
    await page.locator('#s-document option').first().waitFor({ state: 'attached' });
    await page.fill('#s-rate', '2,000');
    await page.fill('#s-until', 'p99<50ms');
    await page.fill('#s-cpu', '0.25ms');
    await page.fill('#s-throughput', '20,000');
    await page.keyboard.press('Enter');

    await report().locator('#chart-cost-months canvas').waitFor();
    assert.equal(await report().locator('h1').textContent(), 'Size of a fleet');
    assert.match(await report().locator('.headline').textContent(), /^2,000 documents\/s (take|are not reached)/);
    assert.match(await report().locator('#how-it-was-measured').textContent(), /devbox size --rate 2000 --until "p99<50ms"/);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'result');
    await page.waitForFunction(() => document.querySelector('#report').clientHeight > 1_000);

    await page.reload();
    await report().locator('#chart-cost-months canvas').waitFor();
    await open('size.html#s-gone');
    await page.locator('#working', { hasText: 'ask again' }).waitFor();
  });

  test('errors are at their fields, all at once, and only the fields of the question are sent', async () => {
    await open('size.html');
    await page.fill('#s-rate', 'many');
    await page.fill('#s-until', 'p99<');
    await page.fill('#s-cpu', 'none');
    await page.fill('#s-throughput', '450');
    await page.click('#size-button');
    for (const field of ['rate', 'until', 'cpu', 'throughput']) await page.locator(`#s-${field}-error`).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 's-rate');

    await page.selectOption('#s-document', 'template');
    await page.fill('#s-template', '{');
    await page.click('#size-button');
    await page.locator('#s-template-error').waitFor();

    await page.fill('#s-template', '{"id": "{{id}}", "customer": "{{key}}"}');
    await page.fill('#s-rate', '500');
    await page.fill('#s-until', '');
    await page.fill('#s-cpu', '1ms');
    await page.fill('#s-throughput', '');
    await page.fill('#s-retention', '0');
    await page.fill('#s-mix', 'insert=0');
    await page.fill('#s-prices', '{"currency": "EUR"}');
    await page.click('#size-button');
    for (const field of ['retention', 'mix', 'prices']) await page.locator(`#s-${field}-error`).waitFor();
    for (const field of ['retention', 'mix', 'prices']) await page.fill(`#s-${field}`, '');

    await page.check('#by-workers');
    await page.fill('#s-workers', '3');
    await page.fill('#s-cpu', '1ms');
    await page.fill('#s-throughput', '');
    await page.fill('#s-template', '{"id": "{{id}}", "customer": "{{key}}"}');
    await page.click('#size-button');
    await report().locator('.headline', { hasText: '3 workers' }).waitFor();
    assert.equal(await page.locator('.field-error').count(), 0);
  });

  test('bytes, key, retention, mix, peak and prices are asked for, and the page begins with five figures', async () => {
    await open('size.html');
    await page.fill('#s-rate', '1,000');
    await page.selectOption('#s-document', 'bytes');
    await page.fill('#s-bytes', '2,000');
    await page.fill('#s-key', '/deviceId');
    await page.fill('#s-retention', '12h');
    await page.fill('#s-mix', 'insert=80,read=20');
    await page.fill('#s-peak', '8h');
    await page.fill('#s-idle', '10');
    await page.fill('#s-cpu', '0.25ms');
    const prices = { currency: 'EUR', requestUnitPerSecondHour: 0.0001, gigabyteSecond: 0.00003, storageGigabyteMonth: 0.3 };
    await page.fill('#s-prices', JSON.stringify(prices));
    await page.click('#size-button');
    await report().locator('.headline', { hasText: 'EUR a month' }).waitFor();
    assert.deepEqual(
      await report().locator('.card .label').allTextContents(), ['Fleet', 'RU/s', 'A month today', 'A month grown', 'Breaks first']);
    await report().locator('td, th', { hasText: /^chosen$/ }).waitFor({ state: 'attached' });
    // 800 inserts a second of 2,000 bytes for eight hours and 8 for four, and a million documents that exist for the reads.
    assert.match(await report().locator('#storage').textContent(), /48\.\d GB/);
  });

  test('without the CPU of an operation it is measured, and the page says so meanwhile', async () => {
    await open('size.html');
    await page.fill('#s-rate', '500');
    await page.click('#size-button');
    await page.locator('#working', { hasText: '10 to 25 s' }).waitFor();
    assert.ok(await page.locator('#size-button').isDisabled());
    await report().locator('#how-it-was-measured', { hasText: 'Microsoft.Azure.Cosmos' }).waitFor();
    assert.ok(await page.locator('#size-button').isEnabled());
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`a phone shows all of it without scrolling sideways, ${colorScheme}`, async () => {
      await open('size.html', { viewport: { width: 360, height: 740 }, colorScheme });
      await page.selectOption('#s-document', 'template');
      await page.fill('#s-rate', '0');
      await page.click('#size-button');
      await page.locator('.field-error').first().waitFor();
      assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360);
      assert.deepEqual(await page.evaluate(textWithPoorContrast), []);
    });
  }

  test('the contents of a report lead to its parts, and on paper no row, card or figure is cut', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ documents: 4_000, workers: 2 });
    const { id } = await (await fetch(`${server.address}api/runs`, { method: 'POST', headers, body })).json();
    const path = `api/runs/${id}/report?format=html`;
    while ((await fetch(server.address + path)).status !== 200) await new Promise(next => setTimeout(next, 200));
    await open(path, { colorScheme: 'dark' });
    await page.locator('.contents a', { hasText: 'How it was measured' }).click();
    assert.equal(new URL(page.url()).hash, '#how-it-was-measured');
    assert.match(await page.locator('#how-it-was-measured').textContent(), /Started byPOST \/api\/runs/);
    assert.ok(await page.locator('#how-it-was-measured').evaluate(part => part.getBoundingClientRect().bottom <= innerHeight + 1));

    const pdf = await page.pdf({ format: 'A4' });
    assert.ok((pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length >= 2);
    await page.emulateMedia({ media: 'print' });
    const paper = await page.evaluate(() => ({
      background: getComputedStyle(document.body).backgroundColor,
      cut: ['tr', 'figure', '.cards', '.warnings', '.bound'].filter(part =>
        [...document.querySelectorAll(part)].some(node => getComputedStyle(node).breakInside !== 'avoid')),
      left: [...document.querySelectorAll('h2, h3, caption')].filter(node => getComputedStyle(node).breakAfter !== 'avoid').length,
    }));
    assert.deepEqual(paper, { background: 'rgb(255, 255, 255)', cut: [], left: 0 });
  });
});
