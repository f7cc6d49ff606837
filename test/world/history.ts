import { actors } from './actors.ts';
import { drawFaults } from './faults.ts';
import { findProblem } from './invariants.ts';
import type { PlannedFault } from './process.ts';
import { Random } from './random.ts';
import type { Code, RealmHost } from './realm.ts';
import { World } from './world.ts';

/** One step of a history. Dropping it changes no other step. */
export interface Step {
  readonly actor: string;
  readonly act: string;
  readonly seed: number;
  readonly faults: readonly PlannedFault[];
  /** How long the world goes on before the next step: a number of events, or ms. */
  readonly pace: { readonly events: number } | { readonly ms: number };
}

export interface History {
  readonly world: World;
  /** What is wrong, if anything. */
  readonly problem: string | undefined;
}

type Evaluate = (host: RealmHost) => Code;

export const STEPS = 60;
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000] as const;
/** How long the world goes on after the last step, without faults: longer than anything that it waits for. */
const QUIET_MS = 6 * HOUR;

/** Plans a history. The same seed plans the same one. */
export function planHistory(seed: number, count: number = STEPS): readonly Step[] {
  const random = new Random(seed);
  const weights = Object.fromEntries(Object.entries(actors).map(([name, [weight]]) => [name, weight]));
  return Array.from({ length: count }, () => {
    const actor = random.weighted(weights);
    const [, acts] = actors[actor] ?? [0, {}];
    const act = random.weighted(Object.fromEntries(Object.entries(acts).map(([name, [weight]]) => [name, weight])));
    return { actor, act, seed: random.seed(), faults: drawFaults(random), pace: drawPace(random) };
  });
}

function drawPace(random: Random): Step['pace'] {
  const kind = random.weighted({ events: 30, seconds: 45, minutes: 18, hours: 7 });
  if (kind === 'events') return { events: 1 + random.below(40) };
  return { ms: Math.round(random.next() * { seconds: 20 * SECOND, minutes: 8 * MINUTE, hours: 3 * HOUR }[kind]) };
}

/** Runs steps, checks the invariants after each, and again when the world has become quiet. */
export async function runHistory(steps: readonly Step[], evaluate: Evaluate): Promise<History> {
  const world = new World(evaluate);
  for (const { actor, act, seed, faults, pace } of steps) {
    const random = new Random(seed);
    const process = actors[actor]?.[1][act]?.[1](world, random, actor);
    if (process?.isDead === false) world.plan(process, faults, random.seed());
    world.count(actor, act, 'none');
    if ('events' in pace) await world.scheduler.run(Infinity, pace.events);
    else await world.scheduler.run(world.scheduler.now + pace.ms);
    const problem = findProblem(world, 'step');
    if (problem !== undefined) return { world, problem };
  }
  return { world, problem: await settle(world) };
}

/** Lets the world become quiet: no more faults, awake machines, and windows that get the focus. */
async function settle(world: World) {
  world.log('The world becomes quiet.');
  world.isQuiet = true;
  for (const machine of Object.values(world.machines)) machine.asleepUntil = 0;
  for (const process of world.processes) process.faults.length = 0;
  await world.scheduler.run(world.scheduler.now + QUIET_MS);
  for (const name of [...world.windows.keys()]) {
    const process = world.openWindow(name, 1);
    world.start(process, 'focus', 'gets the focus', async () => (await process.opening)?.resume());
    await world.scheduler.run(world.scheduler.now + 2 * MINUTE);
  }
  await world.scheduler.run(world.scheduler.now + QUIET_MS);
  await probe(world);
  return findProblem(world, 'end');
}

/** Tries whether every command can still run. The user cancels each. */
async function probe(world: World) {
  const names = [...world.windows.keys()];
  for (const [at, id] of [1, 2].entries()) {
    const process = world.openWindow(names[at] ?? 'Window A', 1);
    const send = async () => (await process.opening)?.sendCampaign(id);
    world.start(process, 'send', `sends campaign ${id}`, send, { campaignId: id, isProbe: true });
    await world.scheduler.run(world.scheduler.now + 2 * MINUTE);
  }
  const process = world.openWindow(names[0] ?? 'Window A', 1);
  const push = async () => (await process.opening)?.push();
  world.start(process, 'push', 'pushes', push, { isProbe: true });
  await world.scheduler.run(world.scheduler.now + 2 * MINUTE);
}
