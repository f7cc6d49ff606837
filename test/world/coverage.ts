import { networkFaults } from './network.ts';
import { diskFaults } from './faults.ts';
import { actors } from './actors.ts';

/** Number of occurrences by "actor: operation: fault". */
export type Counts = Readonly<Record<string, number>>;

const windows = ['Window A', 'Window B'];
const commandLines = ['mailing on the laptop', 'The colleague'];

/** Who sends which requests that change the service. */
const writers: Readonly<Record<string, readonly string[]>> = {
  sendCampaign: windows,
  createOrUpdateCampaign: windows,
  subscribeUsers: windows,
  unsubscribeUsers: windows,
  updateTemplate: [...windows, ...commandLines],
};

/** Returns everything that should have occurred in the histories of the tests, but didn't. */
export function findMissingCounts(all: readonly Counts[]): readonly string[] {
  const has = (key: string) => all.some((counts) => (counts[key] ?? 0) > 0);
  const acts = Object.entries(actors).flatMap(([actor, [, list]]) =>
    Object.keys(list).map((act) => `${actor}: ${act}: none`),
  );
  const requests = Object.entries(writers).flatMap(([operation, senders]) =>
    senders.flatMap((actor) => Object.keys(networkFaults).map((fault) => `${actor}: ${operation}: ${fault}`)),
  );
  const disks = [...windows, ...commandLines].flatMap((actor) =>
    ['write', 'rename'].flatMap((operation) =>
      Object.keys(diskFaults).map((fault) => `${actor}: ${operation}: ${fault}`),
    ),
  );
  return [...acts, ...requests, ...disks].filter((key) => !has(key));
}
