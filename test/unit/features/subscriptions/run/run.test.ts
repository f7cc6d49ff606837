import assert from 'node:assert/strict';
import { readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../../scripts/lib/scratch.mjs';
import { ApiError, type ApiErrorDetails } from '../../../../../src/service/client/index.ts';
import { classifyAnswer } from '../../../../../src/features/subscriptions/run/sendStep.ts';
import { RunJournal } from '../../../../../src/features/subscriptions/run/journal.ts';
import {
  applyEvent,
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

/** Works on a run with answers given by the request's number among all; what was sent and kept is noted. */
function ports(
  answers: Readonly<Record<number, StepResult>> = {},
  { cancelAfter = Infinity, keepFails }: { cancelAfter?: number; keepFails?: (event: RunEvent) => boolean } = {},
) {
  const sent: Step[] = [];
  const kept: RunEvent[] = [];
  return {
    sent,
    kept,
    send: async (step: Step) => {
      sent.push(step);
      return answers[sent.length - 1] ?? done;
    },
    storeEvent: async (event: RunEvent) => {
      if (keepFails?.(event)) throw new Error('disk full');
      kept.push(event);
    },
    isCancelled: () => sent.length >= cancelAfter,
    report: () => undefined,
  };
}

const addresses = (steps: readonly Step[]) => steps.flatMap((step) => step.emails);

describe('a run', () => {
  it('sends every address once, and is finished then', async () => {
    const all = ports({ 1: { kind: 'done', notFound: ['U2@x.example'] } });
    const { run, ending } = await executeRun(startRun(plan), all);
    assert.equal(ending.kind, 'finished');
    assert.deepEqual(addresses(all.sent), emails);
    assert.deepEqual(numbers(tallyAddresses(run)), [9, 1, 0, 0, 0]);
    assert.deepEqual(replayEvents(plan, all.kept), run);
  });

  for (let at = 0; at < plan.steps.length; at += 1) {
    it(`that is refused at request ${at + 1} goes on with it, and repeats nothing`, async () => {
      const first = ports({ [at]: refused });
      const stopped = await executeRun(startRun(plan), first);
      assert.equal(stopped.ending.kind, 'refused');
      assert.deepEqual(numbers(tallyAddresses(stopped.run)), [2 * at, 0, 0, 10 - 2 * at, 0]);
      const second = ports();
      assert.equal((await executeRun(replayEvents(plan, first.kept), second)).ending.kind, 'finished');
      assert.deepEqual([...addresses(first.sent.slice(0, at)), ...addresses(second.sent)], emails);
    });

    it(`that loses the answer to request ${at + 1} sends nothing before it is known what became of it`, async () => {
      const first = ports({ [at]: lost });
      const stopped = await executeRun(startRun(plan), first);
      assert.equal(stopped.ending.kind, 'unknown');
      assert.deepEqual(numbers(tallyAddresses(stopped.run)), [2 * at, 0, 2, 8 - 2 * at, 0]);
      const kept = replayEvents(plan, first.kept);
      assert.deepEqual(findUnconfirmedSteps(kept), [at]);
      const blocked = ports();
      if (at < plan.steps.length - 1) assert.equal((await executeRun(kept, blocked)).ending.kind, 'notStored');
      assert.deepEqual(blocked.sent, []);

      const [one = '', two = ''] = plan.steps[at]?.emails ?? [];
      const known = applyEvent(kept, { type: 'checked', step: at, again: [{ emails: [two], listIds: [1] }] });
      assert.deepEqual(tallyAddresses(known).left.includes(two), true);
      assert.deepEqual(tallyAddresses(known).done.includes(one), true);
      const second = ports();
      const { run, ending } = await executeRun(known, second);
      assert.equal(ending.kind, 'finished');
      assert.deepEqual(addresses(second.sent), [...emails.slice(2 * at + 2), two]);
      assert.deepEqual(numbers(tallyAddresses(run)), [10, 0, 0, 0, 0]);
    });

    it(`that is cancelled after ${at} requests goes on behind them`, async () => {
      const first = ports({}, { cancelAfter: at });
      const stopped = await executeRun(startRun(plan), first);
      assert.equal(stopped.ending.kind, 'cancelled');
      const second = ports();
      await executeRun(replayEvents(plan, first.kept), second);
      assert.deepEqual([...addresses(first.sent), ...addresses(second.sent)], emails);
    });

    it(`whose log ends before request ${at + 1} goes out sends it never`, async () => {
      const first = ports({}, { keepFails: (event) => event.type === 'sent' && event.step === at });
      const { ending } = await executeRun(startRun(plan), first);
      assert.equal(ending.kind, 'notStored');
      assert.equal(first.sent.length, at);
    });

    it(`whose log ends behind request ${at + 1} takes it for unknown, not for unsent`, async () => {
      const first = ports({}, { keepFails: (event) => event.type === 'done' && event.step === at });
      const { run, ending } = await executeRun(startRun(plan), first);
      assert.equal(ending.kind, 'notStored');
      assert.equal(tallyAddresses(run).unknown.length, 0);
      assert.deepEqual(findUnconfirmedSteps(replayEvents(plan, first.kept)), [at]);
    });
  }

  it('stops where the service did it and says that something is wrong', async () => {
    const first = ports({ 0: { kind: 'done', notFound: [], problem: 'List not found: 7' } });
    const { run, ending } = await executeRun(startRun(plan), first);
    assert.deepEqual(ending, { kind: 'problem', message: 'List not found: 7' });
    assert.equal(tallyAddresses(run).done.length, 2);
  });

  it('refuses events that can not have been', () => {
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

  it('takes an address for done when all its requests are', () => {
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

describe('the answer to a change of subscriptions', () => {
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
    ['a lost answer', error({ kind: 'network', outcome: 'unknown' }), 'unknown'],
    ['an error of our own', () => Promise.reject(new TypeError('x')), 'unknown'],
  ];
  for (const [name, request, kind] of answers)
    it(`is ${kind} with ${name}`, async () =>
      assert.equal((await classifyAnswer(request, ['a@x.example'])).kind, kind));

  it('names all addresses where no user was found', async () => {
    assert.deepEqual(
      await classifyAnswer(error({ kind: 'notFound', status: 404, serverMessage: 'No users found.' }), emails),
      { kind: 'done', notFound: emails },
    );
  });

  it('names lists that are gone', async () => {
    assert.deepEqual(
      await classifyAnswer(async () => ({ message: 'Users subscribed. List not found: 9', notFound: [] }), emails),
      { kind: 'done', notFound: [], problem: 'List not found: 9' },
    );
  });
});

describe('the journal of runs', () => {
  let folder: string;
  let journal: RunJournal;

  beforeEach(async () => {
    folder = makeScratch();
    journal = new RunJournal(join(folder, 'runs'));
  });
  afterEach(() => removeScratch(folder));

  it('gives back what was kept, and nothing after the end', async () => {
    assert.deepEqual(await journal.readAll(), []);
    const own = { ...plan, id: journal.newId() };
    await journal.start(own);
    const first = ports({ 2: lost });
    await executeRun(startRun(own), { ...first, storeEvent: (event) => journal.add(own.id, event) });
    const [kept] = await journal.readAll();
    assert.ok(kept);
    assert.deepEqual(findUnconfirmedSteps(kept.run), [2]);
    assert.deepEqual(numbers(tallyAddresses(kept.run)), [4, 0, 2, 4, 0]);
    await journal.remove(own.id);
    assert.deepEqual(await journal.readAll(), []);
    assert.deepEqual(await readdir(join(folder, 'runs')), []);
  });

  it('takes a line that was cut for one that was not written', async () => {
    await journal.start(plan);
    await journal.add('1', { type: 'sent', step: 0 });
    await journal.add('1', { type: 'done', step: 0, notFound: [] });
    const path = join(folder, 'runs', '1.log');
    await truncate(path, (await stat(path)).size - 5);
    assert.deepEqual(findUnconfirmedSteps((await journal.read('1')).run), [0]);
  });

  it('can be read by its owner only, and leaves broken files alone', async () => {
    await journal.start(plan);
    assert.equal((await stat(join(folder, 'runs', '1.plan.json'))).mode & 0o077, 0);
    await writeFile(join(folder, 'runs', '2.plan.json'), '{"half');
    assert.equal((await journal.readAll()).length, 1);
    assert.equal(await readFile(join(folder, 'runs', '2.plan.json'), 'utf8'), '{"half');
    await assert.rejects(journal.read('../1'), /not the id/u);
  });
});
