import { faults } from './faults.ts';
import { countFaults } from './faultsTable.ts';
import { countHostileInputs } from './hostile/index.ts';
import { soakSteps } from './soakSteps.ts';
import { networkFaults } from '../world/network.ts';
import { diskFaults } from '../world/faults.ts';
import { STEPS, TESTED_HISTORIES } from '../world/history.ts';

/**
 * Returns the rows of the table in docs/reliability.md, generated from the tables of the tests. `tests`: number of tests in
 * test/unit/<folder>.
 */
export function reliabilityRows(tests: Readonly<Record<'networks' | 'secrets' | 'fuzz', number>>): readonly string[] {
  const { calls, callsInTests, actions, actionsInSoak } = countFaults();
  const hostile = countHostileInputs().reduce((sum, { count }) => sum + count, 0);
  const figure = (count: number) => count.toLocaleString('en');
  return (
    [
      [
        `${faults.length} faults × all operations of the client, in both profiles`,
        figure(callsInTests),
        figure(calls - callsInTests),
        '[each error](../test/faults.md) names its cause and the next step; no write is sent twice; the client works right after',
      ],
      [
        'faults × user actions in the window',
        figure(actions - actionsInSoak),
        figure(actionsInSoak),
        'the error is shown; no typed text is lost; the action works right after',
      ],
      [
        'random edits, saves, faults, reloads and remote edits in a row',
        figure(soakSteps.tests),
        figure(soakSteps.soak),
        'all texts match a model after each step',
      ],
      [
        `histories of ${STEPS} steps in a simulated world: windows, the command, Git and other people, with ${Object.keys({ ...networkFaults, ...diskFaults }).length} faults`,
        figure(TESTED_HISTORIES),
        '30 minutes every night',
        'each email goes out once, as confirmed; no text is lost; nothing stays locked; see [below](#the-simulated-world)',
      ],
      [
        'hostile emails, names and ids',
        figure(hostile),
        '',
        'no script runs; no request is sent without consent; nothing hangs',
      ],
      [
        'networks: proxies, certificates, broken and unusual HTTP',
        figure(tests.networks),
        '',
        'real servers return the record, or an error with its cause',
      ],
      [
        'attacks on the API key: URLs, redirects, proxies, echoes',
        figure(tests.secrets),
        '',
        'no attack succeeds; see [SECURITY.md](../SECURITY.md)',
      ],
      [
        'properties of parsers and URLs, with random input',
        figure(tests.fuzz),
        'ten times the inputs',
        'a valid result or a specific error, for any input',
      ],
    ] as const
  ).map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |'));
}
