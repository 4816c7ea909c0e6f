// The page of DevBox serve, as a person uses it: with a mouse, with the keyboard, on a phone, in the dark.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { leavePage, noteTrouble, openPage, skip, startBrowser, startServer } from './server.js';
import { textWithPoorContrast } from './contrast.js';

describe('the page of DevBox serve', { skip, timeout: 600_000 }, () => {
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
    const troubles = await leavePage();
    // Whatever is left would hold up the next test.
    for (const run of (await api('/api/runs?pageSize=100')).runs) {
      if (!['queued', 'running', 'stopping'].includes(run.state)) continue;
      await fetch(`${server.address}api/runs/${run.id}/stop`, { method: 'POST' });
    }
    assert.deepEqual(troubles, [], 'errors on the console, blocked by the policy, or requests elsewhere');
  });

  async function open(options = {}, hash = '') {
    page = await openPage(browser, server.address + hash, options);
    await page.locator('#runs li, #no-runs:not([hidden])').first().waitFor();
    return page;
  }

  async function api(path) {
    return (await fetch(new URL(path, server.address))).json();
  }

  async function start(spec, kind = 'runs') {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${server.address}api/${kind}`, { method: 'POST', headers, body: JSON.stringify(spec) });
    assert.equal(response.status, 202);
    return (await response.json()).id;
  }

  const state = name => page.locator('#badges .badge').filter({ hasText: new RegExp(`^${name}$`) }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName.toLowerCase());
  const widest = () => page.evaluate(() => document.scrollingElement.scrollWidth);

  test('fields show the defaults and names of the program, and do not send its defaults', async () => {
    await open();
    const placeholder = id => page.locator(`#${id}`).getAttribute('placeholder');
    assert.deepEqual([await placeholder('f-throughput'), await placeholder('f-workers'), await placeholder('f-step')], ['60,000', '4', '15']);
    const options = id => page.locator(`#${id} option`).evaluateAll(all => all.map(option => [option.value, option.textContent]));
    assert.deepEqual(await options('f-document'), [['perfTest', 'Perf test'], ['device', 'Device'], ['flights', 'Flights']]);
    assert.equal(await page.locator('#f-mode').inputValue(), 'Direct');
    assert.equal(await page.locator('#f-latency').inputValue(), 'same-region');
  });

  test('an empty page has an example of two clicks, and what has no name gets one', async () => {
    await open();
    await page.click('#example-fill');
    assert.equal(await focused(), 'start-button');
    await page.click('#start-button');
    await page.locator('#watch-title', { hasText: 'Four clients on 5,000 RU/s' }).waitFor();
    assert.ok(await page.locator('#example').isHidden());
    await page.locator('#runs a', { hasText: 'Four clients on 5,000 RU/s' }).waitFor();

    await page.fill('#f-name', '');
    await page.fill('#f-documents', '1000');
    await page.fill('#f-workers', '1');
    await page.click('#start-button');
    await page.locator('#watch-title', { hasText: '1,000 inserts by 1 worker' }).waitFor();
  });

  test('a run is started, shown live and reported, with the keyboard alone', async () => {
    await open();
    for (let i = 0; i < 50 && (await focused()) !== 'f-name'; i++) await page.keyboard.press('Tab');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'f-kind');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'f-documents');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('20,000');
    await page.keyboard.press('Enter');

    await page.locator('#watch-title', { hasText: 'By keyboard' }).waitFor();
    assert.equal(await focused(), 'watch');
    await state('running');
    await page.locator('#rate-plot canvas').waitFor();
    await page.locator('#latency-plot canvas').waitFor();
    await page.locator('#partition-plot canvas').waitFor();
    assert.equal(await page.locator('#rate-plot .legend button[aria-pressed]').count(), 4);
    assert.equal(await page.locator('#worker-rows tr').count(), 4);
    assert.match(
      await page.locator('#partition-caption').textContent(),
      /^Simulated\. Partition \d+ of \d+ is the busiest: [\d,]+ RU\/s of [\d,]+ \(/);
    assert.match(await page.locator('#figures').textContent(), /documents\/s/);
    await state('complete');
    assert.equal(await page.locator('#progress-text').textContent(), '20,000 of 20,000 documents (100 %)');
    assert.match(await page.locator('#announce').textContent(), /: complete$/);
    assert.match(await page.locator('#figures').textContent(), /documents\/s.*p50.*p99/);

    for (let i = 0; i < 50 && (await focused()) !== 'report-html'; i++) await page.keyboard.press('Tab');
    const [report] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
    await report.waitForLoadState();
    assert.match(await report.title(), /By keyboard \(simulated\)/);
    await report.locator('#picture-throughput canvas').waitFor();
    await report.close();
  });

  test('what has ended shows its report, its p99 and its day, and runs of an experiment stand together', async () => {
    const id = await start({ documents: 2_000, workers: 1, workload: { mix: { insert: 3, read: 1 } } });
    await open({}, `#${id}`);
    await state('complete');
    const report = page.frameLocator('#report');
    await report.locator('#picture-throughput canvas').waitFor();
    await report.locator('h2', { hasText: 'Kinds of operations' }).waitFor();
    await page.waitForFunction(() => document.querySelector('#report').clientHeight > 1_000);
    const row = page.locator('#runs li', { hasText: id });
    assert.match(await row.locator('.figure').textContent(), /\/sp99 [\d.,]+ ms/);
    assert.match(await row.locator('time').textContent(), /^\d+ [A-Z][a-z]+, \d\d:\d\d:\d\d$/);

    const experiment = await start({
      base: { documents: 100, workers: 1 }, repeats: 1,
      variants: [{ name: 'a' }, { name: 'b', change: { client: { connectionMode: 'Gateway' } } }],
    }, 'experiments');
    await open({}, `#experiment/${experiment}`);
    await state('complete');
    await page.frameLocator('#report').locator('.headline').waitFor();
    await page.check('#list-run');
    await page.locator('#runs .group', { hasText: `Runs of ${experiment}` }).waitFor();
  });

  test('a report shows values under the mouse, zooms, and hides series by its legend', async () => {
    const id = await start({ documents: 5_000, workers: 2, workerOverrides: [{ workers: [1], client: { concurrency: 10 } }] });
    await open({}, `#${id}`);
    await state('complete');
    const report = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    report.on('pageerror', error => noteTrouble(error.message));
    await report.goto(`${server.address}api/runs/${id}/report?format=html`);
    const chart = report.locator('#chart-latency');
    const throughput = report.locator('#picture-throughput');
    await throughput.locator('.u-over').hover();
    const tip = await throughput.locator('.tip').textContent();
    assert.match(tip, /^\d+:\d\d \(inserts per second\)total: [\d,.]+worker 0: [\d,.]+worker 1: /);

    await chart.scrollIntoViewIfNeeded();
    const over = await chart.locator('.u-over').boundingBox();
    const at = (x, y) => report.mouse.move(over.x + over.width * x, over.y + over.height * y);

    const reset = chart.locator('.reset');
    assert.ok(await reset.isHidden());
    await at(0.3, 0.5);
    await report.mouse.down();
    await at(0.7, 0.5);
    await report.mouse.up();
    await reset.waitFor();
    await chart.locator('.u-over').dblclick();
    await reset.waitFor({ state: 'hidden' });

    const pixels = () => throughput.locator('canvas').evaluate(canvas => canvas.toDataURL());
    const before = await pixels();
    const button = throughput.locator('.legend button', { hasText: 'worker 1' });
    await button.focus();
    await report.keyboard.press('Enter');
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    assert.notEqual(await pixels(), before);
    assert.equal(await report.evaluate(() => document.activeElement.dataset.name), 'worker 1');
    await throughput.locator('.u-over').hover();
    assert.doesNotMatch(await throughput.locator('.tip').textContent(), /worker 1/);
    await report.close();
  });

  test('errors are shown at their fields, all at once, and the first has the focus', async () => {
    await open();
    await page.fill('#f-documents', '0');
    await page.fill('#f-workers', 'many');
    await page.fill('#f-throughput', '450');
    await page.locator('#fields summary').click();
    await page.fill('#f-id', '../etc');
    await page.locator('#fields summary').click();
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
    await page.locator('#runs a', { hasText: name }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await state('complete');
    const report = await browser.newPage();
    report.on('dialog', dialog => { noteTrouble('dialog in the report'); dialog.dismiss(); });
    await report.goto(`${server.address}api/runs/${id}/report?format=html`);
    assert.equal(await report.locator('img').count(), 0);
    assert.equal(await report.locator('script:not([type="application/json"])').count(), 2);
    await report.close();
  });

  test('a run is stopped', async () => {
    const id = await start({ documents: 10_000_000, workers: 1 });
    await open({}, `#${id}`);
    await page.locator('#rate-plot canvas').waitFor();
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
    const first = await page.locator('#runs a.link').first().textContent();
    assert.equal(first, 'paged-9');
    assert.equal(await page.locator('#runs li').count(), 8);
    assert.ok(await page.locator('#newer').isDisabled());

    await page.click('#older');
    await page.locator('#runs a.link', { hasText: 'paged-1' }).waitFor();
    await page.click('#newer');
    await page.locator('#runs a.link', { hasText: 'paged-9' }).waitFor();
    await page.locator('#runs a.link', { hasText: 'paged-5' }).click();
    await page.locator('#watch-title', { hasText: 'paged-5' }).waitFor();
    assert.equal(await page.locator('#runs [aria-current]').textContent(), 'paged-5');
    assert.equal(new URL(page.url()).hash, '#paged-5');
  });

  test('every control has a label and shows its focus, in the order of the page', async () => {
    await open();
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('input, select, textarea, button, a, summary, progress')]
      .filter(control => !(control.labels?.length > 0 || control.textContent.trim()
        || control.getAttribute('aria-label') || control.getAttribute('aria-labelledby')))
      .map(control => control.id));
    assert.deepEqual(unnamed, []);

    const seen = [];
    for (let i = 0; i < 60; i++) {
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

  test('two runs are ticked and compared with the keyboard, and Escape leads back', async () => {
    const ids = [await start({ documents: 500, workers: 1 }), await start({ documents: 600, workers: 1 })];
    for (const id of ids) while ((await api(`/api/runs/${id}`)).state !== 'complete') await new Promise(next => setTimeout(next, 100));
    await open({}, `#${ids[0]}`);
    for (const id of ids) {
      await page.locator(`[data-key="tick ${id}"]`).focus();
      await page.keyboard.press('Space');
    }
    await page.locator('#compare').focus();
    await page.keyboard.press('Enter');

    await page.locator('#comparison tbody tr').first().waitFor();
    assert.equal(await page.locator('#comparison-title').textContent(), `${ids[1]} against ${ids[0]}`);
    assert.equal(await focused(), 'comparison');
    assert.equal(new URL(page.url()).hash, `#compare/${ids[0]}/${ids[1]}`);
    assert.match(await page.locator('#comparison').textContent(), /documents: 500, 600/);
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('#comparison').isHidden());
    assert.equal(await focused(), 'compare');
    assert.equal(new URL(page.url()).hash, `#${ids[0]}`);

    await page.goto(`${server.address}#compare/${ids[1]}/${ids[0]}`);
    await page.locator('#comparison-title', { hasText: `${ids[0]} against ${ids[1]}` }).waitFor();
  });

  test('the list is searched by name and state', async () => {
    const id = await start({ name: 'Sought for', documents: 100, workers: 1 });
    await open({}, `#${id}`);
    await state('complete');
    await page.fill('#search', 'SOUGHT');
    await page.waitForFunction(() => document.querySelectorAll('#runs li').length === 1);
    assert.match(await page.locator('#runs li').textContent(), /Sought for.*\/s.*complete.*report/);
    await page.selectOption('#state', 'failed');
    await page.locator('#no-runs', { hasText: 'None of these' }).waitFor();
    await page.locator('#search').focus();
    await page.keyboard.press('Escape');
    assert.equal(await page.inputValue('#search'), '');
  });

  test('an experiment is started, shown and listed, with a condition', async () => {
    await open();
    await page.check('#what-experiment');
    await page.selectOption('#f-vary', 'client.connectionMode');
    await page.fill('#f-values', 'Gateway, Direct');
    await page.fill('#f-repeats', '1');
    await page.fill('#f-documents', '200');
    await page.fill('#f-workers', '1');
    // A busy machine leaves verdicts open, and no count of variants.
    await page.fill('#f-failIf', 'variants.measured<2');
    await page.click('#start-button');

    await page.locator('#badges', { hasText: 'running' }).waitFor();
    await page.locator('#current-run a').waitFor();
    assert.match(new URL(page.url()).hash, /^#experiment\//);
    assert.ok(await page.locator('#list-experiment').isChecked());
    await state('complete');
    assert.equal(await page.locator('#progress-text').textContent(), '2 of 2 runs (100 %)');
    assert.match(await page.locator('#fail-if').textContent(), /^Passed: variants\.measured<2 does not hold/);
    await page.locator('#runs li', { hasText: '2 of 2 runs' }).first().waitFor();
    assert.match(await page.locator('#runs li .figure', { hasText: '2 of 2 runs' }).first().textContent(), /simulated$/);
    await page.locator('#badges', { hasText: 'simulated' }).waitFor();
    assert.match(await page.locator('#report-html').getAttribute('href'), /^\/api\/experiments\//);
  });

  test('errors of an experiment, of a search and of a condition are at their fields', async () => {
    await open();
    await page.check('#what-experiment');
    await page.fill('#f-values', '1, none');
    await page.fill('#f-throughput', '450');
    await page.fill('#f-failIf', 'p99>');
    await page.click('#start-button');
    for (const field of ['values', 'throughput', 'failIf']) await page.locator(`#f-${field}-error`).waitFor();

    await page.check('#what-limit');
    await page.fill('#f-failIf', '');
    await page.fill('#f-throughput', '');
    await page.fill('#f-until', 'p99<');
    await page.click('#start-button');
    await page.locator('#f-until-error').waitFor();
    assert.equal(await page.locator('.field-error').count(), 1);
  });

  test('reads, queries and deletes have their fields, and no choice is cut off', async () => {
    await open();
    const shown = {
      read: ['preload'], query: ['preload', 'query', 'queryKey'], batch: ['batchSize'], insert: [],
      mix: ['mixInsert', 'mixDelete', 'query', 'queryKey'],
    };
    for (const [kind, fields] of Object.entries(shown)) {
      await page.selectOption('#f-kind', kind);
      for (const field of ['preload', 'query', 'queryKey', 'batchSize', 'mixInsert', 'mixDelete']) {
        assert.equal(await page.locator(`#f-${field}`).isVisible(), fields.includes(field), `${kind}: ${field}`);
      }
    }
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.check('#what-experiment');
    const cut = await page.evaluate(() => {
      const ruler = document.createElement('canvas').getContext('2d');
      const arrow = 24;
      return [...document.querySelectorAll('select')].filter(select => select.checkVisibility()).flatMap(select => {
        const style = getComputedStyle(select);
        ruler.font = style.font;
        const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
        return [...select.options].filter(option => ruler.measureText(option.text).width > room)
          .map(option => `${select.id}: ${option.text}`);
      });
    });
    assert.deepEqual(cut, []);
  });

  test('a phone shows all of it without scrolling sideways, and its text can be read in light and dark', async () => {
    const name = `A-name-without-any-space-that-is-far-longer-than-a-phone-is-wide-${'x'.repeat(60)}`;
    const id = await start({ name, documents: 20_000, workers: 4 });
    await open({ viewport: { width: 360, height: 740 } }, `#${id}`);
    assert.equal(await widest(), 360);
    await page.locator('#rate-plot canvas').waitFor();
    assert.equal(await widest(), 360);
    for (const summary of await page.locator('summary').all()) await summary.click();
    assert.equal(await widest(), 360);
    await page.fill('#f-documents', '0');
    await page.click('#start-button');
    await page.locator('#f-documents-error').waitFor();
    assert.equal(await widest(), 360);

    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      assert.equal(await widest(), 360, colorScheme);
      assert.deepEqual(await page.evaluate(textWithPoorContrast), [], colorScheme);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const sum = background.match(/\d+/g).map(Number).reduce((a, b) => a + b);
      assert.ok(colorScheme === 'dark' ? sum < 150 : sum > 600, background);
    }
  });
});
