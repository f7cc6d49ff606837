import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { connectService, type TestService } from '../../test/integration/service.ts';
import { eventually } from '../../test/support/eventually.ts';
import { acts, type Act } from './acts.ts';
import { depthOf, SlowService } from './slowService.ts';

/*
 * Measures the requests of each user action to a slow service, in VS Code's extension host, with the service expanded in the tree view.
 */

/** Latency of the service, in ms. */
const delayMs = 300;
/** An action is complete after this many ms without a request. */
const quietMs = 1000;
const repetitions = 3;

/** One run of an action. */
export interface Measured {
  readonly requests: number;
  readonly depth: number;
  /** Time from the user's action until it is complete and its last response has arrived, in ms. */
  readonly time: number;
  readonly operations: readonly string[];
}

/** The results for the table. `bare`: time of one bare request, in ms. */
export interface Result {
  readonly bare: number;
  readonly acts: readonly { readonly name: string; readonly goal: Act['goal']; readonly runs: readonly Measured[] }[];
}

/** Entry for VS Code's `extensionTestsPath`. */
export async function run(): Promise<void> {
  const file = process.env['MAILING_STUDIO_TEST_RESULT'];
  if (file === undefined) throw new Error('MAILING_STUDIO_TEST_RESULT names no file for the result.');
  let started: { readonly slow: SlowService; readonly address: string } | undefined;
  const service = await connectService({}, async ({ baseUrl }) => {
    const slow = new SlowService(Number(new URL(baseUrl).port), delayMs);
    started = { slow, address: await slow.start() };
    return started.address;
  });
  if (started === undefined) throw new Error('The service was not started.');
  const { slow, address } = started;
  const settings = vscode.workspace.getConfiguration();
  await settings.update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
  try {
    await openTree(slow, service);
    const results: { name: string; goal: Act['goal']; runs: Measured[] }[] = [];
    for (const { name, goal, prepare } of acts) {
      const runs: Measured[] = [];
      for (let round = 0; round < repetitions; round += 1) runs.push(await measure(slow, service, prepare));
      results.push({ name, goal, runs });
    }
    // The first request opens the connection.
    await (await fetch(address)).text();
    const began = performance.now();
    await (await fetch(address)).text();
    writeFileSync(file, JSON.stringify({ bare: performance.now() - began, acts: results } satisfies Result));
  } finally {
    for (const name of ['files.autoSave', 'mailing.testLists'])
      await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
    await service.end();
    await slow.end();
  }
}

/** Expands the templates in the tree view, because a refresh may read visible nodes again. */
async function openTree(slow: SlowService, { connection }: TestService): Promise<void> {
  await vscode.commands.executeCommand('mailing.explorer.focus');
  // Expands the branch.
  await vscode.commands.executeCommand('mailing.explorer.filter', { connection, collection: 'templates' }, {});
  await eventually(() =>
    assert.ok(
      slow.asked.some(({ operation }) => operation === 'getTemplates'),
      'The templates are not in sight.',
    ),
  );
  await quiet(slow);
}

async function measure(slow: SlowService, service: TestService, prepare: Act['prepare']): Promise<Measured> {
  const act = await prepare(service);
  await quiet(slow);
  const mark = slow.asked.length;
  const began = performance.now();
  await act();
  const done = performance.now();
  await quiet(slow);
  const asked = slow.asked.slice(mark);
  const time = Math.max(done, ...asked.map(({ ended = done }) => ended)) - began;
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await quiet(slow);
  return { requests: asked.length, depth: depthOf(asked), time, operations: asked.map(({ operation }) => operation) };
}

/** Waits until every request has a response and no more follow. */
async function quiet(slow: SlowService): Promise<void> {
  for (let count = -1; count !== slow.asked.length || slow.asked.some(({ ended }) => ended === undefined);) {
    count = slow.asked.length;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
}
