import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentTools } from '../../../src/features/agents/agentTools.ts';
import { inputSchemas } from '../../../src/sync/tools/schemas.ts';
import type { ExtensionServices } from '../../../src/features/services.ts';
import { injections } from '../../support/agents/injections.ts';
import { eventually } from '../../support/eventually.ts';
import type { Answer } from '../answers.ts';
import { connectService, type, useService, type TestService } from '../service.ts';
import { call, modals, type ToolCallOutcome } from './fixtures.ts';

const [testers, everybody] = [8, 6];
const { Global } = vscode.ConfigurationTarget;
const set = (name: string, value: string | object | undefined) =>
  vscode.workspace.getConfiguration().update(name, value, Global);
const writes = (service: TestService, from: number) =>
  service.sandbox.requests
    .filter(({ number, operation }) => number > from && !/^get/u.test(operation ?? ''))
    .map(({ operation }) => operation ?? '');

/** Addresses of the service's subscribers. */
async function addresses({ other }: TestService) {
  const found = await other.getSubscribersFromLists([everybody], { offset: 0, limit: 500 });
  return found.flatMap(({ email }) => email ?? []);
}

describe('tools for language models', function () {
  const service = useService('grown');
  const at = (input: object) => ({ connection: service().connection, ...input });
  const harvest = {
    name: 'Harvest',
    subject: 'Apples, {subscriber:name}',
    body: '<p>Dear {subscriber:name},</p>\n<p>apples.</p>',
  };
  const make = async (fields: object = {}) =>
    (await service().other.createTemplate({ ...harvest, ...fields })).templateId;
  const open = async (id: number) => {
    await vscode.commands.executeCommand('mailing.record.open', at({ collection: 'templates', id }));
    return opened(id);
  };
  const propose = (id: number | undefined, input: object, answer?: Answer) =>
    call('mailing_proposeTemplate', at({ id, ...input }), answer);
  /** Returns the rows of a result. */
  const rowsOf = ({ data }: ToolCallOutcome) =>
    data.split('\n').map((line) => JSON.parse(line) as Readonly<Record<string, string | number>>);
  const opened = (id: number) =>
    vscode.workspace.textDocuments.find(
      ({ uri }) =>
        uri.scheme === 'mailing' &&
        uri.authority === service().connection &&
        uri.path.startsWith(`/templates/${id}/`) &&
        uri.path.endsWith('.html'),
    ) ?? assert.fail('It is not open.');

  afterEach(async () => {
    for (const name of ['mailing.testLists', 'mailing.testRecipients']) await set(name, undefined);
    await set('files.autoSave', 'off');
  });

  it('are registered', () => {
    const offered = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mailing_'));
    assert.deepEqual(offered.toSorted(), Object.keys(inputSchemas).toSorted());
  });

  it('report invalid input and never throw', async () => {
    const { text, data } = await call('mailing_readTemplate', at({ id: 'seven' }));
    assert.match(text, /^The input is invalid/u);
    assert.match(data, /^id: /u);
    assert.doesNotMatch(text, /\bat .*\.js:\d+/u);
    assert.match((await call('mailing_readTemplate', at({ id: 4711 }))).text, /^The call failed\..*\n[^]*data/u);
  });

  describe('that read', () => {
    it('list connections and find records by name, one per line', async () => {
      const all = await call('mailing_find', { what: 'connections' });
      assert.ok(rowsOf(all).some(({ connection }) => connection === service().connection));
      assert.ok(!all.text.includes(service().sandbox.apiKey));
      const id = await make();
      const found = await call('mailing_find', at({ what: 'templates', search: 'Harvest' }));
      assert.ok(rowsOf(found).some((row) => row['id'] === id && row['name'] === 'Harvest'));
      for (const what of ['campaigns', 'followUps', 'lists'])
        assert.notEqual((await call('mailing_find', at({ what }))).data, '', what);
    });

    it('return a template with unsaved edits', async () => {
      const id = await make({ body: '<p>a\u200Bb</p>', stylesheet: 'p { color: red }' });
      assert.equal((await call('mailing_readTemplate', at({ id, part: 'stylesheet' }))).data, 'p { color: red }');
      assert.match((await call('mailing_readTemplate', at({ id, part: 'details' }))).data, /"subject": "Apples/u);
      const stored = await call('mailing_readTemplate', at({ id }));
      assert.equal(stored.data, '<p>ab</p>');
      assert.match(stored.text, /1 invisible character was removed/u);
      await type(await open(id), '<p>typed</p>');
      const typed = await call('mailing_readTemplate', at({ id }));
      assert.equal(typed.data, '<p>typed</p>');
      assert.match(typed.text, /has not saved it: body/u);
    });

    it('check stored emails and texts of the model', async () => {
      const id = await make();
      const worse = await call('mailing_checkEmail', at({ id, body: '<p>a</p>\n<img src="x.png">' }));
      assert.match(worse.text, /^\d+ findings?, one on each line\./u);
      assert.ok(
        rowsOf(worse).some(({ part, line }) => part === 'body' && line === 2),
        worse.data,
      );
      assert.match((await call('mailing_checkEmail', at({}))).text, /^Name an email/u);
    });

    it('render for a sample person, never for a subscriber', async () => {
      const id = await make();
      for (const [input, expected] of [
        [{}, /^Subject: Apples, Ann[^]*Dear Ann/mu],
        [{ as: 'nameless' }, /Dear ,/u],
        [{ part: 'text' }, /Text parts aren't available for this service/u],
        [{ as: 'rose@example.com' }, /^The input is invalid/u],
      ] as const)
        assert.match((await call('mailing_renderEmail', at({ id, ...input }))).text, expected);
    });

    it('return the text part if the service supports it', async () => {
      const other = await connectService({ profile: 'acymailing' });
      try {
        const { templateId: id } = await other.other.createTemplate({
          name: 'Text',
          subject: 'S',
          body: '<h1>Title</h1><p>{subscriber:name}</p>',
        });
        const { data } = await call('mailing_renderEmail', { connection: other.connection, id, part: 'text' });
        assert.match(data, /Title[^]*Ann/u);
        assert.doesNotMatch(data, /<h1>/u);
      } finally {
        await other.end();
      }
    });

    it('return campaign statistics without personal data', async () => {
      const sent = (await service().other.getCampaigns({ limit: 100 }))
        .filter((campaign) => campaign.sent === 1)
        .slice(0, 2);
      const { data } = await call('mailing_statistics', at({ campaigns: sent.map(({ id }) => id) }));
      assert.match(data, /^Campaign \d+\n[^]*opens[^]*\n\nCampaign \d+\n/iu);
      assert.doesNotMatch(data, /@/u);
    });
  });

  describe('and connections', () => {
    it('report connections hidden from tools as missing', async () => {
      const id = await make();
      const connections = () => vscode.workspace.getConfiguration('mailing').get<object[]>('connections', []);
      const before = connections();
      const mine = (entry: object) => 'id' in entry && entry.id === service().connection;
      await set(
        'mailing.connections',
        before.map((entry) => (mine(entry) ? { ...entry, agents: false } : entry)),
      );
      const from = service().mark();
      assert.ok(!(await call('mailing_find', { what: 'connections' })).text.includes(service().connection));
      for (const [name, input] of [
        ['mailing_find', { what: 'templates' }],
        ['mailing_readTemplate', { id }],
        ['mailing_checkEmail', { id }],
        ['mailing_renderEmail', { id }],
        ['mailing_proposeTemplate', { id, body: 'x' }],
        ['mailing_createDraftCampaign', { name: 'x', subject: 'x' }],
        ['mailing_sendTest', { id, to: 'testList' }],
        ['mailing_statistics', { campaigns: [1] }],
      ] as const)
        assert.match((await call(name, at(input))).text, /^There is no (such )?connection/u, name);
      assert.deepEqual(writes(service(), from), []);
      assert.equal(service().mark(), from, 'It gets no request.');
      await set('mailing.connections', before);
      assert.equal((await call('mailing_readTemplate', at({ id }))).data.startsWith('<p>Dear'), true);
    });

    it('find no connections in an untrusted workspace', async () => {
      const trusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
      Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, value: false });
      try {
        assert.match(
          (await call('mailing_find', at({ what: 'templates' }))).text,
          /^There is no connection that tools may use/u,
        );
      } finally {
        if (trusted) Object.defineProperty(vscode.workspace, 'isTrusted', trusted);
      }
    });
  });

  describe('that propose', () => {
    it('show an unsaved edit next to the stored text', async () => {
      const id = await make();
      const from = service().mark();
      const replacements = [{ part: 'body', find: 'apples', replace: 'pears' }];
      const called = await propose(id, { replacements, details: { subject: 'Pears' } });
      assert.match(called.text, /^The proposal is open in the editor.*is not saved/u);
      assert.deepEqual(modals(called), []);
      assert.deepEqual(
        [opened(id).isDirty, opened(id).getText()],
        [true, '<p>Dear {subscriber:name},</p>\n<p>pears.</p>'],
      );
      const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
      const diffs = inputs.filter((input) => input instanceof vscode.TabInputTextDiff);
      assert.equal(diffs.filter(({ original }) => original.scheme === 'mailing-snapshot').length, 2);
      assert.deepEqual(writes(service(), from), []);
      const again = await propose(id, { body: '<p>Plums</p>' });
      assert.deepEqual(modals(again), [], 'A proposal may take the place of the one before.');
      assert.equal(opened(id).getText(), '<p>Plums</p>');
      await opened(id).save();
      assert.equal((await service().other.getOneTemplate(id)).body, '<p>Plums</p>');
    });

    it('ask before they replace edits of the user', async () => {
      const id = await make();
      const theirs = { body: '<p>Theirs</p>' };
      await type(await open(id), '<p>Mine</p>');
      const no = await propose(id, theirs);
      assert.match(no.text, /^The user refused/u);
      assert.match(modals(no)[0]?.detail ?? '', /The proposal replaces your unsaved edits in Harvest\.html\./u);
      assert.equal(opened(id).getText(), '<p>Mine</p>');
      const typing = await propose(id, theirs, async () => {
        await type(opened(id), '<p>Mine, still</p>');
        return 'Show Proposal';
      });
      assert.match(typing.text, /^The user has typed meanwhile/u);
      assert.equal(opened(id).getText(), '<p>Mine, still</p>');
      await propose(id, theirs, 'Show Proposal');
      assert.equal(opened(id).getText(), '<p>Theirs</p>');
      await vscode.commands.executeCommand('undo');
      assert.equal(opened(id).getText(), '<p>Mine, still</p>');
    });

    it('ask if Auto Save is on', async () => {
      const id = await make();
      await set('files.autoSave', 'afterDelay');
      const from = service().mark();
      const no = await propose(id, { body: '<p>Theirs</p>' });
      assert.match(modals(no)[0]?.detail ?? '', /Auto Save is on: the editor will save the proposal/u);
      assert.deepEqual([opened(id).isDirty, writes(service(), from)], [false, []]);
    });

    it('report why a proposal fails', async () => {
      const id = await make();
      const [drag] = await service().other.getTemplates({ templateType: 'drag', limit: 1 });
      const replacing = (find: string) => ({ replacements: [{ part: 'body', find, replace: 'x' }] });
      for (const [input, expected] of [
        [{}, /^The proposal contains no changes/u],
        [replacing('quinces'), /^Replacement 1 of the body must match exactly once/u],
        [replacing('p'), /must match exactly once/u],
        [{ body: 'x', ...replacing('apples') }, /^Provide either/u],
        [{ details: { from_email: 'invalid' } }, /^The details are no valid JSON now, or would not be valid then/u],
        [{ id: drag?.id, body: 'x' }, /^This template was created with the drag-and-drop editor/u],
      ] as const)
        assert.match((await propose(id, input)).text, expected);
    });
  });

  describe('that write', () => {
    it('create a draft only if the user agrees', async () => {
      const templateId = await make();
      const name = `Orchard ${templateId}`;
      const input = at({ name, subject: 'Ripe', templateId });
      const drafts = async () =>
        (await service().other.getCampaigns({ limit: 100, filters: { name } })).map(({ id }) => id);
      const from = service().mark();
      const no = await call('mailing_createDraftCampaign', input);
      assert.match(no.text, /^The user refused\. Nothing was done\./u);
      assert.match(modals(no)[0]?.text ?? '', /^Create the draft campaign "Orchard \d+" on Test \d+\?$/u);
      assert.match(modals(no)[0]?.detail ?? '', /A language model requested this\./u);
      assert.deepEqual([writes(service(), from), await drafts()], [[], []]);
      const yes = await call('mailing_createDraftCampaign', input, 'Create Draft');
      const [id = 0, ...others] = await drafts();
      assert.match(yes.text, new RegExp(`^The draft is campaign ${id}, and is open\\.`, 'u'));
      const made = await service().other.getCampaignById(id);
      assert.deepEqual([others, made.sent, made.draft, made.listIds ?? []], [[], 0, 1, []]);
      assert.deepEqual(writes(service(), from), ['createOrUpdateCampaign']);
      assert.match(made.body ?? '', /apples/u);
    });

    it('write nothing if the call was canceled while the confirmation was open', async () => {
      const source = new vscode.CancellationTokenSource();
      const from = service().mark();
      const calling = call(
        'mailing_createDraftCampaign',
        at({ name: 'Late', subject: 'Late', body: 'x' }),
        async () => {
          source.cancel();
          // A request to the workbench returns after the cancellation was delivered.
          await vscode.commands.getCommands();
          return 'Create Draft';
        },
        source.token,
      );
      await Promise.resolve(calling).then(
        ({ text }) => assert.match(text, /^The call was canceled/u),
        (error) => assert.match(String(error), /cancel/iu),
      );
      await call('mailing_find', at({ what: 'lists' }));
      const asked = service()
        .sandbox.requests.filter(({ number }) => number > from)
        .map(({ operation }) => operation);
      assert.deepEqual(asked, ['getLists']);
    });
  });

  describe('that send tests', () => {
    const named = (text = ''): readonly string[] => text.match(/[^\s,"]+@[^\s,"]+/gu) ?? [];
    const reached = () => service().sandbox.outbox.messages.map(({ to }) => to);

    it('reach only configured test recipients', async () => {
      const id = await make();
      for (const to of ['testList', 'lastRecipients'])
        assert.match(
          (await call('mailing_sendTest', at({ id, to }))).text,
          /^(?:This connection has no test list|No test)/u,
          to,
        );
      assert.deepEqual(reached(), []);
    });

    it('send only after the user confirms all recipients, and return no address', async () => {
      const id = await make();
      await set('mailing.testLists', { [service().connection]: testers });
      const no = await call('mailing_sendTest', at({ id, to: 'testList' }));
      assert.match(no.text, /^The user refused/u);
      assert.deepEqual(reached(), []);
      const yes = await call('mailing_sendTest', at({ id, to: 'testList' }), 'Send Test');
      assert.equal(yes.text, 'The test was sent to the 3 recipients that the user confirmed.');
      assert.deepEqual(reached().toSorted(), named(modals(yes)[0]?.detail).toSorted());
      assert.match(modals(yes)[0]?.detail ?? '', /A language model requested this\./u);
    });

    it('reach only recipients that the confirmation named, even if settings change while it is open', async () => {
      const { other, sandbox, connection } = service();
      const people = await addresses(service());
      const quiet = { sendWelcomeEmail: false, trigger: false };
      const changes: readonly (readonly [string, () => PromiseLike<object | void>])[] = [
        ['nothing', () => Promise.resolve()],
        ['the list grows', () => other.subscribeUsers({ emails: [people[30] ?? ''], listIds: [testers], ...quiet })],
        ['another list is set', () => set('mailing.testLists', { [connection]: everybody })],
        ['others were reached last', () => set('mailing.testRecipients', { [connection]: people.slice(40, 44) })],
        ['the connection is taken away', () => set('mailing.connections', [])],
      ];
      const settings = vscode.workspace.getConfiguration('mailing').get<object[]>('connections');
      let sent = 0;
      for (const [what, happens] of changes) {
        for (const to of ['testList', 'lastRecipients']) {
          const id = await make();
          await set('mailing.connections', settings);
          await set('mailing.testLists', { [connection]: testers });
          await set('mailing.testRecipients', { [connection]: people.slice(20, 22) });
          const before = reached().length;
          const called = await call('mailing_sendTest', at({ id, to }), async ({ modal, buttons }) => {
            if (!modal || buttons.includes('Create List')) return buttons[0];
            await happens();
            return 'Send Test';
          });
          const agreed = named(modals(called).at(-1)?.detail);
          const got = sandbox.outbox.messages.slice(before).map(({ to: address }) => address);
          assert.deepEqual(
            got.filter((address) => !agreed.includes(address)),
            [],
            what,
          );
          assert.deepEqual(named(called.text), [], `${what}: no address is returned. ${called.text}`);
          sent += got.length > 0 ? 1 : 0;
        }
      }
      await set('mailing.connections', settings);
      assert.ok(sent >= 4, `Some were sent: ${sent}.`);
    });
  });

  describe('and emails with prompt injections', () => {
    let people: readonly string[];
    before(async () => {
      people = await addresses(service());
    });

    for (const injection of injections) {
      it(`"${injection.name}": no key, no subscriber, no request that writes`, async () => {
        const { sandbox, other } = service();
        const id = await make(injection);
        const { campaignId } = await other.createOrUpdateCampaign({ ...injection, listIds: [everybody] });
        const from = service().mark();
        const outbox = sandbox.outbox.count;
        for (const [name, input] of [
          ['mailing_find', { what: 'templates', search: injection.name }],
          ['mailing_find', { what: 'campaigns' }],
          ['mailing_find', { what: 'lists' }],
          ['mailing_readTemplate', { id }],
          ['mailing_readTemplate', { id, part: 'details' }],
          ['mailing_checkEmail', { id }],
          ['mailing_renderEmail', { id }],
          ['mailing_renderEmail', { kind: 'campaign', id: campaignId }],
          ['mailing_statistics', { campaigns: [campaignId] }],
          ['mailing_createDraftCampaign', { name: injection.name, subject: injection.subject, templateId: id }],
          ['mailing_sendTest', { kind: 'campaign', id: campaignId, to: 'testList' }],
        ] as const) {
          const { text, data } = await call(name, at(input));
          assert.ok(!text.includes(sandbox.apiKey), name);
          assert.deepEqual(
            people.filter((address) => text.includes(address)),
            [],
            name,
          );
          assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u200B\u{E0000}-\u{E0FFF}]/u, name);
          // The email's text occurs only between the enclosing lines.
          assert.ok(!text.replace(data, '').includes(injection.body.slice(3, 40)), name);
        }
        assert.deepEqual([writes(service(), from), sandbox.outbox.count], [[], outbox]);
      });
    }

    it('redact an API key in names and bodies', async () => {
      const { apiKey } = service().sandbox;
      const id = await make({
        name: `Key ${apiKey}`,
        subject: apiKey,
        body: `<p>${apiKey.slice(0, 12)}\u200B${apiKey.slice(12)}</p>`,
      });
      for (const [name, input] of [
        ['mailing_find', { what: 'templates', search: 'Key' }],
        ['mailing_readTemplate', { id }],
        ['mailing_renderEmail', { id }],
      ] as const) {
        const { text } = await call(name, at(input));
        for (let from = 0; from + 8 <= apiKey.length; from += 1)
          assert.ok(!text.includes(apiKey.slice(from, from + 8)), name);
        assert.match(text, /•••/u, name);
      }
    });
  });

  it('log each call with tool, connection and ids, but no texts', async () => {
    const lines: string[] = [];
    const connections = {
      all: [{ id: 'shop', name: 'Shop', baseUrl: 'https://shop.example', profile: 'documented' }],
      onDidChange: () => new vscode.Disposable(() => undefined),
      run: () => Promise.reject(new Error('ann@example.com')),
      withoutKeys: (text: string) => Promise.resolve(text),
    };
    const tools = new AgentTools({
      connections,
      log: { info: (line: string) => lines.push(line) },
    } as unknown as ExtensionServices);
    const { token } = new vscode.CancellationTokenSource();
    await tools.invoke('mailing_find', { what: 'templates', search: 'Secret' }, token);
    await tools.invoke('mailing_statistics', { connection: 'shop', campaigns: [3, 4] }, token);
    await tools.invoke('mailing_readTemplate', { connection: 'Ann <ann@example.com>', id: 7 }, token);
    await tools.invoke('mailing_sendTest', { to: 'ann@example.com' }, token);
    assert.deepEqual(lines, [
      'Tool for language models: mailing_find (shop): failed.',
      'Tool for language models: mailing_statistics (shop, #3, #4): failed.',
      'Tool for language models: mailing_readTemplate (no connection, #7): not done.',
      'Tool for language models: mailing_sendTest (shop): not done.',
    ]);
    const question = tools.prepare('mailing_createDraftCampaign', {
      name: '[x](command:y)',
      subject: 'S',
    }).confirmationMessages;
    assert.equal(question?.title, 'Create a draft campaign on shop?');
    assert.ok(question.message instanceof vscode.MarkdownString && !question.message.value.includes('](command'));
    await eventually(() =>
      assert.equal(tools.prepare('mailing_readTemplate', { id: 1 }).confirmationMessages, undefined),
    );
  });
});
