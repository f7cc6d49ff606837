import { networkFaults } from './network.ts';
import { diskFaults } from './faults.ts';
import { actors } from './actors.ts';

/** Number of occurrences by "actor: operation: fault". */
export type Counts = Readonly<Record<string, number>>;

const windows = ['Window A', 'Window B'];
const commandLines = ['mailing on the laptop', 'The colleague'];

/** The requests of windows that change the service. */
const writes = ['sendCampaign', 'createOrUpdateCampaign', 'subscribeUsers', 'unsubscribeUsers', 'updateTemplate'];

/** Returns everything that should have occurred in the histories of the tests, but didn't. */
export function findMissingCounts(all: readonly Counts[]): readonly string[] {
  const has = (key: string) => all.some((counts) => (counts[key] ?? 0) > 0);
  const acts = Object.entries(actors).flatMap(([actor, [, list]]) =>
    Object.keys(list).map((act) => `${actor}: ${act}: none`),
  );
  // The two windows run the same code.
  const requests = writes.flatMap((operation) =>
    Object.keys(networkFaults)
      .filter((fault) => !windows.some((actor) => has(`${actor}: ${operation}: ${fault}`)))
      .map((fault) => `windows: ${operation}: ${fault}`),
  );
  const disks = [...windows, ...commandLines].flatMap((actor) =>
    ['write', 'rename'].flatMap((operation) =>
      Object.keys(diskFaults).map((fault) => `${actor}: ${operation}: ${fault}`),
    ),
  );
  return [...requests, ...[...acts, ...disks].filter((key) => !has(key))];
}
