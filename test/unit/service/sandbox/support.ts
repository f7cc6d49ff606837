import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import {
  startSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxProfile,
} from '../../../support/sandbox/index.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

export const NOW = Date.UTC(2026, 4, 20, 10, 0, 0);
export const both: readonly SandboxProfile[] = ['documented', 'acymailing'];

const links = ['https://shop.example.com/', 'https://shop.example.com/a?x=1&amp;y=2', 'https://blog.example.com/post'];
const starters = [
  {
    file: 'newsletter.html',
    css: 'newsletter.css',
    name: 'Newsletter',
    subject: 'Hello, {subscriber:name}',
    preheader: 'Three stories',
    from_name: 'Anna',
    from_email: 'anna@example.com',
    reply_to_name: 'Desk',
    reply_to_email: 'desk@example.com',
    drag_editor: '0',
  },
  { file: 'welcome.html', name: 'Welcome', subject: 'Welcome', drag_editor: '0' },
  { file: 'sale.html', name: 'Sale', subject: 'Sale' },
  { file: 'drag.html', name: 'Dragged together', subject: 'Blocks', drag_editor: '1' },
];
/** Id of the template of the drag-and-drop editor. */
export const DRAG = 4;

/** Creates a folder of small starters. */
export async function makeAssets(): Promise<{ folder: string; remove(): void }> {
  const folder = makeScratch();
  const body = (title: string) =>
    `<h1>${title}</h1>\n<p>Grüße, {subscriber:name}</p>\n${links.map((link, at) => `<p><a href="${link}">Link ${at}</a></p>`).join('\n')}\n<p><a href="{unsubscribe}{/unsubscribe}">Leave</a></p>\n`;
  await writeFile(join(folder, 'index.json'), JSON.stringify(starters));
  await writeFile(join(folder, 'newsletter.css'), 'h1 { color: #123456; }');
  for (const { file, name } of starters) await writeFile(join(folder, file), body(name));
  return { folder, remove: () => removeScratch(folder) };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: Json | undefined;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with case-sensitive header names. Rejects if the connection breaks before the response is complete. */
export function send(url: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const followUps = new Set([
  'getFollowUps',
  'getFollowUpById',
  'createOrUpdateFollowUp',
  'attachEmailToFollowUp',
  'deleteEmailFromFollowUp',
  'deleteFollowUp',
]);
const posts = /^(create|update|subscribe|unsubscribe|attach|send)/;
const constants = {
  documented: 'page=mailer_front&option=com_mailer',
  acymailing: 'page=acymailing_front&option=com_acym',
} as const;

export function getMethod(operation: string): string {
  return posts.test(operation) ? 'POST' : operation.startsWith('delete') ? 'DELETE' : 'GET';
}

/** Returns the path of an operation in the profile of the sandbox. */
export function createUrl(
  { baseUrl, profile }: Pick<Sandbox, 'baseUrl' | 'profile'>,
  operation: string,
  query = '',
): string {
  const route =
    followUps.has(operation) && profile === 'documented' ? `ctrl=${operation}` : `ctrl=api&task=${operation}`;
  return `${baseUrl}/index.php?${constants[profile]}&${route}${query && `&${query}`}`;
}

export interface Service {
  readonly sandbox: Sandbox;
  /** Calls an operation of the profile: `input` is the query of a read, delete or send, otherwise the JSON body. */
  call(operation: string, input?: string | object): Promise<Reply>;
  /** Returns the status and the parsed body of the response. */
  reply(operation: string, input?: string | object): Promise<[status: number, json: Json | undefined]>;
  /** Returns the records of the response, regardless of wrapping. */
  rows(operation: string, input?: string | object): Promise<Record<string, Json>[]>;
  /** Returns the first record of the response, regardless of wrapping. */
  record(operation: string, input?: string | object): Promise<Record<string, Json>>;
}

export function createCaller(sandbox: Sandbox): Service['call'] {
  return (operation, input = '') => {
    const method = getMethod(operation);
    const type =
      operation === 'sendCampaign' && sandbox.profile === 'documented' ? 'application-json' : 'application/json';
    return send(createUrl(sandbox, operation, typeof input === 'string' ? input : ''), {
      method,
      headers: { 'Api-Key': sandbox.apiKey, ...(method === 'POST' && { 'Content-Type': type }) },
      ...(typeof input === 'object' && { body: JSON.stringify(input) }),
    });
  };
}

function createService(sandbox: Sandbox): Service {
  const call = createCaller(sandbox);
  return {
    sandbox,
    call,
    async reply(...args) {
      const { status, json } = await call(...args);
      return [status, json];
    },
    rows: async (...args) => getRecords((await call(...args)).json),
    record: async (...args) => getFirstRecord((await call(...args)).json),
  };
}

/** Starts a service for each test of the suite. */
export function useService(options: Partial<SandboxOptions> = {}): Service {
  let assets: Awaited<ReturnType<typeof makeAssets>>;
  let current: Service;
  before(async () => {
    assets = await makeAssets();
  });
  beforeEach(async () => {
    const sandbox = await startSandbox({ assets: assets.folder, now: () => new Date(NOW), ...options });
    current = createService(sandbox);
  });
  afterEach(() => current.sandbox.close());
  after(() => assets.remove());
  return {
    get sandbox() {
      return current.sandbox;
    },
    call: (...args) => current.call(...args),
    reply: (...args) => current.reply(...args),
    rows: (...args) => current.rows(...args),
    record: (...args) => current.record(...args),
  };
}

type Row = readonly [operation: string, input: string | object, status: number, message: string];

/** Defines a test of refused calls. */
export function checkErrors(service: Service, rows: readonly Row[]): void {
  it('explains why it refuses a call', async () => {
    for (const [operation, input, status, message] of rows)
      assert.deepEqual(await service.reply(operation, input), [status, { message }], operation);
  });
}

/** Returns the first record of a response, regardless of wrapping. */
export function getFirstRecord(json: Json | undefined): Record<string, Json> {
  const record: Json | undefined = Array.isArray(json) ? json.flat()[0] : json;
  return typeof record === 'object' && record !== null ? Object.fromEntries(Object.entries(record)) : {};
}

/** Returns the records of a response, regardless of wrapping. */
export function getRecords(json: Json | undefined): Record<string, Json>[] {
  return Array.isArray(json) ? json.flat().map((record: Json) => getFirstRecord(record)) : [];
}

/** Returns the values of a record's fields, whose names are separated by spaces. */
export const pick = (record: Record<string, Json>, names: string): (Json | undefined)[] =>
  names.split(' ').map((name) => record[name]);

/** Asserts that a record has exactly the columns, whose names are separated by spaces, in any order. */
export const assertColumns = (record: object | undefined, names: string): void =>
  assert.deepEqual(Object.keys(record ?? {}).toSorted(), names.split(' ').toSorted());
