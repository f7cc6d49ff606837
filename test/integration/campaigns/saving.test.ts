import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CampaignInput } from '../../../src/service/client/index.ts';
import { openRewritingProxy, type RewritingProxy } from '../../support/rewritingProxy.ts';
import { answering } from '../answers.ts';
import { connectService, revertAll, type, type TestService } from '../service.ts';
import type { Row } from '../../../src/service/client/shapes.ts';

interface Found {
  readonly id: number;
  readonly uri: vscode.Uri;
}

describe('saving a campaign', () => {
  let service: TestService;
  let front: RewritingProxy | undefined;
  /** Fields that the proxy overrides in the campaign `overriddenId`. */
  let overrides: Row = {};
  let overriddenId: number | undefined;

  const connect = async (profile: 'documented' | 'acymailing') => {
    const isOverridden = (row: Row) => Number(row['id']) === overriddenId;
    service = await connectService({ profile }, async ({ baseUrl }) => {
      front = await openRewritingProxy(baseUrl, {
        getCampaignById: (answer) =>
          (answer as Row[]).map((row) => (isOverridden(row) ? { ...row, ...overrides } : row)),
        getCampaignStatistics: () => [null, null, null],
      });
      return front.baseUrl;
    });
  };
  const create = async (fields: CampaignInput) => {
    const { campaignId } = await service.other.createOrUpdateCampaign({
      name: 'Autumn',
      subject: 'Leaves',
      body: '<p>Leaves</p>',
      listIds: [8],
      ...fields,
    });
    service.forget();
    return campaignId;
  };
  const open = async (id: number, suffix: string) => {
    const document = await vscode.workspace.openTextDocument(service.uri(`/campaigns/${id}/Autumn${suffix}`));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  const getLastRequest = () =>
    service.sandbox.requests.findLast(({ operation }) => operation === 'createOrUpdateCampaign')?.body as Row;

  afterEach(async () => {
    await revertAll();
    await service.end();
    await front?.close();
    overriddenId = undefined;
  });

  it('keeps the time of its date when its body or day is edited', async () => {
    await connect('documented');
    const id = await create({ sending_type: 'scheduled', sending_date: '2027-03-01 14:30:00' });
    const body = await open(id, '.html');
    await type(body, '<p>Red leaves</p>');
    assert.equal(await body.save(), true);
    assert.equal(getLastRequest()['sending_date'], '2027-03-01 14:30:00');
    const details = await open(id, '.campaign.json');
    await type(details, details.getText().replace('2027-03-01 14:30:00', '2027-03-02 14:30:00'));
    assert.equal(await details.save(), true);
    assert.equal((await service.other.getCampaignById(id)).sending_date, '2027-03-02 14:30:00');
  });

  it('keeps the start timestamp if the service doesn’t report its time zone', async () => {
    await connect('acymailing');
    const id = await create({
      sending_type: 'auto',
      frequency: 'every',
      frequency_options: { unit: 'day', value: 2 },
      start_date: '2027-02-28T23:00:00Z',
    });
    const body = await open(id, '.html');
    await type(body, '<p>Red leaves</p>');
    assert.equal(await body.save(), true);
    assert.equal(getLastRequest()['start_date'], Date.UTC(2027, 1, 28, 23) / 1000);
  });

  it('is announced above its body and details if it changes one of several versions only', async () => {
    await connect('acymailing');
    const id = await create({ body: '<div id="acym__wysid__template">Leaves</div>' });
    for (const suffix of ['.html', '.campaign.json']) {
      const { uri } = await open(id, suffix);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 9);
      assert.ok(
        lenses.some(({ command }) => command?.title.startsWith('3 language versions.')),
        suffix,
      );
    }
    const body = await open(id, '.html');
    await type(body, body.getText().replace('Leaves', 'Red leaves'));
    const { shown } = await answering(undefined, () => body.save());
    assert.match(JSON.stringify(shown), /visual editor opens this campaign again/u);
  });

  const reason = /sending type: "birthday"/u;
  it('is prevented with values that no request can contain: it is read-only with a reason, and duplicating it warns', async () => {
    await connect('documented');
    overrides = { sending_type: 'birthday', sending_params: { birthday: { days: 3 } } };
    overriddenId = await create({});
    const document = await open(overriddenId, '.html');
    const { permissions } = await vscode.workspace.fs.stat(document.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      9,
    );
    const lens = lenses.find(({ command }) => reason.test(command?.title ?? ''));
    assert.equal(lens?.command?.command, 'mailing.record.duplicate');
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.writeFile(document.uri, Buffer.from('<p>Red leaves</p>'))),
      reason,
    );
    assert.equal(service.received('createOrUpdateCampaign'), 0);

    const { result, shown } = await answering(undefined, () =>
      vscode.commands.executeCommand<Found>('mailing.record.duplicate', {
        connection: service.connection,
        collection: 'campaigns',
        id: overriddenId,
      }),
    );
    assert.ok(
      shown.some(({ text }) => reason.test(text) && /has no schedule, because/u.test(text)),
      JSON.stringify(shown),
    );
    const copy = await service.other.getCampaignById(result.id);
    assert.deepEqual([copy.sending_type, copy.body, copy.listIds], ['now', '<p>Leaves</p>', [8]]);
  });
});
