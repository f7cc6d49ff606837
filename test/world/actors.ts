import { findWords } from './ledger.ts';
import { FOLDER, type Machine, type Operation, type Process } from './process.ts';
import type { Random } from './random.ts';
import { enter } from './realm.ts';
import type { Window } from './window.ts';
import { NEWSLETTER, TEMPLATE_ID, TESTERS, type World } from './world.ts';

/** What one step does. It starts something and doesn't wait for the end. */
export type Act = (world: World, random: Random, name: string) => Process | undefined;

/** Who acts, and what they do, with a weight for each. */
export type Actor = Readonly<Record<string, readonly [weight: number, act: Act]>>;

const BODY = `${FOLDER}/letter/body.html`;
const STYLESHEET = `${FOLDER}/letter/style.css`;

/** Adds a word at the end of a random line, or on a line of its own. */
function write(text: string, word: string, random: Random) {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  if (random.chance(0.5)) lines.splice(at, 0, `<p>${word}</p>`);
  else lines[at] = `${lines[at] ?? ''} ${word}`;
  return lines.join('\n');
}

/** Resolves conflicts by keeping the text of both sides. */
const resolveConflicts = (text: string) =>
  text.replace(
    /^<{7} .*\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} .*(?:\n|$)/gmu,
    (_, ours: string, theirs: string) => ours + theirs,
  );

/** Runs a command in a window, which starts first if needed. */
const command =
  (
    kind: string,
    name: string,
    run: (window: Window, random: Random, operation: Operation) => Promise<unknown>,
    getDetails: (world: World, random: Random) => Partial<Pick<Operation, 'campaignId' | 'text' | 'what'>> = () => ({}),
  ): Act =>
  (world, random, actor) => {
    const process = world.openWindow(actor, random.seed());
    const act = async (operation: Operation) => {
      const window = await process.opening;
      return window && run(window, random, operation);
    };
    world.start(process, kind, name, act, getDetails(world, random));
    return process;
  };

const addresses = (world: World, random: Random) => {
  const { people } = world.service.store;
  return Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(0.1) ? 'stranger@nowhere.example' : people.get(4 + random.below(6)).email,
  );
};

const createTest = (world: World, random: Random) => ({
  text: `<p>t${world.operations.length}x</p>`,
  addresses: addresses(world, random),
});

const window: Actor = {
  'sends campaign 1': [
    10,
    command(
      'send',
      'sends campaign 1',
      (code) => code.sendCampaign(1),
      () => ({ campaignId: 1 }),
    ),
  ],
  'sends campaign 2': [
    5,
    command(
      'send',
      'sends campaign 2',
      (code) => code.sendCampaign(2),
      () => ({ campaignId: 2 }),
    ),
  ],
  'sends a test to addresses': [
    8,
    (world, random, actor) => {
      const { text, addresses: to } = createTest(world, random);
      const what = random.pick(['templates/1', 'campaigns/1']);
      const send = (code: Window) => code.sendTest(what, text, { kind: 'addresses', addresses: to });
      return command('test', `sends a test of ${what} to ${to.join(', ')}`, send, () => ({ text, what }))(
        world,
        random,
        actor,
      );
    },
  ],
  'sends a test to a list': [
    4,
    (world, random, actor) => {
      const { text } = createTest(world, random);
      const send = (code: Window) =>
        code.sendTest('templates/1', text, { kind: 'list', list: { id: TESTERS, name: 'Test' } });
      return command('test', 'sends a test to a list', send, () => ({ text, what: 'templates/1' }))(
        world,
        random,
        actor,
      );
    },
  ],
  'gets the focus': [6, command('focus', 'gets the focus', (code) => code.resume())],
  'opens the template': [3, command('open', 'opens the template', (code) => code.open())],
  'types in the template': [
    7,
    (world, random, actor) => {
      const process = world.openWindow(actor, random.seed());
      // A window that is still starting gets no text.
      if (process.window === undefined || world.windows.get(actor)?.editor === undefined) return process;
      const word = world.createWord(actor);
      world.log(`${actor} types ${word}.`);
      enter(process);
      process.window.type((text) => write(text, word, random));
      return process;
    },
  ],
  'saves the template': [7, command('save', 'saves the template', (code) => code.save())],
  pulls: [5, command('push', 'pulls', (code) => code.pull())],
  pushes: [6, command('push', 'pushes', (code) => code.push())],
  overwrites: [1, command('push', 'overwrites', (code) => code.overwrite())],
  'discards changes': [1, command('push', 'discards changes', (code) => code.discard())],
  'subscribes addresses': [3, changeSubscriptions('subscribe')],
  'unsubscribes addresses': [2, changeSubscriptions('unsubscribe')],
  crashes: [
    3,
    (world, _random, actor) => {
      world.windows.get(actor)?.process?.crash();
      return undefined;
    },
  ],
};

