import assert from 'node:assert/strict';
import { readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../../scripts/lib/scratch.mjs';
import { ApiError, type ApiErrorDetails } from '../../../../../src/service/client/index.ts';
import { Journal } from '../../../../../src/sync/requests/journal.ts';
import { StateFiles } from '../../../../../src/sync/stateFiles.ts';
import {
  applyEvent,
  classifyAnswer,
  resolveStep,
  runKind,
  createSteps,
  tallyAddresses,
  findUnconfirmedSteps,
  executeRun,
  type StepResult,
  type Run,
  type RunEvent,
  type Step,
} from '../../../../../src/features/subscriptions/run/run.ts';

const emails = Array.from({ length: 10 }, (_, index) => `u${index}@x.example`);
const plan: Run = {
  connection: 'c',
  baseUrl: 'https://c.example',
  what: 'subscriptions/1',
  asked: 1000,
  until: 121_000,
  session: 'a',
  kind: 'subscribe',
  lists: [{ id: 1, name: 'One' }],
  sendEmail: true,
  trigger: true,
  startedAt: 1000,
  steps: createSteps(emails, [1], 2),
  notFound: [],
};
/** Applies events to the plan. */
const replay = (events: readonly RunEvent[]) => events.reduce(applyEvent, plan);
const done: StepResult = { kind: 'done', notFound: [] };
const lost: StepResult = { kind: 'unknown', error: new Error('lost') };
const refused: StepResult = { kind: 'refused', error: new Error('no') };
const numbers = ({ done: d, notFound, unknown, left, leftOut }: ReturnType<typeof tallyAddresses>) =>
  [d, notFound, unknown, left, leftOut].map(({ length }) => length);

/** Creates ports that answer each request by its index, and record the sent steps and stored events. */
function ports(
  answers: Readonly<Record<number, StepResult>> = {},
  { cancelAfter = Infinity, storeFails }: { cancelAfter?: number; storeFails?: (event: RunEvent) => boolean } = {},
) {
  const sent: Step[] = [];
  const stored: RunEvent[] = [];
  return {
    sent,
    stored,
    send: async (step: Step) => {
      sent.push(step);
      return answers[sent.length - 1] ?? done;
    },
    storeEvent: async (event: RunEvent) => {
      if (storeFails?.(event)) throw new Error('disk full');
      stored.push(event);
    },
    isCanceled: () => sent.length >= cancelAfter,
    report: () => undefined,
  };
}

const addresses = (steps: readonly Step[]) => steps.flatMap((step) => step.emails);

describe('executeRun', () => {
  it('sends every address once and finishes', async () => {
    const all = ports({ 1: { kind: 'done', notFound: ['U2@x.example'] } });
    const { run, ending } = await executeRun(plan, all);
    assert.equal(ending.kind, 'finished');
    assert.deepEqual(addresses(all.sent), emails);
    assert.deepEqual(numbers(tallyAddresses(run)), [9, 1, 0, 0, 0]);
    assert.deepEqual(replay(all.stored), run);
  });

  for (let at = 0; at < plan.steps.length; at += 1) {
    it(`continues with request ${at + 1} after it was refused, and repeats nothing`, async () => {
      const first = ports({ [at]: refused });
      const stopped = await executeRun(plan, first);
      assert.equal(stopped.ending.kind, 'refused');
      assert.deepEqual(numbers(tallyAddresses(stopped.run)), [2 * at, 0, 0, 10 - 2 * at, 0]);
      const second = ports();
      assert.equal((await executeRun(replay(first.stored), second)).ending.kind, 'finished');
      assert.deepEqual([...addresses(first.sent.slice(0, at)), ...addresses(second.sent)], emails);
    });

    it(`sends nothing after an unconfirmed request ${at + 1} until it is checked`, async () => {
      const first = ports({ [at]: lost });
      const stopped = await executeRun(plan, first);
      assert.equal(stopped.ending.kind, 'unknown');
      assert.deepEqual(numbers(tallyAddresses(stopped.run)), [2 * at, 0, 2, 8 - 2 * at, 0]);
      const stored = replay(first.stored);
      assert.deepEqual(findUnconfirmedSteps(stored), [at]);
      const blocked = ports();
      if (at < plan.steps.length - 1) assert.equal((await executeRun(stored, blocked)).ending.kind, 'notStored');
      assert.deepEqual(blocked.sent, []);

      const [one = '', two = ''] = plan.steps[at]?.emails ?? [];
      const checked = resolveStep(stored, at, [{ emails: [two], listIds: [1] }], 'left');
      assert.deepEqual(tallyAddresses(checked).left.includes(two), true);
      assert.deepEqual(tallyAddresses(checked).done.includes(one), true);
      const second = ports();
      const { run, ending } = await executeRun(checked, second);
      assert.equal(ending.kind, 'finished');
      assert.deepEqual(addresses(second.sent), [...emails.slice(2 * at + 2), two]);
      assert.deepEqual(numbers(tallyAddresses(run)), [10, 0, 0, 0, 0]);
    });

    it(`continues after request ${at} when it was canceled there`, async () => {
      const first = ports({}, { cancelAfter: at });
      const stopped = await executeRun(plan, first);
      assert.equal(stopped.ending.kind, 'canceled');
      const second = ports();
      await executeRun(replay(first.stored), second);
      assert.deepEqual([...addresses(first.sent), ...addresses(second.sent)], emails);
    });

    it(`does not send request ${at + 1} if it can't be logged`, async () => {
      const first = ports({}, { storeFails: (event) => event.type === 'sent' && event.step === at });
      const { ending } = await executeRun(plan, first);
      assert.equal(ending.kind, 'notStored');
      assert.equal(first.sent.length, at);
    });

    it(`treats request ${at + 1} as unconfirmed if its result can't be logged`, async () => {
      const first = ports({}, { storeFails: (event) => event.type === 'done' && event.step === at });
      const { run, ending } = await executeRun(plan, first);
      assert.equal(ending.kind, 'notStored');
      assert.equal(tallyAddresses(run).unknown.length, 0);
      assert.deepEqual(findUnconfirmedSteps(replay(first.stored)), [at]);
    });
  }

  it('stops if the service reports a problem', async () => {
    const first = ports({ 0: { kind: 'done', notFound: [], problem: 'List not found: 7' } });
    const { run, ending } = await executeRun(plan, first);
    assert.deepEqual(ending, { kind: 'problem', message: 'List not found: 7' });
    assert.equal(tallyAddresses(run).done.length, 2);
  });

  it('rejects impossible events', () => {
    const run = plan;
    for (const event of [
      { type: 'done', step: 0, notFound: [] },
      { type: 'refused', step: 0 },
      { type: 'sent', step: 99 },
    ] satisfies RunEvent[])
      assert.throws(() => applyEvent(run, event));
    assert.throws(() => resolveStep(run, 0, [], 'left'));
    assert.throws(() => applyEvent(applyEvent(run, { type: 'sent', step: 0 }), { type: 'sent', step: 0 }));
  });

  it('counts an address as done when all its requests are', () => {
    const sent = applyEvent(plan, { type: 'sent', step: 0 });
    const again = [
      { emails: ['u0@x.example'], listIds: [2] },
      { emails: ['u0@x.example'], listIds: [1] },
    ];
    const split = resolveStep(sent, 0, again, 'left');
    assert.deepEqual(tallyAddresses(split).done, ['u1@x.example']);
    const steps = split.steps.map((step, at) => (at === 5 ? { ...step, state: 'leftOut' as const } : step));
    assert.deepEqual(tallyAddresses({ ...split, steps }).left.includes('u0@x.example'), true);
  });
});

describe('classifyAnswer', () => {
  const error = (details: Partial<ApiErrorDetails>) => () =>
    Promise.reject(
      new ApiError({ kind: 'server', operation: 'subscribeUsers', outcome: 'refused', message: 'x', ...details }),
    );
  const answers: readonly (readonly [
    name: string,
    request: Parameters<typeof classifyAnswer>[0],
    kind: StepResult['kind'],
  ])[] = [
    ['403', error({ kind: 'forbidden', status: 403 }), 'refused'],
    ['422', error({ kind: 'invalid', status: 422 }), 'refused'],
    ['404 of something else', error({ kind: 'notFound', status: 404, serverMessage: 'Not found' }), 'refused'],
    ['404 for all users', error({ kind: 'notFound', status: 404, serverMessage: 'No users found.' }), 'done'],
    ['500', error({ status: 500, outcome: 'unknown' }), 'unknown'],
    ['a lost response', error({ kind: 'network', outcome: 'unknown' }), 'unknown'],
    ['another error', () => Promise.reject(new TypeError('x')), 'unknown'],
  ];
  for (const [name, request, kind] of answers)
    it(`returns ${kind} for ${name}`, async () =>
      assert.equal((await classifyAnswer(request, ['a@x.example'])).kind, kind));

  it('returns all addresses if no user was found', async () => {
    assert.deepEqual(
      await classifyAnswer(error({ kind: 'notFound', status: 404, serverMessage: 'No users found.' }), emails),
      { kind: 'done', notFound: emails },
    );
  });

  it('reports deleted lists', async () => {
    assert.deepEqual(
      await classifyAnswer(async () => ({ message: 'Users subscribed. List not found: 9', notFound: [] }), emails),
      { kind: 'done', notFound: [], problem: 'List not found: 9' },
    );
  });
});

describe('a run in the journal', () => {
  let folder: string;
  let journal: Journal<Run, RunEvent>;
  let now: number;
  const open = () => new Journal(new StateFiles(join(folder, 'runs')), runKind, { now: () => now });

  beforeEach(() => {
    now = plan.asked;
    folder = makeScratch();
    journal = open();
  });
  afterEach(() => removeScratch(folder));

  const read = async () => (await journal.find(plan)) ?? assert.fail('no run');
  const execute = (run: Run, all: ReturnType<typeof ports>) =>
    executeRun(run, { ...all, storeEvent: (event) => journal.renew(run, event) });
  /** The run as another window acquires it. */
  const takeOver = (run: Run) => ({ ...run, ...journal.start(), session: 'b' });
  const getFile = async () => join(folder, 'runs', (await readdir(join(folder, 'runs')))[0] ?? '');

  it('is restored until it is released', async () => {
    assert.deepEqual(await journal.all(), []);
    await journal.acquire(plan);
    await execute(plan, ports({ 2: lost }));
    const [stored] = await open().all();
    assert.ok(stored);
    assert.deepEqual(findUnconfirmedSteps(stored), [2]);
    assert.deepEqual(numbers(tallyAddresses(stored)), [4, 0, 2, 4, 0]);
    await journal.release(plan);
    assert.deepEqual(await journal.all(), []);
    assert.deepEqual(await readdir(join(folder, 'runs')), []);
  });

  it('has no result in an incomplete line', async () => {
    await journal.acquire(plan);
    await journal.renew(plan, { type: 'sent', step: 0 });
    await journal.renew(plan, { type: 'done', step: 0, notFound: [] });
    const path = await getFile();
    await truncate(path, (await stat(path)).size - 5);
    const run = await read();
    assert.deepEqual(findUnconfirmedSteps(run), [0]);
    now += 1;
    assert.equal(await journal.acquire(takeOver(resolveStep(run, 0, [], 'left')), run), true);
    assert.deepEqual(findUnconfirmedSteps(await read()), []);
  });

  it('is continued by only one of two windows', async () => {
    await journal.acquire(plan);
    now += 1;
    const results = await Promise.all(
      ['a', 'b'].map((session) => open().acquire({ ...takeOver(plan), session }, plan)),
    );
    assert.deepEqual(results.toSorted(), [false, true]);
  });

  it('is not continued by a window that read it before its last event', async () => {
    await journal.acquire(plan);
    const before = await read();
    await journal.renew(plan, { type: 'sent', step: 0 });
    now += 1;
    assert.equal(await open().acquire(takeOver(before), before), false);
  });

  it('lets a window send nothing more once another one has continued or discarded it', async () => {
    await journal.acquire(plan);
    const [first, second, third] = [ports({ 1: refused }), ports({ 2: refused }), ports()];
    const { run } = await execute(plan, first);
    now += 1;
    const stored = await read();
    const taken = takeOver(stored);
    assert.equal(await journal.acquire(taken, stored), true);
    assert.equal((await execute(run, third)).ending.kind, 'notStored');
    const { run: next } = await execute(taken, second);
    await journal.release(await read());
    assert.equal((await execute(next, third)).ending.kind, 'notStored');
    assert.deepEqual(third.sent, []);
    assert.deepEqual(addresses([...first.sent.slice(0, 1), ...second.sent]), emails.slice(0, 8));
  });

  it('is readable only by its owner', async () => {
    await journal.acquire(plan);
    await journal.renew(plan, { type: 'sent', step: 0 });
    if (process.platform !== 'win32') assert.equal((await stat(await getFile())).mode & 0o077, 0);
  });

  const start = `${JSON.stringify(plan)}\n`;
  const damages: Readonly<Record<string, string>> = {
    'a truncated run': '{"half',
    'an empty file': '',
    'a zeroed file': '\0'.repeat(200),
    'a file without its beginning': '{"until":1,"change":{"type":"sent","step":0}}\n',
    'an impossible event': `${start}{"until":1,"change":{"type":"done","step":0,"notFound":[]}}\n`,
    'an unknown event': `${start}{"until":1,"change":{"type":"opened","step":0}}\n`,
  };
  for (const [damage, content] of Object.entries(damages))
    it(`blocks every change with ${damage}, and its error names the file to delete`, async () => {
      await journal.acquire(plan);
      await journal.renew(plan, { type: 'sent', step: 0 });
      const path = await getFile();
      await writeFile(path, content);
      const isNamed = ({ message }: Error) =>
        /may have been sent\. Check the service's website, then delete this file to continue: /u.test(message) &&
        message.endsWith(path);
      await assert.rejects(journal.all(), isNamed);
      assert.equal(await readFile(path, 'utf8'), content);
    });

  it('is skipped if another window removes it while it is being read', async () => {
    await journal.acquire(plan);
    const reading = journal.all();
    await journal.release(plan);
    assert.ok((await reading).length <= 1);
  });
});
