import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import { injections } from '../support/agents/injections.ts';
import { CommandLine } from '../support/commandLine.ts';
import { readManifest } from '../support/manifest.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/index.ts';

const key = 'test-key-0123456789abcdef';
const writingTools = ['mailing_createDraftCampaign', 'mailing_sendTest'];

interface Tool {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
}
const { version, contributes } = readManifest<{
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly Tool[] };
}>();

interface Result {
  readonly text: string;
  /** The data between the two enclosing lines; empty without data. */
  readonly data: string;
  readonly isError: boolean;
}

describe('mailing mcp', function () {
  let mailing: CommandLine;
  let sandbox: Sandbox;
  let service: MailingClient;
  let id: number;
  let agent: Client;
  const clients: Client[] = [];

  const start = async (args: readonly string[] = [], cwd = mailing.folder) => {
    const { PATH = '', HOME = '' } = process.env;
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const env = { PATH, HOME, MAILING_API_KEY: key };
    const command = [mailing.main, 'mcp', ...args];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: command, cwd, env, stderr: 'ignore' }),
    );
    return client;
  };
  const call = async (name: string, input: object, client = agent): Promise<Result> => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } });
    const [{ text }] = content as [{ readonly text: string }];
    const [, mark = '', data = ''] = /^data ([0-9a-f]{32}) begins\n([^]*)\ndata \1 ends$/mu.exec(text) ?? [];
    if (mark !== '') assert.equal(text.split(mark).length, 3, 'The boundary occurs only in the enclosing lines.');
    return { text, data, isError: isError === true };
  };
  const configure = (template: object = { folder: 'emails/welcome' }, more: object = {}) =>
    mailing.write({
      'mailing.json': JSON.stringify({
        connections: { production: { baseUrl: sandbox.baseUrl, profile: 'documented' } },
        templates: [{ ids: { production: id }, ...template }],
        ...more,
      }),
    });
  const map = (body = '<p>Dear {subscriber:name},</p>\n<p>apples.</p>\n') => {
    configure();
    mailing.write({
      'emails/welcome/body.html': body,
      'emails/welcome/template.json': '{ "name": "Harvest", "subject": "Apples" }',
    });
  };
  const propose = (input: object): Promise<Result> => call('mailing_proposeTemplate', { id, ...input });
  const countWrites = () => sandbox.requests.filter(({ operation }) => !/^get/u.test(operation ?? '')).length;

  before(async () => {
    mailing = await CommandLine.build();
    sandbox = await startSandbox({ assets: 'media/starters', apiKey: key });
    service = new MailingClient({ ...sandbox, apiKey: key });
    ({ templateId: id } = await service.createTemplate({
      name: 'Harvest',
      subject: 'Stored apples',
      body: '<p>stored</p>',
    }));
    configure();
    agent = await start();
  });
  beforeEach(() => {
    sandbox.faults.clear();
    mailing.clear();
    configure();
  });
  after(async () => {
    for (const client of clients) await client.close();
    await service.close();
    await sandbox.close();
    mailing.dispose();
  });

  it('offers the tools of the editor with the same schemas, without those that write to a service or send', async () => {
    assert.deepEqual(agent.getServerVersion(), { name: 'mailing', version });
    const { tools } = await agent.listTools();
    const expected = contributes.languageModelTools.filter(({ name }) => !writingTools.includes(name));
    assert.deepEqual(
      tools.map(({ name, inputSchema }) => ({ name, inputSchema })),
      expected.map(({ name, inputSchema }) => ({ name, inputSchema })),
    );
    for (const { name, description, annotations } of tools) {
      const isWriting = name === 'mailing_proposeTemplate';
      assert.equal(annotations?.readOnlyHint, !isWriting);
      const own = expected.find((tool) => tool.name === name)?.modelDescription;
      if (isWriting) assert.match(description ?? '', /^Writes changes to the mapped files/u);
      else assert.equal(description, own);
    }
    assert.match((await call('mailing_sendTest', { id, to: 'testList' })).text, /^There is no such tool\.$/u);
  });

  it('reads, checks and renders stored emails, and finds records and figures', async () => {
    const connections = await call('mailing_find', { what: 'connections' });
    assert.match(connections.data, /^\{"connection":"production"/u);
    const { data } = await call('mailing_find', { what: 'templates', search: 'Harvest' });
    assert.deepEqual(JSON.parse(data.split('\n')[0] ?? ''), { id, name: 'Harvest', subject: 'Stored apples' });
    for (const what of ['campaigns', 'followUps', 'lists'])
      assert.match((await call('mailing_find', { what })).data, /^\{"id":\d+,"name":/u, what);
    assert.equal((await call('mailing_readTemplate', { id })).data, '<p>stored</p>');
    assert.match((await call('mailing_readTemplate', { id, part: 'details' })).data, /"subject": "Stored apples"/u);
    const checked = await call('mailing_checkEmail', { id, body: '<p>a</p>\n<img src="x.png">' });
    assert.match(checked.data, /"part":"body","line":2/u);
    assert.match((await call('mailing_renderEmail', { body: '<p>{subscriber:name}</p>' })).data, /<p>Ann/u);
    const sent = (await service.getCampaigns({ limit: 100 })).find((campaign) => campaign.sent === 1);
    assert.match((await call('mailing_statistics', { campaigns: [sent?.id] })).data, /^Campaign \d+\n[^]*opens/iu);
    assert.ok(!existsSync(join(mailing.folder, '.mailing')));
  });

  it('prefers mapped files, which it needs no service for, and the checks of mailing.json', async () => {
    map();
    sandbox.faults.add({ kind: 'status', status: 500 });
    const { text, data } = await call('mailing_readTemplate', { id });
    assert.match(text, /Read from the mapped files, not from the service\./u);
    assert.match(data, /^<p>Dear/u);
    assert.match((await call('mailing_renderEmail', { id })).data, /^Subject: Apples\n[^]*Dear Ann/u);
    assert.match((await call('mailing_checkEmail', { id })).data, /"field":"preheader"/u);
    configure({ folder: 'emails/welcome' }, { checks: { rules: { preheader: 'off' }, profile: 'acymailing' } });
    assert.doesNotMatch((await call('mailing_checkEmail', { id })).data, /"field":"preheader"/u);
    assert.match((await call('mailing_renderEmail', { id, part: 'text' })).data, /Dear Ann[^]*apples\./u);
  });

  it('writes proposals to the mapped files, and nothing else', async () => {
    map();
    const before = countWrites();
    const files = () => readdirSync(mailing.folder, { recursive: true, encoding: 'utf8' }).toSorted();
    const names = files();
    const { text, isError } = await propose({
      replacements: [{ part: 'body', find: 'apples', replace: 'pears' }],
      stylesheet: 'p { color: #333333 }',
      details: { preheader: 'Fresh' },
    });
    assert.ok(!isError, text);
    assert.equal(mailing.read('emails/welcome/body.html'), '<p>Dear {subscriber:name},</p>\n<p>pears.</p>\n');
    assert.equal(mailing.read('emails/welcome/style.css'), 'p { color: #333333 }');
    const details: unknown = JSON.parse(mailing.read('emails/welcome/template.json'));
    assert.deepEqual(details, { name: 'Harvest', subject: 'Apples', preheader: 'Fresh' });
    assert.deepEqual(files(), [...names, join('emails/welcome/style.css')].toSorted());
    assert.equal(countWrites(), before);
    assert.equal((await service.getOneTemplate(id)).body, '<p>stored</p>');
  });

  it('keeps the paths of images in proposals', async () => {
    map('<img src="img/a.png" alt="A">');
    configure({ folder: 'emails/welcome' }, { assets: { 'emails/welcome/img': 'https://cdn.example/img' } });
    const { data } = await call('mailing_readTemplate', { id });
    assert.equal(data, '<img src="https://cdn.example/img/a.png" alt="A">');
    await propose({ body: data.replace('"A"', '"B"') });
    assert.equal(mailing.read('emails/welcome/body.html'), '<img src="img/a.png" alt="B">');
  });

  it('runs proposals one after the other', async () => {
    map('<p>one two three</p>');
    const results = await Promise.all(
      ['one', 'two', 'three'].map((find) =>
        propose({ replacements: [{ part: 'body', find, replace: find.toUpperCase() }] }),
      ),
    );
    assert.ok(results.every(({ isError }) => !isError));
    assert.equal(mailing.read('emails/welcome/body.html'), '<p>ONE TWO THREE</p>');
  });

  it('refuses proposals that it can’t write', async () => {
    const refuse = async (input: object, words: RegExp) => {
      const { text, isError } = await propose(input);
      assert.ok(isError);
      assert.match(text, words);
    };
    await refuse({ body: 'x' }, /^This template has no files yet/u);
    map('<p>a a</p>');
    await refuse({ id: id + 1, body: 'x' }, /^This template is not mapped to a folder/u);
    await refuse({ id: 'x', body: 'x' }, /^The input is invalid/u);
    await refuse({ connection: 'staging', body: 'x' }, /^There is no such connection/u);
    await refuse({}, /^The proposal contains no changes/u);
    await refuse({ body: '<p>a a</p>' }, /^The proposal contains no changes/u);
    await refuse({ details: { name: '' } }, /^The details are no valid JSON/u);
    await refuse({ replacements: [{ part: 'body', find: 'a', replace: 'b' }] }, /must match exactly once/u);
    await refuse({ body: 'x', replacements: [{ part: 'body', find: 'a', replace: 'b' }] }, /not both/u);
    await refuse({ body: '<<<<<<< folder\na\n=======\nb\n>>>>>>> production\n' }, /conflict markers/u);
    assert.equal(mailing.read('emails/welcome/body.html'), '<p>a a</p>');
    configure({ folder: 'emails/welcome', output: 'emails/welcome/body.html', source: 'emails/src' });
    await refuse({ body: 'x' }, /^The body is built/u);
    map('<<<<<<< folder\na\n=======\nb\n>>>>>>> production\n');
    await refuse({ details: { subject: 'x' } }, /conflict markers/u);
  });

  it('writes nothing outside the folder, and no file of Git, VS Code or its own', async () => {
    const elsewhere = makeScratch();
    try {
      writeFileSync(join(elsewhere, 'body.html'), '<p>theirs</p>');
      mailing.write({ 'emails/x': '' });
      symlinkSync(elsewhere, join(mailing.folder, 'emails/welcome'), 'junction');
      const { text, isError } = await propose({ body: '<p>mine</p>' });
      assert.deepEqual([isError, /points outside the workspace folder/u.test(text)], [true, true], text);
      for (const folder of ['../elsewhere', '.git', '.vscode', '.mailing']) {
        configure({ folder });
        assert.ok((await propose({ body: '<p>mine</p>' })).isError, folder);
      }
      assert.deepEqual(readdirSync(elsewhere), ['body.html']);
      assert.deepEqual(readdirSync(mailing.folder).toSorted(), ['emails', 'mailing.json']);
    } finally {
      removeScratch(elsewhere);
    }
  });

  it('never sends the key to an address that the file names later', async () => {
    const other = await startSandbox({ assets: 'media/starters', apiKey: key });
    try {
      configure({ folder: 'emails/welcome' }, { connections: { production: { baseUrl: other.baseUrl } } });
      assert.match((await call('mailing_find', { what: 'connections' })).data, new RegExp(sandbox.baseUrl, 'u'));
      assert.ok(!(await call('mailing_find', { what: 'templates' })).isError);
      assert.equal(other.requests.length, 0);
    } finally {
      await other.close();
    }
  });

  it('sends the key only to the address on the trusted branch', async () => {
    await mailing.git('init', '-q');
    await mailing.git('add', 'mailing.json');
    await mailing.git('commit', '-qm', 'One');
    const trusting = await start(['--trusted-ref', 'main']);
    assert.ok(!(await call('mailing_find', { what: 'templates' }, trusting)).isError);
    configure({ folder: 'emails/welcome' }, { connections: { production: { baseUrl: 'http://127.0.0.1:9' } } });
    const { code, stderr } = await mailing.run(['mcp', '--trusted-ref', 'main'], { env: { MAILING_API_KEY: key } });
    assert.equal(code, 2);
    assert.match(stderr, /The key wasn't sent/u);
  });

  it('hides connections with "agents": false in the settings of the workspace', async () => {
    const connections = [{ id: 'production', baseUrl: sandbox.baseUrl, agents: false }];
    mailing.write({ '.vscode/settings.json': JSON.stringify({ 'mailing.connections': connections }) });
    const { code, stderr } = await mailing.run(['mcp'], { env: { MAILING_API_KEY: key } });
    assert.equal(code, 2);
    assert.match(stderr, /"production" is hidden from agents/u);
  });

  it('works in the folder of its argument', async () => {
    const elsewhere = makeScratch();
    try {
      const other = await start([mailing.folder], elsewhere);
      assert.ok(!(await call('mailing_find', { what: 'templates' }, other)).isError);
    } finally {
      removeScratch(elsewhere);
    }
  });

  it('explains a failing service, and goes on', async () => {
    for (const fault of [{ kind: 'html' }, { kind: 'status', status: 403 }, { kind: 'brokenJson' }] as const) {
      sandbox.faults.add({ ...fault, times: 1 });
      const { text, isError } = await call('mailing_readTemplate', { id });
      assert.ok(isError);
      assert.match(text, /^The call failed\.[^]*\ndata [^]*\ndata /u);
      assert.doesNotMatch(text, /\n +at /u);
    }
    assert.match((await call('mailing_readTemplate', { id: 99_999 })).text, /^The call failed/u);
    assert.match((await call('mailing_readTemplate', { id })).data, /stored/u);
    mailing.write({ 'mailing.json': '{' });
    assert.match((await call('mailing_readTemplate', { id })).text, /^The call failed[^]*mailing\.json:1:2/u);
  });

  for (const injection of injections) {
    it(`passes "${injection.name}" as data`, async () => {
      const { templateId } = await service.createTemplate({ ...injection });
      const before = countWrites();
      for (const [name, input] of [
        ['mailing_find', { what: 'templates', search: injection.name }],
        ['mailing_readTemplate', { id: templateId }],
        ['mailing_readTemplate', { id: templateId, part: 'details' }],
        ['mailing_checkEmail', { id: templateId }],
        ['mailing_renderEmail', { id: templateId }],
      ] as const) {
        const { text, data } = await call(name, input);
        assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u200B\u{E0000}-\u{E0FFF}]/u, name);
        assert.ok(!text.replace(data, '').includes(injection.body.slice(3, 40)), name);
      }
      assert.equal(countWrites(), before);
    });
  }

  it('redacts the key and the addresses of people', async () => {
    const { templateId } = await service.createTemplate({
      name: `Key ${key} of ann@example.com`,
      subject: key,
      body: `<p>${key.slice(0, 12)}\u200B${key.slice(12)}</p>`,
    });
    for (const [name, input] of [
      ['mailing_find', { what: 'templates', search: 'Key' }],
      ['mailing_readTemplate', { id: templateId }],
      ['mailing_renderEmail', { id: templateId }],
    ] as const) {
      const { text } = await call(name, input);
      for (let from = 0; from + 8 <= key.length; from += 1) assert.ok(!text.includes(key.slice(from, from + 8)), name);
      assert.match(text, /•••/u, name);
    }
    assert.doesNotMatch((await call('mailing_find', { what: 'templates', search: 'Key' })).text, /ann@example/u);
  });

  it('ends with an explanation if it can’t start', async () => {
    mailing.write({ 'mailing.json': '{ "templates": [] }' });
    const none = await mailing.run(['mcp']);
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /^There is no connection that tools may use\.\n.+\n$/u);
    mailing.clear();
    for (const args of [['mcp'], ['mcp', 'missing']]) {
      const { code, stderr } = await mailing.run(args);
      assert.deepEqual([code, stderr.trim().split('\n').length], [2, 2], stderr);
    }
  });

  it('ends when its client closes stdin', async () => {
    const { code, stdout, stderr } = await mailing.run(['mcp'], { stdin: '' });
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  });

  it('ignores lines that are no messages, and ends at one that is too large', async () => {
    const noJson = await mailing.run(['mcp'], { stdin: 'x\n{}\n' });
    assert.deepEqual([noJson.code, noJson.stdout], [0, '']);
    assert.match(noJson.stderr, /not valid JSON/u);
    const large = await mailing.run(['mcp'], { stdin: 'x'.repeat(11 * 1024 * 1024) });
    assert.deepEqual([large.code, large.stdout], [2, '']);
    assert.match(large.stderr, /exceeded maximum size/u);
  });
});
