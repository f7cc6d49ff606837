import assert from 'node:assert/strict';
import { CHECK_DELAYS_MS } from '../../../../src/platform/documents/saves.ts';
import { hashText } from '../../../../src/platform/documents/model.ts';
import { addressOf, Stage } from './stage.ts';

/** What happens to a document, by name. */
const steps = {
  edit: (stage: Stage) => stage.type('mine'),
  editOn: (stage: Stage) => stage.type('mine and on'),
  editBack: (stage: Stage) => stage.type('first'),
  save: async (stage: Stage) => assert.equal(await stage.save(), true),
  saveFails: async (stage: Stage) => assert.notEqual(await stage.save(), true),
  saveBegins: async (stage: Stage) => {
    let open = (): void => undefined;
    stage.gate = new Promise((resolve) => {
      open = resolve;
    });
    const saving = stage.save();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    underWay.set(stage, async () => {
      open();
      stage.gate = undefined;
      assert.equal(await saving, true);
    });
  },
  saveEnds: (stage: Stage) => underWay.get(stage)?.(),
  theirs: (stage: Stage) => stage.write({ body: 'theirs' }),
  theirsAgain: (stage: Stage) => stage.write({ body: 'theirs again' }),
  theSame: (stage: Stage) => stage.write({ body: 'mine' }),
  overwrite: (stage: Stage) => {
    const { document, theirs } = stage.asked.at(-1) ?? assert.fail('Nobody was asked.');
    document.resolveConflict(hashText(theirs), 'overwrite');
  },
  revert: (stage: Stage) => stage.reload(),
  lose: (stage: Stage) => stage.faults.push({ request: 'update', end: 'lost' }),
  loseAnswer: (stage: Stage) => stage.faults.push({ request: 'update', end: 'lostDone' }),
  loseReadBack: (stage: Stage) =>
    (stage.keeps = (fields) => {
      stage.keeps = (same) => same;
      stage.faults.push({ request: 'read', end: 'lost' });
      return fields;
    }),
  refuse: (stage: Stage) => stage.faults.push({ request: 'update', end: 'refused' }),
  land: (stage: Stage) => stage.write({ body: 'mine' }),
  look: async (stage: Stage) => {
    await stage.record.readFresh();
  },
  delete: (stage: Stage) => {
    stage.held = undefined;
  },
  restore: (stage: Stage) => stage.write({ body: 'first', style: 'first' }),
  minutes: (stage: Stage) => stage.wait(60 * 60_000),
  lookBack: async (stage: Stage) => {
    stage.record.recheckUncertainWrites();
    await stage.wait(1);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  },
  restart: (stage: Stage) => stage.restart(),
  seal: (stage: Stage) => stage.write({ body: 'sealed' }),
  dropped: (stage: Stage) => (stage.keeps = () => ({})),
  changed: (stage: Stage) => (stage.keeps = () => ({ body: 'mine, tidied' })),
} as const satisfies Readonly<Record<string, (stage: Stage) => unknown>>;

const underWay = new WeakMap<Stage, () => Promise<void>>();

type Step = keyof typeof steps;
type State = 'clean' | 'dirty' | 'saving' | 'unconfirmed' | 'inConflict' | 'deleted';

/** What a document goes through: each step with the state after it, what the service holds at the end, and what the user was told. */
interface Course {
  readonly name: string;
  readonly course: readonly (readonly [Step, State])[];
  readonly held: string | undefined;
  /** What its editor shows at the end, if the course decides that. */
  readonly shown?: string;
  readonly told?: readonly (readonly [string, string])[];
  readonly updates?: number;
}

