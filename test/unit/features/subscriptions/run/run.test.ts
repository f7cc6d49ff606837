import assert from 'node:assert/strict';
import { readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../../scripts/lib/scratch.mjs';
import { ApiError, type ApiErrorDetails } from '../../../../../src/service/client/index.ts';
import { RunJournal } from '../../../../../src/features/subscriptions/run/journal.ts';
import {
  applyEvent,
  classifyAnswer,
  startRun,
  replayEvents,
  createSteps,
  tallyAddresses,
  findUnconfirmedSteps,
  executeRun,
  type StepResult,
  type RunPlan,
  type Run,
  type RunEvent,
  type Step,
} from '../../../../../src/features/subscriptions/run/run.ts';

const emails = Array.from({ length: 10 }, (_, index) => `u${index}@x.example`);
const plan: RunPlan = {
  id: '1',
  kind: 'subscribe',
  connection: 'c',
  baseUrl: 'https://c.example',
  lists: [{ id: 1, name: 'One' }],
  sendEmail: true,
  trigger: true,
  startedAt: '2027-01-01T00:00:00Z',
  steps: createSteps(emails, [1], 2),
};
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
    const { run, ending } = await executeRun(startRun(plan), all);
    assert.equal(ending.kind, 'finished');
    assert.deepEqual(addresses(all.sent), emails);
    assert.deepEqual(numbers(tallyAddresses(run)), [9, 1, 0, 0, 0]);
    assert.deepEqual(replayEvents(plan, all.stored), run);
  });

  for (let at = 0; at < plan.steps.length; at += 1) {
    it(`continues with request ${at + 1} after it was refused, and repeats nothing`, async () => {
      const first = ports({ [at]: refused });
      const stopped = await executeRun(startRun(plan), first);
      assert.equal(stopped.ending.kind, 'refused');
      assert.deepEqual(numbers(tallyAddresses(stopped.run)), [2 * at, 0, 0, 10 - 2 * at, 0]);
      const second = ports();
      assert.equal((await executeRun(replayEvents(plan, first.stored), second)).ending.kind, 'finished');
      assert.deepEqual([...addresses(first.sent.slice(0, at)), ...addresses(second.sent)], emails);
    });

    it(`sends nothing after an unconfirmed request ${at + 1} until it is checked`, async () => {
      const first = ports({ [at]: lost });
      const stopped = await executeRun(startRun(plan), first);
      assert.equal(stopped.ending.kind, 'unknown');
      assert.deepEqual(numbers(tallyAddresses(stopped.run)), [2 * at, 0, 2, 8 - 2 * at, 0]);
      const stored = replayEvents(plan, first.stored);
      assert.deepEqual(findUnconfirmedSteps(stored), [at]);
      const blocked = ports();
      if (at < plan.steps.length - 1) assert.equal((await executeRun(stored, blocked)).ending.kind, 'notStored');
      assert.deepEqual(blocked.sent, []);

      const [one = '', two = ''] = plan.steps[at]?.emails ?? [];
      const checked = applyEvent(stored, { type: 'checked', step: at, again: [{ emails: [two], listIds: [1] }] });
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
      const stopped = await executeRun(startRun(plan), first);
      assert.equal(stopped.ending.kind, 'canceled');
      const second = ports();
      await executeRun(replayEvents(plan, first.stored), second);
      assert.deepEqual([...addresses(first.sent), ...addresses(second.sent)], emails);
    });

    it(`does not send request ${at + 1} if it can't be logged`, async () => {
      const first = ports({}, { storeFails: (event) => event.type === 'sent' && event.step === at });
      const { ending } = await executeRun(startRun(plan), first);
      assert.equal(ending.kind, 'notStored');
      assert.equal(first.sent.length, at);
    });

    it(`treats request ${at + 1} as unconfirmed if its result can't be logged`, async () => {
      const first = ports({}, { storeFails: (event) => event.type === 'done' && event.step === at });
      const { run, ending } = await executeRun(startRun(plan), first);
      assert.equal(ending.kind, 'notStored');
      assert.equal(tallyAddresses(run).unknown.length, 0);
      assert.deepEqual(findUnconfirmedSteps(replayEvents(plan, first.stored)), [at]);
    });
  }

  it('stops if the service reports a problem', async () => {
    const first = ports({ 0: { kind: 'done', notFound: [], problem: 'List not found: 7' } });
    const { run, ending } = await executeRun(startRun(plan), first);
    assert.deepEqual(ending, { kind: 'problem', message: 'List not found: 7' });
    assert.equal(tallyAddresses(run).done.length, 2);
  });

  it('rejects impossible events', () => {
    const run = startRun(plan);
    for (const event of [
      { type: 'done', step: 0, notFound: [] },
      { type: 'refused', step: 0 },
      { type: 'checked', step: 0, again: [] },
      { type: 'sent', step: 99 },
    ] satisfies RunEvent[])
      assert.throws(() => applyEvent(run, event));
    assert.throws(() => applyEvent(applyEvent(run, { type: 'sent', step: 0 }), { type: 'sent', step: 0 }));
  });

  it('counts an address as done when all its requests are', () => {
    const sent = applyEvent(startRun(plan), { type: 'sent', step: 0 });
    const split = applyEvent(sent, {
      type: 'checked',
      step: 0,
      again: [
        { emails: ['u0@x.example'], listIds: [2] },
        { emails: ['u0@x.example'], listIds: [1] },
      ],
    });
    assert.deepEqual(tallyAddresses(split).done, ['u1@x.example']);
    const rest: RunEvent[] = [{ type: 'leftOut', step: 5 }];
    assert.deepEqual(tallyAddresses(rest.reduce<Run>(applyEvent, split)).left.includes('u0@x.example'), true);
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

describe('RunJournal', () => {
  let folder: string;
  let journal: RunJournal;

  beforeEach(async () => {
    folder = makeScratch();
    journal = new RunJournal(join(folder, 'runs'));
  });
  afterEach(() => removeScratch(folder));

  it('restores stored runs until they are removed', async () => {
    assert.deepEqual(await journal.readAll(), []);
    const own = { ...plan, id: journal.newId() };
    await journal.start(own);
    await journal.acquire(startRun(own), 'a');
    const first = ports({ 2: lost });
    await executeRun(startRun(own), { ...first, storeEvent: (event) => journal.add(own.id, 'a', event) });
    const [stored] = await journal.readAll();
    assert.ok(stored);
    assert.deepEqual(findUnconfirmedSteps(stored.run), [2]);
    assert.deepEqual(numbers(tallyAddresses(stored.run)), [4, 0, 2, 4, 0]);
    await journal.remove(own.id);
    assert.deepEqual(await journal.readAll(), []);
    assert.deepEqual(await readdir(join(folder, 'runs')), []);
  });

  it('ignores an incomplete line', async () => {
    await journal.start(plan);
    await journal.acquire(startRun(plan), 'a');
    await journal.add('1', 'a', { type: 'sent', step: 0 });
    await journal.add('1', 'a', { type: 'done', step: 0, notFound: [] });
    const path = join(folder, 'runs', '1.log');
    await truncate(path, (await stat(path)).size - 5);
    const { run } = await journal.read('1');
    assert.deepEqual(findUnconfirmedSteps(run), [0]);
    await journal.acquire(run, 'b', [{ type: 'checked', step: 0, again: [] }]);
    assert.deepEqual(findUnconfirmedSteps((await journal.read('1')).run), []);
  });

  it('lets only one of two windows continue a run', async () => {
    await journal.start(plan);
    const windows = ['a', 'b'].map((session) => new RunJournal(join(folder, 'runs')).acquire(startRun(plan), session));
    const results = await Promise.allSettled(windows);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });

  it('sends nothing more from a window whose run another one has continued or discarded', async () => {
    const execute = (session: string, run: Run, all: ReturnType<typeof ports>) =>
      executeRun(run, { ...all, storeEvent: (event) => journal.add('1', session, event) });
    await journal.start(plan);
    await journal.acquire(startRun(plan), 'a');
    const [first, second, third] = [ports({ 1: refused }), ports({ 2: refused }), ports()];
    const { run } = await execute('a', startRun(plan), first);
    await journal.acquire((await journal.read('1')).run, 'b');
    assert.equal((await execute('a', run, third)).ending.kind, 'notStored');
    const { run: next } = await execute('b', (await journal.read('1')).run, second);
    await journal.remove('1');
    assert.equal((await execute('b', next, third)).ending.kind, 'notStored');
    assert.deepEqual(third.sent, []);
    assert.deepEqual(addresses([...first.sent.slice(0, 1), ...second.sent]), emails.slice(0, 8));
  });

  it('is readable only by its owner', async () => {
    await journal.start(plan);
    if (process.platform !== 'win32') assert.equal((await stat(join(folder, 'runs', '1.plan.json'))).mode & 0o077, 0);
    await assert.rejects(journal.read('../1'), /not the id/u);
  });

  const damages: Readonly<Record<string, readonly [file: string, content: string]>> = {
    'a truncated plan': ['1.plan.json', '{"half'],
    'an empty plan': ['1.plan.json', ''],
    'an empty log': ['1.log', ''],
    'a zeroed log': ['1.log', '\0'.repeat(200)],
    'a log without its beginning': ['1.log', '{"type":"sent","step":0}\n'],
    'a log with an impossible event': ['1.log', '{"type":"opened","session":"a"}\n{"type":"done","step":0}\n'],
  };
  for (const [damage, [file, content]] of Object.entries(damages))
    it(`refuses to go on with ${damage}, and names the file to delete`, async () => {
      await journal.start(plan);
      await journal.acquire(startRun(plan), 'a');
      await journal.add('1', 'a', { type: 'sent', step: 0 });
      await writeFile(join(folder, 'runs', file), content);
      await assert.rejects(journal.readAll(), ({ message }: Error) => {
        assert.match(
          message,
          /may have been sent\. Check the lists, then delete this file to continue: .*1\.plan\.json$/u,
        );
        return true;
      });
      assert.equal(await readFile(join(folder, 'runs', file), 'utf8'), content);
    });

  it('skips a run that another window removes while it is being read', async () => {
    await journal.start(plan);
    const reading = journal.readAll();
    await journal.remove('1');
    assert.ok((await reading).length <= 1);
  });
});
