import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../support/eventually.ts';
import { orders, selectOrders, type Placement, type Step, type WindowName } from '../../support/orders.ts';
import { records, type Target, type Written } from './records.ts';
import { openValue, question, useStage, type Opened } from './stage.ts';
import type { TestWindow } from './window.ts';

const lengths = {
  equal: { a: '<p>aaaaa</p>', b: '<p>bbbbb</p>', website: '<p>wwwww</p>' },
  different: { a: '<p>aa</p>', b: '<p>bbbbbbbb</p>', website: '<p>wwwwwwwwwwww</p>' },
} as const;

type Targets = Readonly<Record<WindowName | 'website', Target>>;
const together = ({ same }: Written): Targets => ({ a: same, b: same, website: same });

/** Who writes where, with texts of which length. */
const placements = {
  equal: { name: 'one text, equal lengths', targetsOf: together, values: lengths.equal },
  different: { name: 'one text, different lengths', targetsOf: together, values: lengths.different },
  apart: {
    name: 'texts of their own, different lengths',
    targetsOf: ({ apart }: Written): Targets => apart,
    values: lengths.different,
  },
} as const satisfies Readonly<Record<Placement, object>>;

/** A document with a reported conflict. */
interface ReportedConflict {
  readonly opened: Opened;
  readonly window: TestWindow;
  readonly value: string;
  /** The service's text when the conflict was reported. */
  readonly reported: string;
  /** Whether the document was written again since. */
  readonly isStale: boolean;
}

/** The user's choices in a conflict. */
const choices = ['Overwrite', 'Revert', 'Compare'] as const;

/** The orders of writing one record, each a test. */
export function describeOrders(run: 'tests' | 'soak'): void {
  const stage = useStage();

  for (const record of records) {
    for (const placement of ['equal', 'different', 'apart'] as const) {
      const { name, targetsOf, values } = placements[placement];
      describe(`a ${record.noun}: ${name}`, () => {
        for (const index of selectOrders(run, record.noun, placement)) {
          const order = orders[index] ?? [];
          const choice = choices[index % choices.length] ?? 'Compare';
          it(`${order.join(', ')}; ${choice}`, () => play(record, targetsOf(record), values, order, choice));
        }
      });
    }
  }

  async function play(
    record: Written,
    targets: Targets,
    values: Readonly<Record<keyof Targets, string>>,
    order: readonly Step[],
    choice: (typeof choices)[number],
  ) {
    const { a, b, website, screen } = stage();
    const first = await openValue(stage(), record, { target: targets.a });
    const { id, folder } = first;
    const documents = { a: first, b: await openValue(stage(), record, { target: targets.b, window: b, folder }) };

    /** The model of the service: the last writer of each value. */
    const held = new Map<Target, string>();
    const changedSince = { a: false, b: false };
    /** The conflicts reported so far, by window: the service's text, and the number of writes before. */
    const conflicts = new Map<WindowName, { readonly text: string; readonly writes: number }>();
    const writes = new Map<string, number>();
    const writesOf = ({ file }: Target) => writes.get(file) ?? 0;

    const touch = (by: WindowName | 'website') => {
      const target = targets[by];
      held.set(target, values[by]);
      writes.set(target.file, writesOf(target) + 1);
      for (const name of ['a', 'b'] as const)
        if (name !== by && targets[name].file === target.file) changedSince[name] = true;
    };
    for (const step of order) {
      if (step === 'website edits') {
        await targets.website.write(website, id, values.website);
        touch('website');
        continue;
      }
      const [name, does] = step.split(' ') as [WindowName, 'edits' | 'saves'];
      const opened = documents[name];
      if (does === 'edits') {
        await opened.type(values[name]);
        continue;
      }
      const mark = stage().mark();
      const stored = !changedSince[name];
      assert.equal(await opened.document.save(), stored, `${name} ${stored ? 'is stored' : 'reports a conflict'}`);
      assert.equal(stage().received(record.updates, mark), stored ? 1 : 0, 'requests that write');
      await eventually(() => assert.deepEqual(opened.shown(), [!stored, values[name]]));
      if (stored) touch(name);
      else conflicts.set(name, { text: await opened.held(), writes: writesOf(targets[name]) });
    }
    for (const name of ['a', 'b'] as const) {
      // The website writes over whatever is there: that was its user's doing.
      const replaced = !conflicts.has(name) && held.get(targets[name]) !== values[name];
      const isHeld = (await documents[name].held()) === values[name];
      if (!isHeld && !replaced) assert.deepEqual(documents[name].shown(), [true, values[name]], `the text of ${name}`);
      if (conflicts.has(name))
        assert.deepEqual((await screen.find(question(stage()[name]))).buttons, ['Compare', 'Overwrite', 'Revert']);
    }
    assert.equal(screen.messages.length, conflicts.size, screen.messages.map(({ text }) => text).join('\n'));
    const [one, other] = [...conflicts].map(([name, about]): ReportedConflict => ({
      opened: documents[name],
      window: name === 'a' ? a : b,
      value: values[name],
      reported: about.text,
      isStale: about.writes !== writesOf(targets[name]),
    }));
    if (one !== undefined) await resolve(one, record, choice);
    if (other !== undefined) await askedAgain(other);
  }

  /** Takes a choice after a conflict. */
  async function resolve(conflict: ReportedConflict, record: Written, choice: (typeof choices)[number]) {
    const { screen } = stage();
    const { opened, window, value, reported, isStale } = conflict;
    const theirs = await opened.held();
    const overwrite = async () => {
      // The confirmation covers only the text that it showed.
      (isStale ? await askedAgain(conflict) : await screen.find(question(window))).answer('Overwrite');
      await eventually(async () => assert.equal(await opened.held(), value));
      await eventually(() => assert.equal(opened.shown()[0], false));
    };
    const mark = stage().mark();
    if (choice !== 'Overwrite') (await screen.find(question(window))).answer(choice);
    if (choice === 'Overwrite') {
      await overwrite();
      assert.equal(stage().received(record.updates, mark), 1);
    } else if (choice === 'Revert') {
      await eventually(() => assert.deepEqual(opened.shown(), [false, theirs]));
      assert.equal(stage().received(record.updates, mark), 0);
    } else {
      const next = await screen.find(question(window));
      assert.deepEqual(next.buttons, ['Overwrite', 'Revert']);
      assert.equal(await opened.held(), theirs, 'comparing writes nothing');
      assert.deepEqual(opened.shown(), [true, value], 'comparing changes nothing');
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof vscode.TabInputTextDiff, 'both texts are shown');
      assert.equal(input.modified.toString(), opened.document.uri.toString());
      const { find } = opened.target;
      assert.equal(find((await vscode.workspace.openTextDocument(input.original)).getText()), reported);
      await overwrite();
    }
    // Whatever was chosen, the next edit is stored without a question.
    await opened.type(`${value} and on`);
    assert.equal(await opened.document.save(), true, 'the next save');
    assert.equal(await opened.held(), `${value} and on`);
    for (const { text } of screen.messages) assert.doesNotMatch(text, question(window));
  }

  /** Overwriting was agreed to for a text that is no longer there. */
  async function askedAgain({ opened, window, value }: ReportedConflict) {
    const theirs = await opened.held();
    const asked = await stage().screen.find(question(window));
    asked.answer('Overwrite');
    const again = await stage().screen.find(question(window));
    assert.notEqual(again, asked);
    assert.deepEqual([...opened.shown(), await opened.held()], [true, value, theirs]);
    return again;
  }
}
