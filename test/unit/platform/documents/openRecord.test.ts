import assert from 'node:assert/strict';
import { CHECK_DELAYS_MS } from '../../../../src/platform/documents/saves.ts';
import { hashText } from '../../../../src/platform/documents/model.ts';
import { getAddress, Stage } from './stage.ts';

/** Steps of a scenario, by name. */
const actions = {
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
    savesInProgress.set(stage, async () => {
      open();
      stage.gate = undefined;
      assert.equal(await saving, true);
    });
  },
  saveEnds: (stage: Stage) => savesInProgress.get(stage)?.(),
  theirs: (stage: Stage) => stage.write({ body: 'theirs' }),
  theirsAgain: (stage: Stage) => stage.write({ body: 'theirs again' }),
  theSame: (stage: Stage) => stage.write({ body: 'mine' }),
  overwrite: (stage: Stage) => {
    const { document, theirs } = stage.conflicts.at(-1) ?? assert.fail('There is no conflict prompt.');
    document.resolveConflict(hashText(theirs), 'overwrite');
  },
  revert: (stage: Stage) => stage.reload(),
  lose: (stage: Stage) => stage.faults.push({ request: 'update', end: 'lost' }),
  loseAnswer: (stage: Stage) => stage.faults.push({ request: 'update', end: 'lostDone' }),
  loseReadBack: (stage: Stage) =>
    (stage.storeFields = (fields) => {
      stage.storeFields = (same) => same;
      stage.faults.push({ request: 'read', end: 'lost' });
      return fields;
    }),
  refuse: (stage: Stage) => stage.faults.push({ request: 'update', end: 'refused' }),
  land: (stage: Stage) => stage.write({ body: 'mine' }),
  read: async (stage: Stage) => {
    await stage.record.readFresh();
  },
  delete: (stage: Stage) => {
    stage.storedRecord = undefined;
  },
  restore: (stage: Stage) => stage.write({ body: 'first', style: 'first' }),
  minutes: (stage: Stage) => stage.wait(60 * 60_000),
  recheck: async (stage: Stage) => {
    stage.record.recheckUncertainWrites();
    await stage.wait(1);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  },
  restart: (stage: Stage) => stage.restart(),
  seal: (stage: Stage) => stage.write({ body: 'sealed' }),
  dropped: (stage: Stage) => (stage.storeFields = () => ({})),
  changed: (stage: Stage) => (stage.storeFields = () => ({ body: 'mine, tidied' })),
} as const satisfies Readonly<Record<string, (stage: Stage) => unknown>>;

const savesInProgress = new WeakMap<Stage, () => Promise<void>>();

type Step = keyof typeof actions;
type State = 'clean' | 'dirty' | 'saving' | 'unconfirmed' | 'inConflict' | 'deleted';

/** A scenario: its steps with the state after each, the text on the service at the end, and the prompts. */
interface Scenario {
  readonly name: string;
  readonly steps: readonly (readonly [Step, State])[];
  readonly stored: string | undefined;
  /** The editor's text at the end, if relevant. */
  readonly shown?: string;
  readonly prompts?: readonly (readonly [string, string])[];
  readonly updates?: number;
}

