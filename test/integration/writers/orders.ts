import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isUnsaved } from '../../../src/platform/documents/unsaved.ts';
import { eventually } from '../../support/eventually.ts';
import { orders, selectOrders, type Placement, type Step, type WindowName } from '../../support/orders.ts';
import { type } from '../service.ts';
import { idOf, records, type Target, type Written } from './records.ts';
import type { Message } from './screen.ts';
import { question, useStage } from './stage.ts';
import type { TestWindow } from './window.ts';

const first = '<p>00000</p>';
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
  readonly target: Target;
  readonly id: number;
  readonly window: TestWindow;
  readonly document: vscode.TextDocument;
  readonly value: string;
  /** The service's text when the conflict was reported, and the number of writes before. */
  readonly base: { readonly text: string; readonly writes: number };
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
  ): Promise<void> {
    const { website, screen } = stage();
    const folder = await record.make(website, first);
    const id = idOf(folder);
    const documents = {
      a: await stage().a.open(`${folder}/${targets.a.file}`),
      b: await stage().b.open(`${folder}/${targets.b.file}`),
    };

    /** The model of the service: the last writer of each value. */
    const held = new Map<Target, string>();
    const changedSince = { a: false, b: false };
    /** The conflicts reported so far, by window. */
    const conflicts = new Map<WindowName, ReportedConflict['base']>();
    const writes = new Map<string, number>();
    const writesOf = ({ file }: Target): number => writes.get(file) ?? 0;

    const touch = (target: Target, by: WindowName | 'website'): void => {
      held.set(target, values[by]);
      writes.set(target.file, writesOf(target) + 1);
      for (const name of ['a', 'b'] as const)
        if (name !== by && targets[name].file === target.file) changedSince[name] = true;
    };
    for (const step of order) {
      if (step === 'website edits') {
        await targets.website.write(website, id, values.website);
        touch(targets.website, 'website');
        continue;
      }
      const [name, does] = step.split(' ') as [WindowName, 'edits' | 'saves'];
      const document = documents[name];
      if (does === 'edits') {
        await type(document, targets[name].edit(document.getText(), values[name]));
        continue;
      }
      const mark = stage().mark();
      const stored = !changedSince[name];
      assert.equal(await document.save(), stored, `${name} ${stored ? 'is stored' : 'reports a conflict'}`);
      assert.equal(stage().received(record.updates, mark), stored ? 1 : 0, 'requests that write');
      await eventually(() => assert.equal(isUnsaved(document), !stored));
      assert.equal(targets[name].find(document.getText()), values[name]);
      if (stored) touch(targets[name], name);
      else conflicts.set(name, { text: await targets[name].read(website, id), writes: writesOf(targets[name]) });
    }
    for (const name of ['a', 'b'] as const) {
      const isHeld = (await targets[name].read(website, id)) === values[name];
      // The website writes over whatever is there: that was its user's doing.
      const replaced = !conflicts.has(name) && held.get(targets[name]) !== values[name];
      assert.ok(
        isHeld ||
          replaced ||
          (isUnsaved(documents[name]) && targets[name].find(documents[name].getText()) === values[name]),
        `the text of ${name}`,
      );
      if (conflicts.has(name))
        assert.deepEqual((await screen.find(question(stage()[name]))).buttons, ['Compare', 'Overwrite', 'Revert']);
    }
    assert.equal(screen.messages.length, conflicts.size, screen.messages.map(({ text }) => text).join('\n'));
    const [window, other] = conflicts.keys();
    const reportedConflict = (name: WindowName): ReportedConflict => {
      const about = conflicts.get(name);
      assert.ok(about);
      return {
        target: targets[name],
        id,
        window: stage()[name],
        document: documents[name],
        value: values[name],
        base: about,
        isStale: about.writes !== writesOf(targets[name]),
      };
    };
    if (window !== undefined) await resolve({ ...reportedConflict(window), record, choice });
    if (other !== undefined) await askedAgain(reportedConflict(other));
  }

  /** Takes a choice after a conflict. */
  async function resolve({
    record,
    choice,
    ...conflict
  }: ReportedConflict & { readonly record: Written; readonly choice: (typeof choices)[number] }): Promise<void> {
    const { website, screen } = stage();
    const { target, id, window, document, value, base, isStale } = conflict;
    const theirs = await target.read(website, id);
    const overwrite = async (): Promise<void> => {
      // The confirmation covers only the text that it showed.
      if (!isStale) (await screen.find(question(window))).answer('Overwrite');
      else (await askedAgain(conflict)).answer('Overwrite');
      await eventually(async () => assert.equal(await target.read(website, id), value));
      await eventually(() => assert.equal(isUnsaved(document), false));
    };
    const mark = stage().mark();
    if (choice !== 'Overwrite') (await screen.find(question(window))).answer(choice);
    if (choice === 'Overwrite') {
      await overwrite();
      assert.equal(stage().received(record.updates, mark), 1);
    } else if (choice === 'Revert') {
      await eventually(() => assert.deepEqual([isUnsaved(document), target.find(document.getText())], [false, theirs]));
      assert.equal(stage().received(record.updates, mark), 0);
    } else {
      const next = await screen.find(question(window));
      assert.deepEqual(next.buttons, ['Overwrite', 'Revert']);
      assert.equal(await target.read(website, id), theirs, 'comparing writes nothing');
      assert.deepEqual(
        [isUnsaved(document), target.find(document.getText())],
        [true, value],
        'comparing changes nothing',
      );
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof vscode.TabInputTextDiff, 'both texts are shown');
      assert.equal(input.modified.toString(), document.uri.toString());
      assert.equal(target.find((await vscode.workspace.openTextDocument(input.original)).getText()), base.text);
      await overwrite();
    }
    // Whatever was chosen, the next edit is stored without a question.
    await type(document, target.edit(document.getText(), `${value} and on`));
    assert.equal(await document.save(), true, 'the next save');
    assert.equal(await target.read(website, id), `${value} and on`);
    assert.deepEqual(
      screen.messages.filter(({ text }) => question(window).test(text)),
      [],
    );
  }

  /** Overwriting was agreed to for a text that is no longer there. */
  async function askedAgain({ target, id, window, document, value }: ReportedConflict): Promise<Message> {
    const theirs = await target.read(stage().website, id);
    const asked = await stage().screen.find(question(window));
    asked.answer('Overwrite');
    const again = await stage().screen.find(question(window));
    assert.notEqual(again, asked);
    assert.deepEqual(
      [isUnsaved(document), target.find(document.getText()), await target.read(stage().website, id)],
      [true, value, theirs],
    );
    return again;
  }
}
