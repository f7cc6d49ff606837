import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import * as vscode from 'vscode';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { openRewritingProxy, type RewritingProxy, type Rewrites } from '../../support/rewritingProxy.ts';
import { allTexts } from '../../support/hostile/index.ts';
import { hostileLists, hostileService } from '../../support/hostile/service.ts';
import { connectService, type TestService } from '../service.ts';

const testList = 8;

/** Gives each subscriber a name that is a formula if a spreadsheet splits the line at semicolons. */
function addFormulaNames(answer: object): object {
  if (!Array.isArray(answer)) return answer;
  return answer.map((part: object) =>
    Array.isArray(part) ? addFormulaNames(part) : { ...Object(part), name: 'Bob;=1+1' },
  );
}

describe('export of subscribers', () => {
  let service: TestService;
  let front: RewritingProxy | undefined;
  let folder: string;
  const path = () => join(folder, 'people.csv');
  const exportTo = (given: object = {}) =>
    vscode.commands.executeCommand('mailing.list.exportSubscribers', {
      connection: service.connection,
      id: testList,
      status: 'subscribed',
      uri: vscode.Uri.file(path()),
      ...given,
    });
  const read = () => readFileSync(path(), 'utf8').slice(1).trimEnd().split('\r\n');

  /** Exports with answers to the file dialog and the Quick Pick. Returns the offered items. */
  async function exportWithChoice(label: RegExp) {
    const { showQuickPick, showSaveDialog } = vscode.window;
    let offered: readonly vscode.QuickPickItem[] = [];
    const pick = async (items: readonly vscode.QuickPickItem[]) => {
      offered = items;
      return items.find((item) => label.test(item.label));
    };
    const replace = (name: 'showQuickPick' | 'showSaveDialog', value: object) =>
      Object.defineProperty(vscode.window, name, { configurable: true, writable: true, value });
    replace('showQuickPick', pick);
    replace('showSaveDialog', async () => vscode.Uri.file(path()));
    try {
      await exportTo({ uri: undefined });
    } finally {
      replace('showQuickPick', showQuickPick);
      replace('showSaveDialog', showSaveDialog);
    }
    return offered;
  }

  /** Connects to a service with rewritten responses. */
  async function connect(rewrites: Rewrites) {
    service = await connectService({}, async ({ baseUrl }) => {
      front = await openRewritingProxy(baseUrl, rewrites);
      return front.baseUrl;
    });
  }
  async function disconnect() {
    await service.end();
    await front?.close();
  }

  beforeEach(async () => {
    await connect({ getSubscribersFromLists: addFormulaNames });
    folder = makeScratch();
  });
  afterEach(async () => {
    await disconnect();
    removeScratch(folder);
  });

  it('contains no formulas, even for spreadsheets that separate by semicolons', async () => {
    await exportTo();
    const [, ...people] = read();
    assert.equal(people.length, 3);
    for (const person of people) {
      assert.match(person, /Bob;'=1\+1/u);
      assert.deepEqual(
        person.split(/[,;\t]/u).filter((cell) => /^"*[=+@-]/u.test(cell)),
        [],
      );
    }
  });

  it('contains no formulas with hostile subscriber data', async () => {
    await disconnect();
    await connect(hostileService);
    await exportTo({ id: Number(hostileLists[0]?.['id']) });
    const { data } = Papa.parse<string[]>(readFileSync(path(), 'utf8').slice(1), {
      newline: '\r\n',
      skipEmptyLines: true,
    });
    assert.equal(data.length, 1 + allTexts.length);
    for (const cell of data.flat()) assert.doesNotMatch(cell, /^[\s\p{Cf}\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u);
  });

  it('uses the given separator, the chosen one, or that of the display language', async () => {
    const header = () => /^email(?<separator>[,;\t])name/u.exec(read()[0] ?? '')?.groups?.['separator'] ?? read()[0];
    for (const separator of [',', ';', '\t']) {
      await exportTo({ separator });
      assert.equal(header(), separator);
    }
    await exportTo();
    assert.equal(header(), ',');
    const offered = await exportWithChoice(/^\$\(table\) CSV file…$/u);
    assert.equal(header(), ',');
    assert.deepEqual([offered[0]?.label, offered[0]?.description], ['$(table) CSV file…', 'separated by commas']);
    await exportWithChoice(/CSV file with semicolons…/u);
    assert.equal(header(), ';');
    await exportWithChoice(/CSV file with tabs…/u);
    assert.equal(header(), '\t');
  });

  it('is readable only by its owner, and keeps the mode of a replaced file', async function () {
    if (process.platform === 'win32') this.skip();
    const mode = () => statSync(path()).mode & 0o777;
    await exportTo();
    assert.equal(mode(), 0o600);
    for (const before of [0o600, 0o644]) {
      writeFileSync(path(), 'old');
      chmodSync(path(), before);
      await exportTo();
      assert.ok(read().length > 1);
      assert.equal(mode(), before);
    }
  });
});