const scenarios: readonly Scenario[] = [
  {
    name: 'stores an edit',
    steps: [
      ['edit', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    updates: 1,
  },
  {
    name: 'keeps text typed during a save as unsaved',
    steps: [
      ['edit', 'dirty'],
      ['saveBegins', 'saving'],
      ['editOn', 'saving'],
      ['saveEnds', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine and on',
    updates: 2,
  },
  {
    name: 'stores an edit that restores an earlier text',
    steps: [
      ['edit', 'dirty'],
      ['save', 'clean'],
      ['editBack', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'first',
    updates: 2,
  },
  {
    name: 'stays dirty when the service refuses the update',
    steps: [
      ['edit', 'dirty'],
      ['refuse', 'dirty'],
      ['saveFails', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    updates: 1,
  },
  {
    name: 'sends nothing over the text of another user until the user agrees',
    steps: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['saveFails', 'inConflict'],
      ['overwrite', 'inConflict'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    prompts: [['conflict', 'theirs']],
    updates: 1,
  },
  {
    name: 'limits the agreement to overwrite to one text',
    steps: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['theirsAgain', 'inConflict'],
      ['overwrite', 'inConflict'],
      ['saveFails', 'inConflict'],
    ],
    stored: 'theirs again',
    prompts: [
      ['conflict', 'theirs'],
      ['conflict', 'theirs again'],
    ],
    updates: 0,
  },
  {
    name: 'asks again for a new conflict after an overwrite',
    steps: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['overwrite', 'inConflict'],
      ['save', 'clean'],
      ['editOn', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
    ],
    stored: 'theirs',
    prompts: [
      ['conflict', 'theirs'],
      ['conflict', 'theirs'],
    ],
    updates: 1,
  },
  {
    name: 'bases new edits on the text of another user after Revert',
    steps: [
      ['edit', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
      ['revert', 'clean'],
      ['edit', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    prompts: [['conflict', 'theirs']],
    updates: 1,
  },
  {
    name: 'sends nothing if another user wrote the same text',
    steps: [
      ['edit', 'dirty'],
      ['theSame', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    updates: 0,
  },
  {
    name: 'stays unconfirmed after a lost update until all checks have run',
    steps: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
      ['recheck', 'clean'],
    ],
    stored: 'mine',
    updates: 1,
  },
  {
    name: 'confirms an update by reading when only the response is lost',
    steps: [
      ['edit', 'dirty'],
      ['loseAnswer', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    updates: 1,
  },
  {
    name: 'reports a lost save that is stored late over a newer one',
    steps: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['land', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
    ],
    stored: 'mine',
    prompts: [['late', 'mine and on']],
    updates: 1,
  },
  {
    name: 'reports no conflict if a lost save is stored before the next one',
    steps: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['land', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
    ],
    stored: 'mine and on',
    updates: 1,
  },
  {
    name: 'reports a conflict if another user writes while a save is unconfirmed',
    steps: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['theirs', 'unconfirmed'],
      ['saveFails', 'inConflict'],
    ],
    stored: 'theirs',
    prompts: [['conflict', 'theirs']],
    updates: 0,
  },
  {
    name: 'sends nothing in the next save if a stored text could not be read back',
    steps: [
      ['edit', 'dirty'],
      ['loseReadBack', 'dirty'],
      ['saveFails', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    updates: 1,
  },
  {
    name: 'reports no conflict with a save whose result could not be read back',
    steps: [
      ['edit', 'dirty'],
      ['loseReadBack', 'dirty'],
      ['saveFails', 'dirty'],
      ['editOn', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine and on',
    updates: 2,
  },
  {
    name: 'reports no conflict with a lost save that is stored after all checks',
    steps: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
      ['recheck', 'dirty'],
      ['land', 'dirty'],
      ['editOn', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine and on',
    updates: 1,
  },
  {
    name: 'does not report a late save that the next save replaces',
    steps: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['land', 'unconfirmed'],
      ['editBack', 'unconfirmed'],
      ['save', 'unconfirmed'],
    ],
    stored: 'first',
    prompts: [],
    updates: 2,
  },
  {
    name: 'does not report a text of another user as a late save',
    steps: [
      ['edit', 'dirty'],
      ['lose', 'dirty'],
      ['saveFails', 'unconfirmed'],
      ['editOn', 'unconfirmed'],
      ['save', 'unconfirmed'],
      ['theirs', 'unconfirmed'],
      ['minutes', 'unconfirmed'],
    ],
    stored: 'theirs',
    prompts: [],
    updates: 1,
  },
  {
    name: 'stores the edit when a deleted record is restored',
    steps: [
      ['edit', 'dirty'],
      ['delete', 'dirty'],
      ['saveFails', 'deleted'],
      ['restore', 'deleted'],
      ['read', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    updates: 1,
  },
  {
    name: 'sends nothing to a record that became read-only',
    steps: [
      ['edit', 'dirty'],
      ['seal', 'dirty'],
      ['saveFails', 'dirty'],
    ],
    stored: 'sealed',
    updates: 0,
  },
  {
    name: 'stays dirty when the service ignores the update',
    steps: [
      ['edit', 'dirty'],
      ['dropped', 'dirty'],
      ['saveFails', 'dirty'],
    ],
    stored: 'first',
    updates: 1,
  },
  {
    name: 'shows the stored text in the editor when the service changes it',
    steps: [
      ['edit', 'dirty'],
      ['changed', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine, tidied',
    shown: 'mine, tidied',
    prompts: [['differently', 'mine, tidied']],
    updates: 1,
  },
  {
    name: 'stores an edit after a restart of the window',
    steps: [
      ['edit', 'dirty'],
      ['restart', 'dirty'],
      ['save', 'clean'],
    ],
    stored: 'mine',
    updates: 1,
  },
  {
    name: 'detects a conflict after a restart of the window',
    steps: [
      ['edit', 'dirty'],
      ['restart', 'dirty'],
      ['theirs', 'dirty'],
      ['saveFails', 'inConflict'],
    ],
    stored: 'theirs',
    prompts: [['conflict', 'theirs']],
    updates: 0,
  },
];

describe('OpenRecord', () => {
  for (const { name, steps, stored, shown, prompts = [], updates } of scenarios) {
    it(name, async () => {
      const stage = new Stage();
      await stage.open();
      assert.equal(stage.state, 'clean');
      for (const [step, state] of steps) {
        await actions[step](stage);
        assert.equal(stage.state, state, `after ${step}`);
      }
      assert.equal(stage.storedRecord?.body, stored);
      assert.deepEqual(stage.shownPrompts, prompts);
      if (shown !== undefined) assert.equal(stage.editor('body').text, shown);
      if (updates !== undefined) assert.equal(stage.updates.length, updates);
      stage.record.dispose();
    });
  }

  it('opens all documents with one request', async () => {
    const stage = new Stage();
    await Promise.all([stage.open('body'), stage.record.readCached()]);
    await stage.open('style');
    assert.equal(await stage.record.getReadOnlyReason(), undefined);
    await stage.record.readCached();
    assert.deepEqual(stage.requests, ['read']);
    stage.write({ style: 'theirs' });
    await stage.open('style');
    assert.equal(stage.editor('style').text, 'theirs', 'a document that is opened again is read again');
    await stage.wait(5000);
    await stage.record.readCachedOnce('something else');
    assert.deepEqual(stage.requests, ['read', 'read', 'read']);
  });

  it('saves any number of documents with three requests', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.type('mine');
    stage.type('mine', 'style');
    stage.requests.length = 0;
    assert.deepEqual(await Promise.all([stage.save('body'), stage.save('style')]), [true, true]);
    assert.deepEqual(stage.requests, ['read', 'update', 'read']);
    assert.deepEqual(stage.updates, [{ body: 'mine', style: 'mine' }]);
    assert.deepEqual(stage.changed, [], 'the editors already show the stored text');
  });

  it('waits for a save that has begun, with a time limit', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.type('mine');
    stage.record.beginSave(getAddress('style'));
    const saving = stage.save('body');
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(stage.updates, []);
    await stage.wait(1000);
    assert.equal(await saving, true);
    assert.deepEqual(stage.updates, [{ body: 'mine' }]);
  });

  it('does not overlap saves', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.type('mine');
    await actions.saveBegins(stage);
    stage.type('mine', 'style');
    stage.requests.length = 0;
    const other = stage.save('style');
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(stage.requests, [], 'it waits');
    await actions.saveEnds(stage);
    assert.equal(await other, true);
    assert.deepEqual(stage.requests, ['update', 'read', 'read', 'update', 'read']);
  });

  it('reports changes by another user only to editors that show another text', async () => {
    const stage = new Stage();
    await stage.open('body');
    await stage.open('style');
    stage.write({ body: 'theirs' });
    await stage.record.readFresh();
    assert.deepEqual(stage.changed, [getAddress('body').uri.toString()]);
  });

  it('does not store a text that can not be parsed', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('unreadable');
    assert.match(String(await stage.save()), /can not be read/u);
    assert.deepEqual([stage.state, stage.updates.length], ['dirty', 0]);
  });
});

describe('OpenRecord with an uncertain write', () => {
  async function openUncertain(): Promise<Stage> {
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

  it('checks at least three times within a minute, then less often, and once more when the user returns', async () => {
    const stage = await openUncertain();
    await stage.wait(60_000);
    assert.ok(stage.requests.length >= 3, String(stage.requests.length));
    await stage.wait(60 * 60_000);
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length);
    assert.deepEqual(
      CHECK_DELAYS_MS,
      [...CHECK_DELAYS_MS].sort((one, other) => one - other),
    );
    await actions.recheck(stage);
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length + 1);
    await actions.recheck(stage);
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length + 1, 'there are no further checks');
  });

  it('checks when a document gains focus, and continues its schedule', async () => {
    const stage = await openUncertain();
    await actions.recheck(stage);
    assert.equal(stage.requests.length, 1);
    await stage.wait(60_000);
    assert.ok(stage.requests.length >= 3);
  });

  it('stays unconfirmed if the last check fails', async () => {
    const stage = await openUncertain();
    await stage.wait(60 * 60_000);
    stage.faults.push({ request: 'read', end: 'lost' });
    await actions.recheck(stage);
    assert.equal(stage.state, 'unconfirmed');
  });

  it('reports another document that the lost update has reset', async () => {
    const stage = await openUncertain();
    await stage.open('style');
    stage.type('newer', 'style');
    assert.equal(await stage.save('style'), true);
    stage.write({ body: 'mine', style: 'first' });
    await stage.wait(60_000);
    assert.deepEqual(stage.shownPrompts, [['late', 'newer']]);
  });

  it('reports a conflict with the text of another user, even if it equals the one before the lost update', async () => {
    const stage = await openUncertain();
    await stage.open('style');
    stage.write({ style: 'theirs' });
    await stage.reload('style');
    stage.type('mine', 'style');
    stage.write({ style: 'first' });
    assert.match(String(await stage.save('style')), /changed on the service/u);
  });
});
