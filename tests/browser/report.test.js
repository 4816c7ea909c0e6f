// Reports, and the page of DevBox serve around them: what people see first, on screens, phones and paper.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { loadAxe, violations } from './axe.js';
import { leavePage, openPage, skip, startBrowser, startServer } from './server.js';

const PHONE = { width: 390, height: 844 };
/** Runs in the page: whether each of its charts is there; a search that holds all rates may have none. */
const isDrawn = () => [...document.querySelectorAll('figure.chart')].every(figure => figure.querySelector('canvas'));

/** A4 less the margins of a printed report, in CSS pixels. */
const PAPER = { width: 703, height: 1_032 };

describe('reports', { skip, timeout: 600_000 }, () => {
  let server, browser, page, single, differing, experiment, search, size;

  before(async () => {
    server = await startServer();
    browser = await startBrowser();
    single = await report('runs', { documents: 6_000, workers: 1 });
    differing = await report('runs', {
      documents: 3_000, workers: 3, workerOverrides: [{ workers: [2], client: { concurrency: 2 } }],
    });
    const gateways = Array.from({ length: 4 }, (_, i) => `gateway ${i}`);
    experiment = await report('experiments', {
      base: { documents: 200, workers: 1 }, repeats: 1,
      variants: [{ name: 'direct 0' }, ...gateways.map(name => ({ name, change: { client: { connectionMode: 'Gateway' } } }))],
      findings: gateways.map((gateway, i) => ({ id: `pair-${i}`, kind: 'directBeatsGateway', variants: [gateway, 'direct 0'] })),
    });
    search = await report('experiments', {
      base: { workers: 1, warmup: '00:00:00' }, limit: { until: 'p99<10s', from: 50, to: 60, repeats: 1, stepDuration: '00:00:05' },
    });
    // The keys are uneven, so that the partitions differ and are a picture of their own.
    size = await post('size', {
      rate: 2_000, until: 'p99<50ms', cpuPerOperation: '0.25ms', partitionKey: 'customerId', retention: '1d',
      document: { id: '{{id}}', customerId: 'c-{{zipf:1:5000:0.6}}', text: '{{random:text:600}}' },
    });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  afterEach(async () => {
    assert.deepEqual(await leavePage(), [], 'errors on the console, blocked by the policy, or requests elsewhere');
  });

  async function post(kind, body) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${server.address}api/${kind}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.ok(response.ok, await response.clone().text());
    const { id } = await response.json();
    return { id, path: `api/${kind}/${id}${kind === 'size' ? '' : '/report'}?format=html` };
  }

  /** Starts a job and waits for its end; gives the address of its report. */
  async function report(kind, spec) {
    const job = await post(kind, spec);
    while ((await fetch(server.address + job.path)).status !== 200) await new Promise(next => setTimeout(next, 200));
    return job;
  }

  async function open(path, options = {}) {
    page = await openPage(browser, server.address + path, options);
    return page;
  }

  const boxOf = selector => page.locator(selector).first().boundingBox();

  for (const viewport of [{ width: 1280, height: 900 }, PHONE]) {
    test(`a run shows its state, its figures, the picture and then what bound it, ${viewport.width} wide`, async () => {
      await open(single.path, { viewport });
      await page.locator('#picture-throughput canvas').waitFor();
      const tops = [];
      for (const part of ['.badges', '.hero', '.cards', '#chart-throughput', '#what-bound-it']) tops.push((await boxOf(part)).y);
      assert.deepEqual(tops, [...tops].sort((a, b) => a - b));
      assert.equal(await page.locator('.hero, .card').count(), 5);
      assert.match(await page.locator('.headline').textContent(), /; all 6,000 documents written\.$/);
      const [contents, chart] = [await boxOf('.contents'), await boxOf('#chart-throughput')];
      if (viewport === PHONE) assert.ok(contents.height < 60, 'the contents take one line');
      else assert.ok(contents.x + contents.width <= chart.x, 'the contents stand at the side');
      const next = await boxOf('.next');
      assert.ok(next.y + next.height < viewport.height, 'the number and the next step are on the first screen');
    });
  }

  test('workers that differ are a stack whose tooltip has the total, which one worker needs not', async () => {
    await open(single.path);
    await page.locator('#picture-throughput .u-over').hover();
    const tip = await page.locator('#picture-throughput .tip').textContent();
    assert.match(tip, /^\d+:\d\d \(inserts per second\)each second: [\d,.]+mean of 5 s: [\d,.]+$/);

    await open(differing.path);
    await page.locator('#picture-throughput .u-over').hover();
    const lines = await page.locator('#picture-throughput .tip > div').allTextContents();
    const valueOf = name => Number(lines.find(text => text.startsWith(`${name}: `)).split(': ')[1].replaceAll(',', ''));
    const sum = [0, 1, 2].map(worker => valueOf(`worker ${worker}`)).reduce((a, b) => a + b);
    // Each of the numbers has three digits.
    assert.ok(Math.abs(valueOf('total') - sum) <= 0.01 * sum + 1, lines.join('; '));
    await page.locator('#picture-throughput .legend button', { hasText: 'worker 2' }).click();
    await page.locator('#picture-throughput .u-over').hover();
    assert.doesNotMatch(await page.locator('#picture-throughput .tip').textContent(), /worker 2/);
  });

  test('rate and latency over time have one axis, one cursor and one zoom', async () => {
    await open(single.path);
    const [rate, latency] = [page.locator('#picture-throughput'), page.locator('#picture-latency-time')];
    const [above, below] = [await rate.locator('.u-over').boundingBox(), await latency.locator('.u-over').boundingBox()];
    assert.deepEqual([above.x, above.width], [below.x, below.width]);
    await rate.locator('.u-over').hover();
    const timeOf = async part => /^\d+:\d\d/.exec(await part.locator('.tip').textContent())[0];
    assert.ok(await latency.locator('.tip').isVisible());
    assert.equal(await timeOf(rate), await timeOf(latency));

    const at = x => page.mouse.move(above.x + above.width * x, above.y + above.height / 2);
    await at(0.3);
    await page.mouse.down();
    await at(0.7);
    await page.mouse.up();
    await page.locator('#picture-latency-time.zoomed').waitFor();
    await rate.locator('.reset').click();
    await page.locator('.zoomed').waitFor({ state: 'detached' });
  });

  test('the next step is copied, and a link into a folded table opens it', async () => {
    await open(size.path);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.next button').click();
    await page.locator('.next button', { hasText: 'Copied' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^devbox run spec\.json .*--account ENDPOINT$/);

    const table = page.locator('#fleets-that-were-looked-at table');
    assert.ok(await table.isHidden());
    await page.locator('.contents a', { hasText: 'Fleets that were looked at' }).click();
    await table.waitFor();
  });

  test('two charts stand side by side on a wide screen, and one below the other on a phone', async () => {
    await open(size.path);
    const sideBySide = async () => (await boxOf('#chart-cost-months')).y === (await boxOf('#chart-strip')).y;
    assert.ok(await sideBySide());
    await page.setViewportSize(PHONE);
    assert.ok(!await sideBySide());
  });

  test('the lead of a size takes three lines at most, and its bill is on the first screen', async () => {
    await open(size.path);
    const lines = await page.locator('.headline').evaluate(lead => lead.clientHeight / parseFloat(getComputedStyle(lead).lineHeight));
    assert.ok(lines < 3.5, `${lines} lines`);
    const { y, height } = await boxOf('#chart-cost-months');
    assert.ok(y + height <= 900, `the bill ends at ${y + height}`);
  });

  test('no sentence is repeated for each variant or finding', async () => {
    for (const { path } of [experiment, differing, search]) {
      await open(path);
      const clauses = await page.evaluate(() => {
        const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        const all = [];
        while (walker.nextNode()) {
          const { parentElement, textContent } = walker.currentNode;
          if (!parentElement.closest('script, noscript, nav, .badges, h2, h3')) all.push(...textContent.split(/[.;:] /));
        }
        return all;
      });
      const counts = new Map();
      for (const clause of clauses.map(text => text.replaceAll(/\b(direct|gateway) \d\b/g, '$1').trim()).filter(text => text.length > 60)) {
        counts.set(clause, (counts.get(clause) ?? 0) + 1);
      }
      assert.ok(counts.size > 3, `${counts.size} clauses`);
      assert.deepEqual([...counts].filter(([, times]) => times > 3), []);
    }
  });

  test('on a phone the list and the form of serve come before the report, whose title stands there once', async () => {
    await open(`#${single.id}`, { viewport: PHONE });
    await page.frameLocator('#report').locator('.headline').waitFor();
    await page.waitForFunction(() => document.querySelector('#report').clientHeight > 1_000);
    const tops = [];
    for (const part of ['#watch', '#list', '#start', '#report']) tops.push((await boxOf(part)).y);
    assert.deepEqual(tops, [...tops].sort((a, b) => a - b));
    assert.ok(tops[1] < PHONE.height, 'an ended run does not push the list off the first screen');
    assert.ok(await page.frameLocator('#report').locator('h1').isHidden());
    assert.ok(await page.locator('#figures').isHidden());
    assert.ok(await page.locator('#verdict').isHidden());
    assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), PHONE.width);
  });

  test('on a wide screen the report stands beside the form, below the run', async () => {
    await open(`#${single.id}`);
    await page.frameLocator('#report').locator('.headline').waitFor();
    const [start, watch, frame] = [await boxOf('#start'), await boxOf('#watch'), await boxOf('#report')];
    assert.ok(start.x + start.width <= frame.x);
    assert.ok(watch.y + watch.height <= frame.y && frame.y < 600, `${frame.y}`);
  });

  test('figures that are not valid are named in the list and beside the state', async () => {
    const changed = await browser.newPage();
    const invalid = ['latencies'];
    await changed.route('**/api/runs?*', async route => {
      const body = await (await route.fetch()).json();
      await route.fulfill({ json: { ...body, runs: body.runs.map(run => ({ ...run, invalid: run.id === single.id ? invalid : [] })) } });
    });
    await changed.route(`**/api/runs/${single.id}`, async route =>
      route.fulfill({ json: { ...await (await route.fetch()).json(), invalid } }));
    await changed.goto(`${server.address}#${single.id}`);
    await changed.locator('#badges .badge', { hasText: 'not valid: latencies' }).waitFor();
    await changed.fill('#search', single.id);
    await changed.locator('#runs li', { hasText: single.id }).locator('.invalid', { hasText: 'not valid: latencies' }).waitFor();
    assert.equal(await changed.locator('#runs .invalid').count(), 1);
    await changed.close();
  });

  test('tables that are wider than a phone say that they scroll, and only those', async () => {
    await open(single.path, { viewport: PHONE });
    await page.locator('.scrolls').first().waitFor();
    const wrong = await page.evaluate(() => [...document.querySelectorAll('.scroll')]
      .filter(box => box.classList.contains('scrolls') !== box.scrollWidth > box.clientWidth + 1).map(box => box.textContent.slice(0, 20)));
    assert.deepEqual(wrong, []);
  });

  test('without JavaScript a report says where its numbers are', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const still = await context.newPage();
    await still.goto(server.address + single.path);
    const note = still.locator('main > noscript');
    assert.match(await note.innerText(), /^Charts need JavaScript.*tables below.*report\.csv and report\.json/);
    await context.close();
  });

  test('on paper nothing that stays together is as high as a third of a page', async () => {
    for (const { path } of [single, differing, experiment, search, size]) {
      await open(path, { viewport: PAPER });
      await page.waitForFunction(isDrawn);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print' });
      const high = await page.evaluate(third => {
        const together = [...document.querySelectorAll('main *')].filter(node => getComputedStyle(node).breakInside === 'avoid');
        return together.filter(node => node.getBoundingClientRect().height > third)
          .map(node => `${node.id || node.className || node.tagName}: ${Math.round(node.getBoundingClientRect().height)}`);
      }, PAPER.height / 3);
      assert.deepEqual(high, [], path);
    }
  });

  // Each page is opened once: opening takes longer than looking at it in four ways.
  for (const [name, pathOf] of [
    ['run', () => differing.path], ['experiment', () => experiment.path], ['limit', () => search.path], ['size', () => size.path],
    ['serve', () => `#${single.id}`], ['comparison', () => `#compare/${single.id}/${differing.id}`], ['form of size', () => 'size.html'],
  ]) {
    test(`axe finds nothing on the page of ${name}, wide and narrow, light and dark`, async () => {
      await open(pathOf());
      await page.waitForFunction(isDrawn);
      if (name === 'serve') await page.frameLocator('#report').locator('.headline').waitFor();
      if (name === 'comparison') await page.locator('#comparison tbody tr').first().waitFor();
      await loadAxe(page);
      for (const viewport of [{ width: 1280, height: 900 }, PHONE]) {
        await page.setViewportSize(viewport);
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await violations(page), [], `${viewport.width} wide, ${colorScheme}`);
        }
      }
    });
  }
});
