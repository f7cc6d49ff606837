import { editFile, readBody, runMailing } from './actors.ts';
import { findWords } from './ledger.ts';
import type { Machine, Operation, Process } from './process.ts';
import { Random } from './random.ts';
import type { Window } from './window.ts';
import { TEMPLATE_ID, type World } from './world.ts';

/** Longer than any command takes without faults. */
const COMMAND_MS = 2 * 60_000;

/** Tries whether every command still works, without faults: its user first cancels, and then accepts everything. Throws the problem. */
export async function tryEverything(world: World): Promise<void> {
  const windows = ['Window A', 'Window B'].map((name) => {
    const { process } = world.windows.get(name) ?? {};
    // Its user closes the window to get rid of a question.
    if ([...(process?.running.values() ?? [])].some(({ isAbandoned }) => isAbandoned)) process?.crash();
    return world.openWindow(name, 1);
  });
  for (const [at, window] of windows.entries()) {
    const campaignId = at + 1;
    await run(window, 'send', `sends campaign ${campaignId}`, (code) => code.sendCampaign(campaignId), {
      campaignId,
      probe: 'cancel',
    });
    await run(window, 'push', 'pushes', (code) => code.push(), { probe: 'cancel' });
  }
  world.isObliging = true;
  for (const window of windows) {
    await expect(() => trySend(world, window), `${window.name} can't send a new campaign`);
    await expect(() => tryTest(world, window), `${window.name} can't send a test`);
    await expect(() => trySave(world, window), `${window.name} can't save the template`);
    const act = (what: 'pull' | 'push') =>
      run(window, 'push', what === 'pull' ? 'pulls' : 'pushes', (code) => code[what]());
    await expect(() => tryPush(world, world.machines.laptop, act), `${window.name} can't push its file`);
  }
  for (const [actor, machine] of [
    ['mailing on the laptop', world.machines.laptop],
    ['The colleague', world.machines.desk],
  ] as const) {
    const act = (what: 'pull' | 'push') => {
      runMailing(world, world.openCommandLine(actor, machine, 1), what);
      return world.scheduler.run(world.scheduler.now + COMMAND_MS);
    };
    await expect(() => tryPush(world, machine, act), `${actor} can't push its file`);
  }
}

/** Tries of a command. Each may find one more lock file of a program that crashed. */
const MAX_TRIES = 4;

/** Throws if a command never works. */
async function expect(act: () => Promise<boolean>, problem: string) {
  for (let attempt = 1; !(await act()); attempt += 1)
    if (attempt === MAX_TRIES) throw new Error(`At the end, without any fault, ${problem}.`);
}

/** Runs a command of a window to its end. */
async function run(
  window: Process,
  kind: string,
  name: string,
  act: (code: Window) => Promise<unknown>,
  details: Partial<Operation> = {},
) {
  const { world } = window;
  const opened = async () => act((await window.opening) as Window);
  const operation = world.start(window, kind, name, opened, { probe: 'accept', ...details });
  await world.scheduler.run(world.scheduler.now + COMMAND_MS);
  return operation;
}

async function trySend(world: World, window: Process) {
  const campaignId = world.addCampaign(`Last of ${window.name}`);
  // Another campaign had this id before a backup was restored.
  const earlier = world.service.deliveries.length;
  const operation = await run(window, 'send', `sends campaign ${campaignId}`, (code) => code.sendCampaign(campaignId), {
    campaignId,
  });
  const { outcome } = (operation?.result?.value ?? {}) as { readonly outcome?: string };
  const count = world.service.deliveries.slice(earlier).filter((each) => each.campaignId === campaignId).length;
  return outcome === 'sent' && count === 1;
}

async function tryTest(world: World, window: Process) {
  const [text, to] = [`<p>Test ${world.operations.length} at the end</p>`, world.service.store.people.get(4).email];
  const what = `templates/${TEMPLATE_ID}`;
  const send = (code: Window) => code.sendTest(what, text, { kind: 'addresses', addresses: [to] });
  const operation = await run(window, 'test', `sends a test of ${what} to ${to}`, send, { text, what });
  const { outcome } = (operation?.result?.value ?? {}) as { readonly outcome?: string };
  const reached = world.service.deliveries.flatMap(({ mail, recipients }) => (mail.body === text ? recipients : []));
  return outcome === 'sent' && reached.join() === to;
}

async function trySave(world: World, window: Process) {
  await run(window, 'open', 'opens the template', (code) => code.open());
  const word = world.createWord(window.name);
  window.window?.type((text) => `${text}\n<p>${word}</p>`);
  await run(window, 'save', 'saves the template', (code) => code.save());
  return findWords(world.templateText).includes(word);
}

/** Pulls, edits the file and pushes it. */
async function tryPush(world: World, machine: Machine, act: (what: 'pull' | 'push') => Promise<unknown>) {
  const edit = () => editFile(world, machine, `somebody on the ${machine.name}`, new Random(1));
  edit();
  await act('pull');
  edit();
  await act('push');
  return readBody(machine) === world.templateText;
}
