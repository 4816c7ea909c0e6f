// Probes: small checks of what @azure/cosmos offers, in tables, each with a name. Some are of what the account does not simulate; these
// must be rejected with a message that says so.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

/** Runs each probe `[name, run, rejection]` as a test of its own. One with a rejection passes on the service, and is rejected here. */
export function probe(subject, probes) {
  const rejected = probes.filter(([, , rejection]) => rejection).length;
  for (const [name, run, rejection] of probes)
    test(`${subject}: ${name}`, () => (rejection ? assert.rejects(run(), error => rejection.test(error.message)) : run()));
  after(() => console.log(`${subject}: ${probes.length} probes, ${rejected} of them of what is not simulated`));
}

export const rejects = (promise, code, text = /./, substatus = undefined) => assert.rejects(promise, error => {
  assert.equal(error.code, code, error.message);
  assert.match(error.message, text);
  if (substatus !== undefined)
    assert.equal(Number(error.substatus), substatus);
  return true;
});
