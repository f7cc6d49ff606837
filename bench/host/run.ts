import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Pool } from 'undici';
import * as vscode from 'vscode';
import { eventually } from '../../test/support/eventually.ts';
import { connectService, extensionId, type, type TestService } from '../../test/integration/service.ts';

/*
 * Measures activation, as VS Code reports it, and saving, compared with the bare requests of a save, in VS Code's extension host.
 * Times are in ms.
 */

/** Results of one run in the extension host. */
export interface HostMeasures {
  /** Loading the bundle, and calling `activate`. */
  readonly load: number;
  readonly activate: number;
  /** Each Ctrl+S on the service's document, and on a local file of the same size. */
  readonly saves: number[];
  readonly localSaves: number[];
  /** Each write through the file system alone, without an editor, and its bare requests: read, update, read. */
  readonly writes: number[];
  readonly bare: number[];
}

const repetitions = 25;
const bodySize = 177 * 1024;

/** Entry for VS Code's `extensionTestsPath`. */
export async function run(): Promise<void> {
  const activation = await measureActivation();
  const saving = await measureSaving();
  const result = process.env['MAILING_STUDIO_TEST_RESULT'];
  if (result === undefined) throw new Error('MAILING_STUDIO_TEST_RESULT names no file for the result.');
  writeFileSync(result, JSON.stringify({ ...activation, ...saving } satisfies HostMeasures));
}

/** Reads the row of this extension in VS Code's "Startup Performance": eager, load code, call activate, finish activate. */
async function measureActivation(): Promise<Pick<HostMeasures, 'load' | 'activate'>> {
  await vscode.extensions.getExtension(extensionId)?.activate();
  await vscode.commands.executeCommand('perfview.show');
  // The editor gets the report some time after it opens.
  const row = await eventually(() => {
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    const found = text.split('\n').find((line) => line.includes(extensionId));
    assert.ok(found, `No activation times in VS Code's own report:\n${text.slice(0, 2000)}`);
    return found.split('|').map((cell) => cell.trim());
  });
  const [load, activate] = [Number(row[3]), Number(row[4])];
  return { load, activate };
}

async function measureSaving(): Promise<Omit<HostMeasures, 'load' | 'activate'>> {
  const service = await connectService();
  const pool = new Pool(service.sandbox.baseUrl, { connections: 1 });
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('The window has no folder.');
  try {
    const { templateId } = await service.other.createTemplate({ name: 'Large', body: bodyOf(0) });
    const { templateId: unopened } = await service.other.createTemplate({ name: 'Unopened', body: bodyOf(0) });
    const file = vscode.Uri.joinPath(folder.uri, 'large.html');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(bodyOf(0)));
    const [remote, local, written] = [
      service.uri(`/templates/${templateId}/Large.html`),
      file,
      service.uri(`/templates/${unopened}/Unopened.html`),
    ];
    const measures: Omit<HostMeasures, 'load' | 'activate'> = { saves: [], localSaves: [], writes: [], bare: [] };
    // Writes are based on what was read. The bare requests store the same text again.
    await vscode.workspace.fs.readFile(written);
    for (let round = 1; round <= repetitions; round += 1) {
      measures.localSaves.push(await save(local, bodyOf(round)));
      measures.saves.push(await save(remote, bodyOf(round)));
      measures.writes.push(
        await timed(() =>
          Promise.resolve(vscode.workspace.fs.writeFile(written, new TextEncoder().encode(bodyOf(round)))),
        ),
      );
      measures.bare.push(await timed(() => bareRequests(pool, service, unopened, bodyOf(round))));
    }
    return measures;
  } finally {
    await pool.close();
    await service.end();
  }
}

/** Opens a document, replaces its text, and times its save. */
async function save(uri: vscode.Uri, text: string): Promise<number> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  await type(document, text);
  // The workbench marks the document as dirty after the edit, and saves nothing before.
  await eventually(() => assert.ok(document.isDirty));
  return timed(async () => {
    assert.ok(await document.save(), 'The save failed.');
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Makes the requests of a save with the HTTP library alone. */
async function bareRequests(pool: Pool, service: TestService, templateId: number, body: string): Promise<void> {
  const path = (task: string, rest = '') =>
    `/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=${task}${rest}`;
  const headers = { 'Api-Key': service.sandbox.apiKey };
  const read = async () => {
    const answer = await pool.request({
      path: path('getOneTemplate', `&templateId=${templateId}`),
      method: 'GET',
      headers,
    });
    await answer.body.json();
  };
  await read();
  const update = await pool.request({
    path: path('updateTemplate'),
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ templateId, body }),
  });
  await update.body.json();
  await read();
}

function bodyOf(round: number): string {
  const row = `<tr><td style="padding: 12px 24px; font-family: Arial, sans-serif; color: #333333">Round ${String(round).padStart(4, '0')}</td></tr>\n`;
  return `<table role="presentation">${row.repeat(Math.ceil(bodySize / row.length))}</table>`;
}
