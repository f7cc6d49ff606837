import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { offerOnUse } from '../../../src/features/sourceControl/index.ts';
import { MAPPING_OFFERED_KEY } from '../../../src/features/sourceControl/model.ts';
import { createMappingOffer } from '../../../src/features/sourceControl/mappingOffer.ts';
import { CommandActivity } from '../../../src/ui/commands.ts';
import { eventually } from '../../support/eventually.ts';
import { answering, type Answer } from '../answers.ts';
import { closeEditors } from '../service.ts';
import { withReplaced } from '../statistics/host.ts';
import { folder, formatMessages, picking } from './fixtures.ts';
import { memoryMemento } from '../../support/memento.ts';

const text = (tool: string) =>
  `This workspace builds emails with ${tool}. Map them to templates on a service to compare, push and pull them?`;

/** A project of each supported tool. */
const projects = [
  ['MJML', { 'mails/deep/welcome.mjml': '<mjml></mjml>' }],
  ['Maizzle', { 'maizzle.config.js': 'export default {};', 'emails/welcome.html': '<p>there</p>' }],
  [
    'React Email',
    { 'package.json': JSON.stringify({ devDependencies: { 'react-email': '4.0.0' } }), 'emails/welcome.tsx': '' },
  ],
  ['React Email', { 'package.json': JSON.stringify({ dependencies: { '@react-email/components': '1.0.0' } }) }],
] as const;