/** Changes subscriptions, in one request or in several. Most addresses have no user. */
function changeSubscriptions(kind: 'subscribe' | 'unsubscribe'): Act {
  return (world, random, actor) => {
    const { people } = world.service.store;
    const users = Array.from({ length: 3 }, () => people.get(4 + random.below(8)).email);
    const unknown = Array.from(
      { length: random.chance(0.5) ? 1 : 205 },
      (_, at) => `nobody${at}@change${world.operations.length}.example`,
    );
    const emails = [...new Set([...unknown, ...users])];
    const run = (code: Window) => code.changeSubscriptions(kind, emails, NEWSLETTER);
    return command('subscribe', `${kind}s ${emails.length} addresses`, run)(world, random, actor);
  };
}

/** Runs the `mailing` command in a new process. */
export function runMailing(world: World, process: Process, action: 'pull' | 'push' | 'status', isRetry = false): void {
  const run = async () => {
    const code = await world.code.transfer(action, [], { connection: 'one', retry: isRetry });
    process.end();
    return `${code}: ${process.printed.join('').trim()}`;
  };
  world.start(process, 'mailing', `runs mailing ${action}${isRetry ? ' --retry' : ''}`, run, { isRetry });
}

const mailing =
  (machine: (world: World) => Machine, action: 'pull' | 'push' | 'status', isRetry = false): Act =>
  (world, random, actor) => {
    const process = world.openCommandLine(actor, machine(world), random.seed());
    runMailing(world, process, action, isRetry);
    return process;
  };

/** Returns the file of the template's body. */
export const readBody = ({ disk }: Machine): string | undefined => disk.readText(BODY);

/** Somebody works on the files of a machine. */
export function editFile(world: World, machine: Machine, author: string, random: Random): void {
  const { disk } = machine;
  const files = [BODY, STYLESHEET].filter((path) => disk.exists(path));
  if (files.length === 0) return;
  const word = world.createWord(author);
  const edited = random.chance(0.8) ? files[0] : files.at(-1);
  world.log(`${author} writes ${word} into ${edited}.`);
  for (const path of files) {
    const text = resolveConflicts(disk.readText(path) ?? '');
    disk.writeText(path, path === edited ? write(text, word, random) : text);
  }
}

const edit =
  (machine: (world: World) => Machine): Act =>
  (world, random, actor) => {
    editFile(world, machine(world), actor, random);
    return undefined;
  };

const createCommandLine = (machine: (world: World) => Machine): Actor => ({
  'runs mailing pull': [4, mailing(machine, 'pull')],
  'runs mailing push': [5, mailing(machine, 'push')],
  'runs mailing push --retry': [1, mailing(machine, 'push', true)],
  'runs mailing status': [1, mailing(machine, 'status')],
  'edits the file': [8, edit(machine)],
  'is killed': [
    1,
    (world, _random, actor) => {
      for (const process of world.processes) if (process.actor === actor && process.running.size > 0) process.crash();
      return undefined;
    },
  ],
});

/** Other people, on the website of the service. */
const website: Actor = {
  'edits campaign 1': [3, editCampaign(1)],
  'edits campaign 2': [1, editCampaign(2)],
  'sends campaign 1': [
    1,
    (world) => {
      const campaign = world.service.store.campaigns.get(1);
      if (campaign === undefined) return undefined;
      world.log('The website sends campaign 1.');
      world.websiteSends.set(1, [...(world.websiteSends.get(1) ?? []), world.tick()]);
      world.service.store.campaigns.put({
        ...campaign,
        draft: 0,
        active: 1,
        sent: 1,
        sending_date: world.scheduler.now,
      });
      return undefined;
    },
  ],
  'edits the template': [
    6,
    (world, random) => {
      const template = world.service.store.templates.get(TEMPLATE_ID);
      if (template === undefined) return undefined;
      const word = world.createWord('website');
      const field = random.chance(0.8) ? 'body' : 'stylesheet';
      world.log(`The website writes ${word} into the ${field}.`);
      world.service.store.templates.put({ ...template, [field]: write(template[field] ?? '', word, random) });
      return undefined;
    },
  ],
  'adds a subscriber': [
    1,
    (world, random) => {
      const [user, list] = [4 + random.below(8), random.pick([NEWSLETTER, TESTERS])];
      const { members, people } = world.service.store;
      members.set(user, list, { subscribed: world.scheduler.now, unsubscribed: null, status: 1 });
      world.listChanges = world.tick();
      world.added.set(people.get(user).email, world.listChanges);
      world.log(`The website adds ${people.get(user).email} to list ${list}.`);
      return undefined;
    },
  ],
  'deletes campaign 1': [
    0.5,
    (world) => {
      world.log('The website deletes campaign 1.');
      world.service.store.campaigns.delete(1);
      world.campaignVersions.set(1, [...(world.campaignVersions.get(1) ?? []), world.tick()]);
      return undefined;
    },
  ],
  'deletes the template, or restores it': [
    0.7,
    (world) => {
      world.toggleTemplate();
      return undefined;
    },
  ],
  'is about to move the campaign of a test': [
    1,
    (world, random) => {
      world.movesTestAfter = random.below(random.chance(0.7) ? 400 : 60_000);
      return undefined;
    },
  ],
  'makes a backup': [
    0.5,
    (world) => {
      world.backUp();
      return undefined;
    },
  ],
  'restores the backup': [
    0.5,
    (world) => {
      world.restore();
      return undefined;
    },
  ],
};

