import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actors, type Actor } from './actors.ts';
import { tryEverything } from './aftermath.ts';
import { decisiveRequests, drawFaults, drawFocus } from './faults.ts';
import { findProblem } from './invariants.ts';
import type { PlannedFault } from './process.ts';
import { Random } from './random.ts';
import type { Code } from './realm.ts';
import type { ProfileName } from '../../src/service/client/profiles.ts';
import { TEMPLATE_ID, World } from './world.ts';

/** One step of a history. Dropping it changes no other step. */
export interface Step {
  readonly actor: string;
  readonly act: string;
  readonly seed: number;
  readonly faults: readonly PlannedFault[];
  /** How long the world goes on before the next step: a number of events, or ms. */
  readonly pace: { readonly events: number } | { readonly ms: number };
}

/** The steps of a history, and the kind of service that they are about. */
export interface Plan {
  readonly profile: ProfileName;
  readonly steps: readonly Step[];
}

export interface History {
  readonly world: World;
  /** What is wrong, if anything. */
  readonly problem: string | undefined;
}

/** Steps of a history, and histories that `npm test` runs. */
export const [STEPS, TESTED_HISTORIES] = [60, 2000] as const;
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000] as const;
/** How long the world goes on after the last step, without faults: longer than anything that it waits for. */
const QUIET_MS = 6 * HOUR;

const members = ['subscribeUsers', 'unsubscribeUsers'] as const;

/** What most steps of a history are about, so that they meet: a pattern of acts with the factor of their weight, and the requests that fail. */
const themes: readonly (readonly [acts: RegExp, factor: number, requests: readonly string[]])[] = [
  [/./u, 1, decisiveRequests],
  [/campaign 1|focus|crashes|sleep/u, 12, ['sendCampaign']],
  [/test|focus|crashes|subscriber/u, 10, ['sendCampaign', 'sendEmailToSingleUser', 'createTemplate', ...members]],
  [/template|saves|types|overwrites|pulls/u, 10, ['updateTemplate']],
  [/push|pull|file|mailing|edits the template/u, 8, ['updateTemplate']],
  [/campaign 1|addresses/u, 15, decisiveRequests],
  [/subscribes|crashes|focus|sleep/u, 12, members],
  [/branch|push|pull|file/u, 10, ['updateTemplate']],
  [/push|edits the file/u, 20, ['updateTemplate']],
  [/of a test|sends a test/u, 20, ['createOrUpdateCampaign', ...members]],
];

/** Plans a history. The same seed plans the same one. */
export function planHistory(seed: number, count: number = STEPS): Plan {
  const random = new Random(seed);
  const profile = random.pick(['documented', 'acymailing'] as const);
  const [pattern, factor, requests] = random.pick(themes);
  const focus = drawFocus(random);
  const weigh = (acts: Actor) =>
    Object.fromEntries(
      Object.entries(acts).map(([name, [weight]]) => [name, weight * (pattern.test(name) ? factor : 1)] as const),
    );
  const sum = (weights: Readonly<Record<string, number>>) =>
    Object.values(weights).reduce((total, one) => total + one, 0);
  const weighed = Object.entries(actors).map(([name, [weight, acts]]) => ({
    name,
    weight,
    acts: weigh(acts),
    plain: acts,
  }));
  const weights = Object.fromEntries(
    weighed.map(({ name, weight, acts, plain }) => [
      name,
      (weight * sum(acts)) / Object.values(plain).reduce((total, [one]) => total + one, 0),
    ]),
  );
  const byName = new Map(weighed.map(({ name, acts }) => [name, acts]));
  const steps = Array.from({ length: count }, () => {
    const actor = random.weighted(weights);
    const act = random.weighted(byName.get(actor) ?? {});
    return { actor, act, seed: random.seed(), faults: drawFaults(random, focus, requests), pace: drawPace(random) };
  });
  return { profile, steps };
}

/** The shortest histories that met a defect. One with the name of a patch in `defects/` meets that defect. */
const [root, folder] = [fileURLToPath(new URL('../..', import.meta.url)), 'test/world/histories'];
export const toPath = (name: string, tree: string = root): string => join(tree, folder, `${name}.json`);

export const listSaved = (): readonly string[] =>
  readdirSync(join(root, folder)).map((file) => file.replace('.json', ''));

export const readSaved = (name: string): Plan => JSON.parse(readFileSync(toPath(name), 'utf8')) as Plan;

export function save(name: string, { profile, steps }: Plan): void {
  const lines = steps.map((step) => JSON.stringify(step)).join(',\n');
  writeFileSync(toPath(name), `{ "profile": "${profile}", "steps": [\n${lines}\n] }\n`);
}

function drawPace(random: Random): Step['pace'] {
  const kind = random.weighted({ events: 30, seconds: 45, minutes: 18, hours: 7 });
  if (kind === 'events') return { events: 1 + random.below(40) };
  return { ms: Math.round(random.next() * { seconds: 20 * SECOND, minutes: 8 * MINUTE, hours: 3 * HOUR }[kind]) };
}

/** Runs steps, checks the invariants after each, and again when the world has become quiet. */
export async function runHistory({ profile, steps }: Plan, code: Code): Promise<History> {
  const world = new World(code, profile);
  const report = (error: unknown) =>
    void world.ledger.problems.push(`A promise was rejected without a handler: ${String(error)}`);
  process.on('unhandledRejection', report);
  try {
    return { world, problem: await runSteps(world, steps) };
  } finally {
    process.off('unhandledRejection', report);
  }
}

async function runSteps(world: World, steps: readonly Step[]) {
  for (const { actor, act, seed, faults, pace } of steps) {
    const random = new Random(seed);
    const user = actors[actor]?.[1][act]?.[1](world, random, actor);
    if (user?.isDead === false) world.plan(user, faults, random.seed());
    world.count(actor, act, 'none');
    if ('events' in pace) await world.scheduler.run(Infinity, pace.events);
    else await world.scheduler.run(world.scheduler.now + pace.ms);
    const problem = findProblem(world, 'step');
    if (problem !== undefined) return problem;
  }
  return settle(world);
}

/** Lets the world become quiet: no more faults, awake machines, and windows that get the focus. */
async function settle(world: World) {
  world.log('The world becomes quiet.');
  world.isQuiet = true;
  for (const machine of Object.values(world.machines)) machine.asleepUntil = 0;
  for (const { faults } of world.processes) faults.length = 0;
  if (!world.service.store.templates.has(TEMPLATE_ID)) world.toggleTemplate();
  await world.scheduler.run(world.scheduler.now + QUIET_MS);
  for (const name of [...world.windows.keys()]) {
    const window = world.openWindow(name, 1);
    world.start(window, 'focus', 'gets the focus', async () => (await window.opening)?.resume());
    await world.scheduler.run(world.scheduler.now + 2 * MINUTE);
  }
  await world.scheduler.run(world.scheduler.now + QUIET_MS);
  const failure = await tryEverything(world).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return findProblem(world, 'end') ?? failure;
}
