// Measures composing, and compares the result with emails that the service really sent, if they are available.
import { composeSent } from '../../src/email/sent/index.ts';
import { compareSent, hasReferences, readReferences, site } from '../../test/support/sentComparison.ts';
import { template } from '../preview/run.mjs';
import { median } from '../support.mjs';

/** The first rounds warm up and don't count. */
const ROUNDS = 40;
const WARM_UP = 10;
/** Budget for 177 KB, in milliseconds. */
const BUDGET = 100;

export function measure() {
  /** @type {import('../run.mjs').Row[]} */
  const rows = [];
  for (const kilobytes of [20, 177]) {
    const body = template(kilobytes * 1024);
    const times = Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      composeSent({ body, stylesheet: '.x { color: red }' }, { profile: 'acymailing', site });
      return performance.now() - start;
    });
    const middle = median(times.slice(WARM_UP));
    rows.push([`${kilobytes} KB`, middle, BUDGET, middle / BUDGET, 'ms']);
  }
  for (const reference of hasReferences ? readReferences() : []) {
    const { same, elements, differences } = compareSent(
      composeSent(reference, { profile: 'acymailing', site }),
      reference,
    );
    rows.push([reference.name, same, elements, same / elements, 'elements']);
    for (const difference of differences) console.error(`  ${reference.name}: ${difference}`);
  }
  return { title: 'Composing the sent email (floors: the budget; the elements of real sent emails)', rows };
}