const courses: readonly Course[] = [
  {
    name: 'an edit is stored',
    course: [
      ['edit', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    updates: 1,
  },
  {
    name: 'typing goes on while it is saved',
    course: [
      ['edit', 'dirty'],
      ['saveBegins', 'saving'],
      ['editOn', 'saving'],
      ['saveEnds', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine and on',
    updates: 2,
  },
  {
    name: 'an edit brings back what was there',
    course: [
      ['edit', 'dirty'],
      ['save', 'clean'],
      ['editBack', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'first',
    updates: 2,
  },
  {
    name: 'the service refuses',
    course: [
      ['edit', 'dirty'],
      ['refuse', 'dirty'],
      ['saveFails', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    updates: 1,
  },
  {
    name: 'somebody else writes: nothing is sent before the user agrees',
    course: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['saveFails', 'inConflict'],
      ['overwrite', 'inConflict'],
      ['save', 'clean'],
    ],
    held: 'mine',
    told: [['conflict', 'theirs']],
    updates: 1,
  },
  {
    name: 'what was agreed to is to overwrite one text',
    course: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['theirsAgain', 'inConflict'],
      ['overwrite', 'inConflict'],
      ['saveFails', 'inConflict'],
    ],
    held: 'theirs again',
    told: [
      ['conflict', 'theirs'],
      ['conflict', 'theirs again'],
    ],
    updates: 0,
  },
  {
    name: 'what was agreed to is over once it was overwritten',
    course: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['overwrite', 'inConflict'],
      ['save', 'clean'],
      ['editOn', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
    ],
    held: 'theirs',
    told: [
      ['conflict', 'theirs'],
      ['conflict', 'theirs'],
    ],
    updates: 1,
  },
  {
    name: 'the user takes what somebody else wrote',
    course: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['revert', 'clean'],
      ['edit', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    told: [['conflict', 'theirs']],
    updates: 1,
  },
  {
    name: 'somebody else writes the very same',
    course: [
      ['edit', 'dirty'],
      ['theSame', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    updates: 0,
  },
  {
    name: 'an answer is lost, and nothing came of it: it stays in doubt until it was looked at long enough',
    course: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
      ['lookBack', 'clean'],
    ],
    held: 'mine',
    updates: 1,
  },
  {
    name: 'only the answer is lost',
    course: [
      ['edit', 'dirty'],
      ['loseAnswer', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    updates: 1,
  },
  {
    name: 'a lost save is stored late, over a newer one',
    course: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['land', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
    ],
    held: 'mine',
    told: [['late', 'mine and on']],
    updates: 1,
  },
  {
    name: 'a lost save is stored late, before the next: that is no conflict',
    course: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['land', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
    ],
    held: 'mine and on',
    updates: 1,
  },
  {
    name: 'somebody else writes while a lost save is in doubt: that is theirs',
    course: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['theirs', 'unconfirmed'],
      ['saveFails', 'inConflict'],
    ],
    held: 'theirs',
    told: [['conflict', 'theirs']],
    updates: 0,
  },
  {
    name: 'what was stored can not be read back: the next save sends nothing',
    course: [
      ['edit', 'dirty'],
      ['loseReadBack', 'dirty'],
      ['saveFails', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    updates: 1,
  },
  {
    name: 'a save whose result can not be read back is no conflict for the next one',
    course: [
      ['edit', 'dirty'],
      ['loseReadBack', 'dirty'],
      ['saveFails', 'dirty'],
      ['editOn', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine and on',
    updates: 2,
  },
  {
    name: 'a lost save that is stored after all checks is no conflict',
    course: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
      ['lookBack', 'dirty'],
      ['land', 'dirty'],
      ['editOn', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine and on',
    updates: 1,
  },
  {
    name: 'a lost save that is stored late is not reported if the next save replaces it',
    course: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['land', 'unconfirmed'],
      ['editBack', 'unconfirmed'],
      ['save', 'unconfirmed'],
    ],
    held: 'first',
    told: [],
    updates: 2,
  },
  {
    name: 'a text of another user is not reported as a late save',
    course: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['theirs', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
    ],
    held: 'theirs',
    told: [],
    updates: 1,
  },
  {
    name: 'the record is deleted, and comes back',
    course: [
      ['edit', 'dirty'],
      ['delete', 'dirty'],
      ['saveFails', 'deleted'],
      ['restore', 'deleted'],
      ['look', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    updates: 1,
  },
  {
    name: 'the record is locked',
    course: [
      ['edit', 'dirty'],
      ['seal', 'dirty'],
      ['saveFails', 'dirty'],
    ],
    held: 'sealed',
    updates: 0,
  },
  {
    name: 'the service keeps its old text',
    course: [
      ['edit', 'dirty'],
      ['dropped', 'dirty'],
      ['saveFails', 'dirty'],
    ],
    held: 'first',
    updates: 1,
  },
  {
    name: 'the service keeps it differently: the editor shows that',
    course: [
      ['edit', 'dirty'],
      ['changed', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine, tidied',
    shown: 'mine, tidied',
    told: [['differently', 'mine, tidied']],
    updates: 1,
  },
  {
    name: 'the window restarts with an edit, and nobody wrote',
    course: [
      ['edit', 'dirty'],
      ['restart', 'dirty'],
      ['save', 'clean'],
    ],
    held: 'mine',
    updates: 1,
  },
  {
    name: 'the window restarts with an edit, and somebody else wrote',
    course: [
      ['edit', 'dirty'],
      ['restart', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
    ],
    held: 'theirs',
    told: [['conflict', 'theirs']],
    updates: 0,
  },
];

describe('an open record', () => {
  for (const { name, course, held, shown, told = [], updates } of courses) {
    it(name, async () => {
      const stage = new Stage();
      await stage.open();
      assert.equal(stage.state, 'clean');
      for (const [step, state] of course) {
        await steps[step](stage);
        assert.equal(stage.state, state, `after ${step}`);
      }
      assert.equal(stage.held?.body, held);
      assert.deepEqual(stage.told, told);
      if (shown !== undefined) assert.equal(stage.editor('body').text, shown);
      if (updates !== undefined) assert.equal(stage.updates.length, updates);
      stage.record.dispose();
    });
  }

  it('costs one request to open, with all that shows it', async () => {
    const stage = new Stage();
    await Promise.all([stage.open('body'), stage.record.readCached()]);
    await stage.open('style');
    assert.equal(await stage.record.getReadOnlyReason(), undefined);
    await stage.record.readCached();
    assert.deepEqual(stage.requests, ['read']);
    stage.write({ style: 'theirs' });
    await stage.open('style');
    assert.equal(stage.editor('style').text, 'theirs', 'who opens it a second time wants to know what it is now');
    await stage.wait(5000);
    await stage.record.readCachedOnce('something else');
    assert.deepEqual(stage.requests, ['read', 'read', 'read']);
  });

  it('costs three to save, however many documents of it', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.type('mine');
    stage.type('mine', 'style');
    stage.requests.length = 0;
    assert.deepEqual(await Promise.all([stage.save('body'), stage.save('style')]), [true, true]);
    assert.deepEqual(stage.requests, ['read', 'update', 'read']);
    assert.deepEqual(stage.updates, [{ body: 'mine', style: 'mine' }]);
    assert.deepEqual(stage.changed, [], 'the editors show what was stored');
  });

  it('waits for a save that was announced, and not for ever', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.type('mine');
    stage.record.beginSave(addressOf('style'));
    const saving = stage.save('body');
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(stage.updates, []);
    await stage.wait(1000);
    assert.equal(await saving, true);
    assert.deepEqual(stage.updates, [{ body: 'mine' }]);
  });

  it('stores one save after the other', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.type('mine');
    await steps.saveBegins(stage);
    stage.type('mine', 'style');
    stage.requests.length = 0;
    const other = stage.save('style');
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(stage.requests, [], 'it waits');
    await steps.saveEnds(stage);
    assert.equal(await other, true);
    assert.deepEqual(stage.requests, ['update', 'read', 'read', 'update', 'read']);
  });

  it('tells whoever shows it of what somebody else wrote, and nobody who shows it already', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.write({ body: 'theirs' });
    await stage.record.readFresh();
    assert.deepEqual(stage.changed, [addressOf('body').uri.toString()]);
  });

  it('does not store what can not be read', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('unreadable');
    assert.match(String(await stage.save()), /can not be read/u);
    assert.deepEqual([stage.state, stage.updates.length], ['dirty', 0]);
  });
});

describe('a record in doubt', () => {
  async function inDoubt(): Promise<Stage> {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    stage.faults.push({ request: 'update', end: 'lost' });
    assert.match(
      String(await stage.save()),
      /it is not known whether the letter was stored\. .*Your text is safe here: save again/u,
    );
    stage.requests.length = 0;
    return stage;
  }

  it('is read again at least three times within a minute, ever more seldom, and then when somebody comes back', async () => {
    const stage = await inDoubt();
    await stage.wait(60_000);
    assert.ok(stage.requests.length >= 3, String(stage.requests.length));
    await stage.wait(60 * 60_000);
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length);
    assert.deepEqual(
      CHECK_DELAYS_MS,
      [...CHECK_DELAYS_MS].sort((one, other) => one - other),
    );
    await steps.lookBack(stage);
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length + 1);
    await steps.lookBack(stage);
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length + 1, 'that was the last');
  });

  it('is read when somebody looks at it, and then goes on with its times', async () => {
    const stage = await inDoubt();
    await steps.lookBack(stage);
    assert.equal(stage.requests.length, 1);
    await stage.wait(60_000);
    assert.ok(stage.requests.length >= 3);
  });

  it('stays in doubt where the last look fails', async () => {
    const stage = await inDoubt();
    await stage.wait(60 * 60_000);
    stage.faults.push({ request: 'read', end: 'lost' });
    await steps.lookBack(stage);
    assert.equal(stage.state, 'unconfirmed');
  });

  it('tells of a document that was not in the lost update, where that set it back', async () => {
    const stage = await inDoubt();
    await stage.open('style');
    stage.type('newer', 'style');
    assert.equal(await stage.save('style'), true);
    stage.write({ body: 'mine', style: 'first' });
    await stage.wait(60_000);
    assert.deepEqual(stage.told, [['late', 'newer']]);
  });

  it('leaves a conflict with what nobody here wrote a conflict, also where it is as it was before', async () => {
    const stage = await inDoubt();
    await stage.open('style');
    stage.write({ style: 'theirs' });
    await stage.reload('style');
    stage.type('mine', 'style');
    stage.write({ style: 'first' });
    assert.match(String(await stage.save('style')), /changed on the service/u);
  });
});
