import { faults } from './faults.ts';
import { countFaults } from './faultsTable.ts';
import { countHostileInputs } from './hostile/index.ts';
import { countOrders } from './orders.ts';
import { soakSteps } from './soakSteps.ts';

/**
 * Returns the rows of the reliability table in the README, generated from the tables of the tests. `tests`: number of tests in
 * test/unit/<folder>.
 */
export function reliabilityRows(tests: Readonly<Record<'networks' | 'secrets' | 'fuzz', number>>): readonly string[] {
  const { calls, callsInTests, actions, actionsInSoak } = countFaults();
  const hostile = countHostileInputs().reduce((sum, { count }) => sum + count, 0);
  const figure = (count: number): string => count.toLocaleString('en');
  return (
    [
      [
        `${faults.length} faults × all operations of the client, in both profiles`,
        figure(callsInTests),
        figure(calls - callsInTests),
        '[what comes of each](test/faults.md): kind and cause named, next step, a write sent at most once, usable right after',
      ],
      [
        'faults × what a user does in the window',
        figure(actions - actionsInSoak),
        figure(actionsInSoak),
        'reported in plain words, nothing typed is lost, the same works right after',
      ],
      [
        'orders in which two windows and the service’s website write one record',
        figure(countOrders('tests')),
        figure(countOrders('soak')),
        'no edit disappears unasked',
      ],
      [
        'random edits, saves, faults, reloads and remote edits in a row',
        figure(soakSteps.tests),
        figure(soakSteps.soak),
        'checked against a model after each step',
      ],
      [
        'hostile emails, names and ids',
        figure(hostile),
        '',
        'no script runs, no request leaves unasked, nothing hangs',
      ],
      [
        'networks: proxies, certificates, broken and odd HTTP',
        figure(tests.networks),
        '',
        'real servers; the record, or the cause in words',
      ],
      [
        'tricks to get at the key: addresses, redirects, proxies, echoes',
        figure(tests.secrets),
        '',
        'none got it; see [SECURITY.md](SECURITY.md)',
      ],
      [
        'properties of parsers and addresses, tried with random input',
        figure(tests.fuzz),
        'ten times the inputs',
        'a record or a named error, for any input',
      ],
    ] as const
  ).map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |'));
}
