import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import * as vscode from 'vscode';
import { SlowService } from '../requests/slowService.ts';
import { growth, timed } from '../support.mjs';

/*
 * Measures Mailing: Find in All Templates… in VS Code's extension host, with services in other processes. Times are in ms, memory in MB.
 */

export interface Result {
  readonly times: number[];
  readonly bare: number[];
  /** Peak growth of the memory in use: without a match in a fifth of the templates and in all, and with as many emails as are shown. */
  readonly growth: { readonly fifth: number; readonly none: number; readonly most: number };
  readonly mostRequestsAtOnce: number;
}

interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const templates = 5000;
const rounds = 6;
const pageSize = 100;
/** A search waits for the worker thread after each template, so that collections would delay it more than other tasks. */
const GROWTH_INTERVAL_MS = 250;

/** Entry for VS Code's `extensionTestsPath`. */
export async function run(): Promise<void> {
  const [all, fifth] = await Promise.all([startService(templates), startService(templates / 5)]);
  await connect('all', all);
  await connect('fifth', fifth);
  // The first search also starts the worker thread.
  await find('fifth', 'missing text', 0);
  const [times, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await timed(() => find('all', 'missing text', 0)));
    bare.push(await timed(() => readAll(all)));
  }
  const result: Result = {
    times,
    bare,
    growth: {
      fifth: await growth(() => find('fifth', 'missing text', 0), GROWTH_INTERVAL_MS),
      none: await growth(() => find('all', 'missing text', 0), GROWTH_INTERVAL_MS),
      most: await growth(() => find('all', 'e', 1000), GROWTH_INTERVAL_MS),
    },
    mostRequestsAtOnce: await countRequests(all),
  };
  writeFileSync(process.env['MAILING_STUDIO_TEST_RESULT'] ?? '', JSON.stringify(result));
}

/** Starts a service in its own process, which ends with this one. */
async function startService(count: number): Promise<Service> {
  const path = fileURLToPath(new URL('../../../bench/folders/service.mjs', import.meta.url));
  const [service] = (await once(fork(path, [String(count)]), 'message')) as [Service];
  return service;
}

const connect = (id: string, { baseUrl, apiKey }: Service) =>
  vscode.commands.executeCommand('mailing.connection.add', { id, name: id, baseUrl, apiKey, profile: 'documented' });

async function find(connection: string, text: string, expected: number) {
  const query = { connection, search: 'text', text };
  const found = await vscode.commands.executeCommand<readonly unknown[]>('mailing.findInTemplates', query);
  assert.equal(found.length, expected);
}

/** Makes the requests for all templates in a row. */
async function readAll({ baseUrl, apiKey }: Service) {
  const dispatcher = new Agent();
  for (let offset = 0; offset < templates; offset += pageSize) {
    const url = `${baseUrl}/index.php?page=mailer_front&option=com_mailer&ctrl=api&task=getTemplates&limit=${pageSize}&offset=${offset}`;
    const answer = await request(url, { dispatcher, headers: { 'Api-Key': apiKey } });
    assert.equal(((await answer.body.json()) as unknown[]).length, pageSize);
  }
  await dispatcher.close();
}

async function countRequests({ baseUrl, apiKey }: Service) {
  const proxy = new SlowService(Number(new URL(baseUrl).port), 20);
  await connect('counted', { baseUrl: await proxy.start(), apiKey });
  proxy.asked.length = 0;
  await find('counted', 'missing text', 0);
  await proxy.end();
  const counts = proxy.asked.map(
    ({ began }) => proxy.asked.filter((other) => other.began <= began && began < (other.ended ?? Infinity)).length,
  );
  return Math.max(...counts);
}