function editCampaign(id: number): Act {
  return (world) => {
    const version = world.tick();
    world.log(`The website edits campaign ${id}.`);
    world.saveCampaign(id, { name: `Campaign ${id}`, subject: `Subject ${version}`, body: `<p>v${version}</p>` });
    return undefined;
  };
}

/** Git on the laptop: another branch has other texts and another lock. */
const git: Actor = {
  'switches the branch': [
    1,
    (world) => {
      const { disk, running } = world.machines.laptop;
      // People wait for a command before they switch.
      if ([...running.values()].some((process) => process.running.has('push') || process.running.has('mailing')))
        return undefined;
      const paths = [...disk.files.keys()].filter((path) => /\/letter\/|mailing\.lock\.json$/u.test(path));
      const files = new Map(paths.map((path) => [path, disk.readText(path) ?? '']));
      const next = world.branch === 'main' ? 'topic' : 'main';
      const checkedOut = world.branches.get(next) ?? files;
      world.branches.set(world.branch, files);
      world.branch = next;
      world.log(`Git switches the laptop to the branch ${next}.`);
      for (const path of paths) if (!path.endsWith('.tmp') && !checkedOut.has(path)) disk.delete(path);
      for (const [path, text] of checkedOut) if (disk.readText(path) !== text) disk.writeText(path, text);
      return undefined;
    },
  ],
  'merges the other branch': [
    1,
    (world, random) => {
      const { disk, running } = world.machines.laptop;
      if ([...running.values()].some((process) => process.running.has('push') || process.running.has('mailing')))
        return undefined;
      const other = world.branch === 'main' ? 'topic' : 'main';
      world.log(`Git merges the branch ${other} on the laptop.`);
      for (const [path, theirs] of world.branches.get(other) ?? []) {
        const ours = disk.readText(path);
        // Git merges only files without conflicts.
        if (/^<{7} /mu.test(`${ours}\n${theirs}`)) continue;
        // The lock is often merged without the texts, or the texts without the lock.
        const take = random.pick(['ours', 'theirs', 'both', 'both'] as const);
        const isMerged = [BODY, STYLESHEET].includes(path) || path.endsWith('mailing.lock.json');
        if (ours === undefined) disk.writeText(path, theirs);
        else if (isMerged && take === 'both') disk.writeText(path, mergeAsGit(ours, theirs, other));
        else if (isMerged && take === 'theirs') {
          const text = path.startsWith(`${FOLDER}/letter`) ? ours : '';
          world.giveUp(text, theirs);
          // They may have been pushed before.
          world.machines.laptop.told.push(...findWords(text).filter((word) => !theirs.includes(word)));
          disk.writeText(path, theirs);
        }
      }
      return undefined;
    },
  ],
};

/** Merges two versions without a common one: lines that differ are a conflict. */
function mergeAsGit(ours: string, theirs: string, name: string) {
  if (ours === theirs) return ours;
  const [one, other] = [ours.split('\n'), theirs.split('\n')];
  const shorter = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < shorter && one[start] === other[start]) start += 1;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const cut = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  return [
    ...one.slice(0, start),
    ...['<<<<<<< HEAD', ...cut(one), '=======', ...cut(other), `>>>>>>> ${name}`],
    ...one.slice(one.length - end),
  ].join('\n');
}

/** What happens to machines. */
const nature: Actor = {
  'puts the laptop to sleep': [
    2,
    (world, random) => {
      const { laptop } = world.machines;
      const ms = Math.round(random.next() * 3 * 3_600_000);
      laptop.asleepUntil = world.scheduler.now + ms;
      world.log(`The laptop sleeps for ${Math.round(ms / 60_000)} minutes.`);
      return undefined;
    },
  ],
  'cuts the power of the laptop': [1, cutPower(({ machines }) => machines.laptop)],
  'cuts the power of the desk': [0.3, cutPower(({ machines }) => machines.desk)],
  waits: [2, () => undefined],
};

/** Everything that runs on a machine ends, and its disk loses what wasn't flushed. */
function cutPower(machine: (world: World) => Machine): Act {
  return (world, random) => {
    const { name, disk, running } = machine(world);
    world.log(`The power of the ${name} fails.`);
    for (const process of [...running.values()]) process.crash();
    world.log(`The ${name} loses ${disk.failPower(random)} changes.`);
    return undefined;
  };
}

/** Everybody, with the weight of their steps. Add an actor here. */
export const actors: Readonly<Record<string, readonly [weight: number, actor: Actor]>> = {
  'Window A': [10, window],
  'Window B': [7, window],
  'mailing on the laptop': [4, createCommandLine(({ machines }) => machines.laptop)],
  'The colleague': [4, createCommandLine(({ machines }) => machines.desk)],
  'The website': [4, website],
  Git: [1, git],
  Nature: [2, nature],
};
