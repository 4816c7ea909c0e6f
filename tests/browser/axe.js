// Whether a page can be used by everybody, as far as axe finds out.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** To be called once for each page, before {@link violations}. */
export const loadAxe = page => page.evaluate(AXE);

/** What axe finds on the page itself; a report in a frame is looked at on its own. */
export async function violations(page) {
  const { violations: found } = await page.evaluate(() => axe.run({ exclude: [['iframe']] }, { iframes: false }));
  return found.map(one => `${one.id}: ${one.nodes.map(node => node.target.join(' ')).slice(0, 3).join(', ')} (${one.help})`);
}
