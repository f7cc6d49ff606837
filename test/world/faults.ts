import { networkFaults, type NetworkFault } from './network.ts';
import type { DiskFault } from './disk.ts';
import type { PlannedFault } from './process.ts';
import type { Random } from './random.ts';

/** Faults with their weights. Add a fault of the network in `network.ts`, one of the disk in `disk.ts`, and its weight here. */
const network = Object.fromEntries(Object.keys(networkFaults).map((name) => [name, 1])) as Record<NetworkFault, number>;
/** How much more frequent the fault is that a history is about. */
const FOCUS_FACTOR = 20;
export const diskFaults: Readonly<Record<DiskFault, number>> = {
  full: 2,
  readOnly: 1,
  busy: 1,
  crashBefore: 2,
  crashTorn: 2,
  crashAfter: 3,
  hang: 3,
};

/** The requests that reach people or store texts, which faults concern most. */
export const decisiveRequests: readonly string[] = [
  'sendCampaign',
  'sendCampaign',
  'updateTemplate',
  'subscribeUsers',
  'unsubscribeUsers',
  'createOrUpdateCampaign',
  'sendEmailToSingleUser',
  'createTemplate',
];

/** The reads right before them, during which other programs go on. */
const decisiveReads = ['getCampaignById', 'getCampaignById', 'getSubscribersFromLists', 'getOneTemplate'];

/** Draws the fault that a history is about, if any: faults that need each other are rare otherwise. */
export const drawFocus = (random: Random): NetworkFault | undefined =>
  random.chance(0.5) ? (random.pick(Object.keys(networkFaults)) as NetworkFault) : undefined;

/**
 * Draws the faults of a step: mostly none, sometimes several.
 * @param requests those that faults concern most
 */
export function drawFaults(
  random: Random,
  focus: NetworkFault | undefined,
  requests: readonly string[],
): readonly PlannedFault[] {
  const weights = focus === undefined ? network : { ...network, [focus]: FOCUS_FACTOR };
  const faults: PlannedFault[] = [];
  while (random.chance(0.4)) {
    const kind = random.weighted({ decisive: 40, network: 20, read: 10, disk: 30 });
    if (kind === 'read')
      faults.push({
        on: 'network',
        fault: 'is answered, but its program hangs for minutes',
        skip: random.below(3),
        operation: random.pick(decisiveReads),
      });
    else if (kind === 'disk') faults.push({ on: 'disk', fault: random.weighted(diskFaults), skip: random.below(25) });
    else
      faults.push({
        on: 'network',
        fault: random.weighted(weights),
        ...(kind === 'decisive' ? { skip: 0, operation: random.pick(requests) } : { skip: random.below(12) }),
      });
  }
  return faults;
}
