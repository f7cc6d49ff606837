import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Pool } from 'undici';
import * as vscode from 'vscode';
import { eventually } from '../../test/support/eventually.ts';
import { connectService, extensionId, type, type TestService } from '../../test/integration/service.ts';

/*
 * Measured inside VS Code's extension host: what activation costs, by VS Code's own account, and what a save costs beside the bare
 * requests that it is made of. Times are in ms.
 */

/** What one run in the extension host measured. */
export interface HostMeasures {
  /** Loading the bundle, and calling `activate`. */
  readonly load: number;
  readonly activate: number;
  /** Each save, and each of the bare requests (read, update, read) for the same text. */
  readonly saves: readonly number[];
  readonly bare: readonly number[];
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
  const text = vscode.window.activeTextEditor?.document.getText() ?? '';
  const row = text.split('\n').find((line) => line.includes(extensionId))?.split('|').map((cell) => cell.trim());
  const [load, activate] = [Number(row?.[3]), Number(row?.[4])];
  if (Number.isNaN(load) || Number.isNaN(activate)) throw new Error(`No activation times in VS Code's own report:\n${text.slice(0, 2000)}`);
  return { load, activate };
}

async function measureSaving(): Promise<Pick<HostMeasures, 'saves' | 'bare'>> {
  const service = await connectService();
  const pool = new Pool(service.sandbox.baseUrl, { connections: 1 });
  try {
    const { templateId } = await service.other.createTemplate({ name: 'Large', body: bodyOf(0) });
    const document = await vscode.workspace.openTextDocument(service.uri(`/templates/${templateId}/Large.html`));
    await vscode.window.showTextDocument(document);
    const saves: number[] = [];
    const bare: number[] = [];
    for (let round = 1; round <= repetitions; round += 1) {
      await type(document, bodyOf(round));
      saves.push(await timed(async () => {
        if (!(await document.save())) throw new Error('The save failed.');
      }));
      bare.push(await timed(() => bareRequests(pool, service, templateId, `${bodyOf(round)} `)));
      // The bare requests wrote another text: the editor takes it over before the next round.
      await vscode.workspace.fs.stat(document.uri);
      await eventually(() => assert.ok(document.getText().endsWith(' ')));
    }
    return { saves, bare };
  } finally {
    await pool.close();
    await service.end();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The same requests as a save's, made by nothing but the HTTP library. */
async function bareRequests(pool: Pool, service: TestService, templateId: number, body: string): Promise<void> {
  const path = (task: string, rest = '') => `/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=${task}${rest}`;
  const headers = { 'Api-Key': service.sandbox.apiKey };
  const read = async () => {
    const answer = await pool.request({ path: path('getOneTemplate', `&templateId=${templateId}`), method: 'GET', headers });
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