describe('mapping offer', () => {
  let activity: CommandActivity;
  let state: vscode.Memento;
  let offers: vscode.Disposable | undefined;
  let searches: string[];
  /** Called before each search. */
  let searching: () => void;
  const { findFiles } = vscode.workspace;

  /** Opens a window in which the extension wasn't used yet. */
  const openWindow = () => {
    offers?.dispose();
    activity = new CommandActivity();
    const log = {
      warn: (...failure: (string | Error)[]) => assert.fail(failure.join(' ')),
    } as unknown as vscode.LogOutputChannel;
    offers = offerOnUse({ log, activity }, state);
  };
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) folder.write(name, content);
  };
  /** Shows the offer and returns its messages. */
  const showOffer = async (answer?: Answer, offer = createMappingOffer(activity, state)) =>
    (await answering(answer, () => offer())).shown;
  /** Starts a command and returns a function that ends it. */
  const begin = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const command = activity.run(() => promise);
    return () => {
      resolve();
      return command;
    };
  };

  before(async () => {
    // The extension of this window searches on its first use. Trigger that while there is nothing to find.
    await folder.clear();
    assert.deepEqual(await showOffer(undefined, createMappingOffer(new CommandActivity(), memoryMemento())), []);
  });
  beforeEach(() => {
    searches = [];
    searching = () => undefined;
    state = memoryMemento();
    openWindow();
    const search = (...[include, exclude, most]: Parameters<typeof findFiles>) => {
      const pattern = typeof include === 'string' ? include : include.pattern;
      // The extension of this window looks for mapped folders when a mapping is created.
      if (pattern !== 'mailing.json') {
        searches.push([pattern, exclude, most].join(' '));
        searching();
      }
      return findFiles(include, exclude, most);
    };
    Object.defineProperty(vscode.workspace, 'findFiles', { configurable: true, writable: true, value: search });
  });
  afterEach(async () => {
    Object.defineProperty(vscode.workspace, 'findFiles', { configurable: true, writable: true, value: findFiles });
    offers?.dispose();
    await folder.clear();
  });

  for (const [tool, files] of projects) {
    it(`is shown for a ${tool} project with ${Object.keys(files).join(' and ')}`, async () => {
      write(files);
      assert.deepEqual(await showOffer(), [
        { text: text(tool), detail: undefined, modal: false, buttons: ['Map to Templates…', "Don't Ask Again"] },
      ]);
      assert.deepEqual(
        searches.filter((search) => !search.endsWith(' **/node_modules/** 1')),
        [],
      );
    });
  }

  it('is not shown for other projects or packages', async () => {
    write({
      'package.json': JSON.stringify({ dependencies: { 'react-emails': '1.0.0' } }),
      'node_modules/mjml/test/a.mjml': '<mjml></mjml>',
      'emails/a.html': '<p>there</p>',
    });
    assert.deepEqual(await showOffer(), []);
    assert.equal(searches.length, 3);
    folder.write('package.json', '{ half');
    assert.deepEqual(await showOffer(), []);
    assert.deepEqual(state.keys(), []);
  });

  for (const [what, act] of [
    ['the tree is visible', () => activity.fireIfIdle()],
    ['a command has ended', () => begin()()],
  ] as const) {
    it(`is shown once ${what}, without an earlier search`, async () => {
      write(projects[0][1]);
      const { shown } = await answering(undefined, async (messages) => {
        const end = begin();
        // A prompt of the command may be open.
        activity.fireIfIdle();
        // Wait as long as another window needs for its offer.
        await createMappingOffer(new CommandActivity(), memoryMemento())();
        assert.deepEqual([searches.length, messages.length], [1, 1], 'Only the other window searched.');
        await end();
        await eventually(() => assert.equal(messages.length, 2));
      });
      assert.equal(shown.length, 2);
      state = memoryMemento();
      openWindow();
      const again = await answering(undefined, async (messages) => {
        await act();
        await eventually(() => assert.equal(messages.length, 1));
      });
      assert.equal(formatMessages(again.shown), text('MJML'));
    });
  }

  it('waits for a command that started during the search, and does not search again', async () => {
    write(projects[0][1]);
    offers?.dispose();
    const offer = createMappingOffer(activity, state);
    let end: (() => Promise<void>) | undefined;
    searching = () => {
      end ??= begin();
    };
    assert.deepEqual(await showOffer(undefined, offer), []);
    await end?.();
    assert.equal(formatMessages(await showOffer(undefined, offer)), text('MJML'));
    assert.equal(searches.length, 1);
  });

  for (const answer of [undefined, "Don't Ask Again"]) {
    it(`is shown once per workspace if it is ${answer === undefined ? 'closed' : 'refused'}`, async () => {
      write(projects[0][1]);
      assert.equal((await showOffer(answer)).length, 1);
      assert.equal(state.get(MAPPING_OFFERED_KEY), 'mjml');
      assert.deepEqual(await showOffer(), []);
      const count = searches.length;
      openWindow();
      activity.fireIfIdle();
      await begin()();
      assert.equal(searches.length, count, 'There is no search.');
    });
  }

  it('is not shown if a mapping exists or is created during the search', async () => {
    write({ ...projects[0][1], 'mailing.json': '{ "templates": [] }' });
    assert.deepEqual([await showOffer(), searches, state.keys()], [[], [], []]);
    await folder.clear();
    write(projects[0][1]);
    searching = () => folder.write('mailing.json', '{ "templates": [] }');
    assert.deepEqual([await showOffer(), searches, state.keys()], [[], ['**/*.mjml **/node_modules/** 1'], []]);
  });

  it('is shown only after the workspace is trusted', async () => {
    write(projects[0][1]);
    const trusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    assert.ok(trusted);
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, value: false });
    activity.fireIfIdle();
    await begin()();
    Object.defineProperty(vscode.workspace, 'isTrusted', trusted);
    assert.deepEqual([searches, state.keys()], [[], []]);
    const { shown } = await answering(undefined, async (messages) => {
      activity.fireIfIdle();
      await eventually(() => assert.equal(messages.length, 1));
    });
    assert.equal(formatMessages(shown), text('MJML'));
  });

  it('maps the only email and prompts if there are several', async () => {
    const mapped: string[] = [];
    let offered: readonly string[] = [];
    const pick = (items: readonly vscode.QuickPickItem[]) => {
      offered = items.map(({ label }) => label);
      return items.at(-1);
    };
    const { executeCommand } = vscode.commands;
    const execute = async (id: string, ...rest: object[]) =>
      id === 'mailing.folders.mapFile' ? void mapped.push(String(rest[0])) : executeCommand(id, ...rest);
    const map = () =>
      withReplaced(vscode.commands, 'executeCommand', execute as typeof executeCommand, () =>
        picking(pick, () => showOffer('Map to Templates…')),
      );
    write({
      ...projects[1][1],
      'dist/emails/welcome.html': '<p>built</p>',
      'emails/layouts/main.html': '<p>part</p>',
    });
    await map();
    assert.deepEqual([mapped, offered], [[folder.uri('emails/welcome.html').toString()], []]);
    write({ 'emails/b.html': '', 'emails/c.html': '', 'emails/zebra.html': '' });
    await vscode.window.showTextDocument(folder.uri('emails/c.html'));
    state = memoryMemento();
    await map();
    assert.equal(mapped[1], folder.uri('emails/zebra.html').toString());
    assert.deepEqual(
      offered,
      ['c', 'b', 'welcome', 'zebra'].map((name) => `emails/${name}.html`),
    );
    await closeEditors();
  });
});
