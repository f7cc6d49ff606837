import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FaultKind, FaultRule } from '../../support/sandbox/index.ts';
import { unit } from '../../../src/service/sandbox/random.ts';
import { eventually } from '../../support/eventually.ts';
import { records } from './records.ts';
import type { Message } from './screen.ts';
import { Place, Tab } from './soakTab.ts';
import { openStage, question, type Stage } from './stage.ts';
import type { TestWindow } from './window.ts';

/** How long a request may hang, in ms. */
const timeoutMs = 1500;

const faults: readonly FaultKind[] = [
  { kind: 'lostAnswer' },
  { kind: 'lostAnswer' },
  { kind: 'resetBeforeRead' },
  { kind: 'resetAfterRead' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 401 },
  { kind: 'operationError' },
  { kind: 'html' },
  { kind: 'brokenJson' },
  { kind: 'cut' },
  { kind: 'empty' },
  { kind: 'rateLimited', retryAfter: 0 },
  { kind: 'slow', bytes: 64, intervalMs: 5 },
  { kind: 'hang' },
];

/** Waits for what a user would wait for. */

/** A random user of two windows and a website, and what may be expected of all of them. */
export class Soak {
  readonly #seed: number;
  readonly #stage: Stage;
  readonly #tabs: readonly Tab[];
  /** Questions on the screen, with their tab and the text they are about. */
  readonly #questions = new Map<Message, { readonly tab: Tab; readonly about: string }>();
  /** The steps so far, for debugging a failure. */
  readonly #log: string[] = [];
  #draws = 0;
  #texts = 0;

  private constructor(seed: number, stage: Stage, tabs: readonly Tab[]) {
    this.#seed = seed;
    this.#stage = stage;
    this.#tabs = tabs;
  }

  static async start(seed: number): Promise<Soak> {
    const stage = await openStage({ timeoutMs });
    const { website } = stage;
    const places: Place[] = [];
    for (const record of records) {
      const folder = await record.make(website, '<p>0</p>');
      const targets = [record.same, ...Object.values(record.apart)].filter(
        (target, index, all) => all.findIndex(({ file }) => file === target.file) === index,
      );
      for (const target of targets)
        places.push(new Place(record, target, { folder, name: `P${places.length}`, website }));
    }
    return new Soak(
      seed,
      stage,
      [stage.a, stage.b].flatMap((window) => places.map((place) => new Tab(window, place))),
    );
  }

  /** Runs the given number of steps, and checks the invariants after each. */
  async run(steps: number): Promise<void> {
    for (let step = 1; step <= steps; step += 1) {
      try {
        await this.#step();
        await eventually(() => this.#tabs.forEach((tab) => tab.check()));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(
          `Seed ${this.#seed}, step ${step}: ${why}\n${this.#log.slice(-25).join('\n')}\nNow there are: ${await this.#state()}`,
          { cause: error },
        );
      }
    }
  }

  /** What each tab and the service have, in words. */
  async #state() {
    const lines = this.#tabs.map(async (tab) => {
      const [unsaved, shown = 'not open'] = tab.shown();
      return `${tab.name}: ${unsaved ? 'unsaved ' : ''}${shown}; typed ${tab.typed}; the service has ${await tab.place.held()}`;
    });
    return (await Promise.all(lines)).join('\n');
  }

  end(): Promise<void> {
    return this.#stage.end();
  }

  async #step() {
    const actions: readonly [number, string, () => Promise<object | void>][] = [
      [30, 'type', () => this.#type(this.#pick(this.#tabs))],
      [18, 'save', () => this.#saving([this.#pick(this.#dirty())])],
      [14, 'save under a fault', () => this.#underFault()],
      [6, 'save all of a window', () => this.#saveWindow()],
      [6, 'save while others write', () => this.#whileOthersWrite()],
      [14, 'website', () => this.#website()],
      [12, 'answer', () => this.#answer()],
      [4, 'restart', () => this.#restart(this.#pick([this.#stage.a, this.#stage.b]))],
      [4, 'reload', () => this.#reload(this.#pick(this.#tabs))],
      [3, 'read', () => this.#read(this.#pick(this.#tabs))],
    ];
    const possible = actions.filter(([, name]) =>
      name.startsWith('save') ? this.#dirty().length > 0 : name !== 'answer' || this.#stage.screen.messages.length > 0,
    );
    let left = this.#draw() * possible.reduce((sum, [weight]) => sum + weight, 0);
    const [, , act] = possible.find(([weight]) => (left -= weight) < 0) ?? this.#pick(possible);
    await act();
  }

  async #type(tab: Tab) {
    const text = this.#text();
    await tab.type(text);
    this.#say(`types ${text} into ${tab.name}, seeing ${tab.lastRead}`);
  }

  async #website() {
    const { place, typed } = this.#pick(this.#tabs);
    // Now and then, two have the same idea.
    const text = typed !== undefined && this.#draw() < 0.1 ? typed : this.#text();
    await place.websiteWrites(text);
    this.#say(`the website writes ${text} into ${place.folder}/${place.file}`);
  }

  async #underFault() {
    const tab = this.#pick(this.#dirty());
    const { reads, updates } = tab.place.record;
    const operation = this.#pick([reads, updates, updates]);
    const fault = this.#pick(faults);
    const skip = operation === reads ? this.#pick([0, 1]) : 0;
    // One that is not retried away.
    const times = this.#pick([1, 4]);
    this.#say(`${operation} is to fail: ${JSON.stringify(fault)}, skip ${skip}, ${times} times`);
    await this.#saving([tab], { ...fault, operation, skip, times });
  }

  async #saveWindow() {
    const { window } = this.#pick(this.#dirty());
    await this.#saving(this.#dirty().filter((tab) => tab.window === window));
  }

  /** Saves documents of one window together, and checks each result. */
  async #saving(tabs: readonly Tab[], fault?: FaultRule) {
    const faulty = fault !== undefined;
    const before = new Map<Tab, string>();
    for (const tab of tabs) before.set(tab, await tab.place.held());
    if (faulty) this.#stage.sandbox.faults.add(fault);
    const mark = this.#stage.mark();
    const saved = await Promise.all(
      tabs.map(async (tab) => (await tab.document?.save()) ?? assert.fail(`${tab.name} is not open`)),
    );
    this.#stage.sandbox.faults.clear();
    for (const { place } of tabs)
      assert.ok(this.#updates(place, mark) <= 1, `${this.#updates(place, mark)} requests that write ${place.folder}`);
    for (const [index, tab] of tabs.entries())
      await this.#saved(tab, { before: before.get(tab) ?? '', isSaved: saved[index] === true, faulty });
    const isAnyKnown = (place: Place) =>
      tabs.some((tab) => tab.place.folder === place.folder && tab.typed === undefined);
    for (const { place } of tabs)
      if (!faulty && !isAnyKnown(place))
        assert.equal(this.#updates(place, mark), 0, 'a save that was refused sends nothing');
  }

  async #saved(
    tab: Tab,
    { before, isSaved, faulty }: { readonly before: string; readonly isSaved: boolean; readonly faulty: boolean },
  ) {
    const held = await tab.place.held();
    const { typed } = tab;
    assert.ok(typed !== undefined);
    this.#say(
      `saves ${typed} in ${tab.name}: ${isSaved}; ${before} -> ${held}; read ${tab.lastRead}, agreed ${tab.agreed}, sent ${[...tab.sent].join()}`,
    );
    assert.ok(held === before || held === typed, `${tab.name}: ${held} is not the earlier or the typed text`);
    if (held !== before)
      assert.ok(tab.isKnown(before), `${tab.name}: ${before} was overwritten, and its user never read it`);
    if (isSaved) {
      assert.equal(held, typed, `${tab.name} is not dirty`);
      await eventually(() => assert.equal(tab.shown()[0], false));
      tab.settled();
      return;
    }
    if (held === typed && held !== before) tab.sent.add(typed);
    if (faulty) this.#noteQuestions(tab, before);
    else {
      assert.ok(!tab.isKnown(before), `${tab.name}: no other user wrote, and it was not saved`);
      await this.#findQuestion(tab, before);
    }
  }

  /** A save that is held where the service is about to answer, while the website writes or its user types on. */
  async #whileOthersWrite() {
    const tab = this.#pick(this.#dirty());
    const { place, window } = tab;
    const before = await place.held();
    if (!tab.isKnown(before) || before === tab.typed) return;
    const typed = tab.typed ?? '';
    const [what, operation, point] = this.#pick([
      ['before', place.record.reads, 'request'],
      ['after', place.record.updates, 'answer'],
    ] as const);
    const hold = window.hold(operation, point);
    const mark = this.#stage.mark();
    const saving = tab.document?.save();
    await hold.reached;
    if (this.#draw() < 0.5) {
      const more = this.#text();
      await tab.type(more);
      hold.release();
      await saving;
      this.#say(`saves ${typed} and types ${more} meanwhile in ${tab.name}`);
      const held = await place.held();
      // An earlier read of the same window may have been delayed, so text typed until then was saved too.
      assert.ok(held === typed || (what === 'before' && held === more), `${tab.name}: ${held} is not the saved text`);
      assert.ok(this.#updates(place, mark) <= 1, 'more than one request that writes');
      tab.settled();
      if (held !== more) {
        tab.lastRead = typed;
        tab.typed = more;
      }
    } else {
      const theirs = this.#text();
      await place.websiteWrites(theirs);
      hold.release();
      const isSaved = await saving;
      this.#say(`saves ${typed} in ${tab.name}: ${isSaved}, while the website writes ${theirs} ${what}`);
      assert.equal(await place.held(), theirs);
      assert.ok(this.#updates(place, mark) <= 2, 'more than one request that writes, beside that of the website');
      assert.equal(isSaved, what === 'after', 'the save compares with the earlier text');
      if (isSaved !== true) await this.#findQuestion(tab, theirs);
      else {
        tab.settled();
        await eventually(() => assert.equal(tab.shown()[1], theirs, "the tab shows the service's text"));
      }
    }
  }

  /** Answers a message as one of its buttons does, or closes it. */
  async #answer() {
    const message = this.#pick(this.#stage.screen.messages);
    const asked = this.#questions.get(message);
    this.#questions.delete(message);
    // An old question about a tab that has no edits any more is closed.
    const button = asked?.tab.typed === undefined || this.#draw() < 0.15 ? undefined : this.#pick(message.buttons);
    if (asked === undefined || button === undefined) {
      message.answer();
      return;
    }
    const { tab, about } = asked;
    const held = await tab.place.held();
    this.#say(`answers ${button} about ${about} in ${tab.name}, where ${held} is`);
    if (button === 'Overwrite') await this.#overwrite(message, tab, about, held);
    else if (button === 'Revert') {
      message.answer(button);
      tab.typed = undefined;
      await eventually(() => assert.deepEqual(tab.shown(), [false, held], `${tab.name} shows what the service holds`));
      tab.settled();
      assert.equal(await tab.place.held(), held, 'reverting writes nothing');
    } else {
      const others = new Set(this.#stage.screen.messages);
      message.answer(button);
      await eventually(() => {
        const next = this.#stage.screen.messages.find((each) => !others.has(each));
        assert.ok(next, 'asks again after the comparison');
        this.#questions.set(next, asked);
      });
      assert.equal(await tab.place.held(), held, 'comparing writes nothing');
      const diffs = vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(({ input, isDirty }) => !isDirty && input instanceof vscode.TabInputTextDiff);
      await vscode.window.tabGroups.close(diffs);
    }
  }

  async #overwrite(message: Message, tab: Tab, about: string, held: string) {
    const { typed } = tab;
    tab.agreed = about;
    const mark = this.#stage.mark();
    const isKnown = tab.isKnown(held);
    message.answer('Overwrite');
    if (isKnown) await eventually(() => assert.equal(tab.shown()[0], false, `${tab.name} is stored`));
    else await this.#findQuestion(tab, held);
    // The end of a save that was refused comes a moment after its question.
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await tab.place.held(), isKnown ? typed : held);
    assert.equal(this.#updates(tab.place, mark), isKnown && held !== typed ? 1 : 0);
    if (isKnown) tab.settled();
  }

  async #restart(window: TestWindow) {
    // A window takes its messages with it.
    for (const message of this.#stage.screen.messages.filter(({ text }) => text.includes(window.connection.name))) {
      this.#questions.delete(message);
      message.answer();
    }
    window.restart();
    this.#say(`${window.scheme} restarts`);
    for (const tab of this.#tabs.filter((each) => each.window === window)) {
      tab.agreed = undefined;
      tab.sent.clear();
    }
    await vscode.workspace.fs.stat(window.uri('/'));
  }

  async #reload(tab: Tab) {
    this.#say(`closes ${tab.name}`);
    await tab.close();
  }

  /** Reads like a search, which must not change the version that edits are based on. */
  async #read(tab: Tab) {
    this.#say(`something reads ${tab.name}`);
    assert.equal(
      tab.place.target.find(new TextDecoder().decode(await vscode.workspace.fs.readFile(tab.uri))),
      await tab.place.held(),
    );
  }

  /** Notes which of the messages on the screen are new questions about a tab. */
  #noteQuestions(tab: Tab, about: string) {
    for (const message of this.#stage.screen.messages)
      if (
        !this.#questions.has(message) &&
        question(tab.window).test(message.text) &&
        message.text.includes(`"${tab.place.file}"`)
      )
        this.#questions.set(message, { tab, about });
  }

  /** Waits for the question about a text. */
  async #findQuestion(tab: Tab, about: string) {
    await eventually(() => {
      this.#noteQuestions(tab, about);
      const isAsked = [...this.#questions.values()].some((asked) => asked.tab === tab && asked.about === about);
      assert.ok(isAsked, `${tab.name}: no conflict with ${about} was reported`);
    });
  }

  #updates({ record }: Place, mark: number) {
    return this.#stage.received(record.updates, mark);
  }

  #dirty() {
    return this.#tabs.filter(({ typed }) => typed !== undefined);
  }

  #say(line: string) {
    this.#log.push(line);
  }

  /** No two are the same; a third of them are of one length. */
  #text() {
    this.#texts += 1;
    const padding = 'x'.repeat(this.#draw() < 0.33 ? 4 : Math.floor(this.#draw() * 40));
    return `<p>${String(this.#texts).padStart(5, '0')}${padding}</p>`;
  }

  #draw() {
    this.#draws += 1;
    return unit(this.#seed, this.#draws);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#draw() * items.length)];
    assert.ok(item !== undefined, 'nothing to choose from');
    return item;
  }
}

/** A run of random steps from a seed, as one test. */
export function describeSoak(steps: number, seed: number): void {
  describe(`two windows and a website, ${steps} random steps from the seed ${seed}`, () => {
    it('lose no edit and write nothing twice', async function () {
      this.timeout(540_000);
      const soak = await Soak.start(seed);
      try {
        await soak.run(steps);
      } finally {
        await soak.end();
      }
    });
  });
}
