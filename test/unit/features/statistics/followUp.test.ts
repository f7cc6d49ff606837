import assert from 'node:assert/strict';
import { StatisticsReport } from '../../../../src/features/statistics/report.ts';
import type { StatisticsConnections } from '../../../../src/features/statistics/source.ts';
import type { ToPage } from '../../../../src/features/statistics/protocol.ts';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { useService } from '../../service/sandbox/support.ts';

describe('the statistics of a follow-up', () => {
  const service = useService({ profile: 'acymailing' });
  let client: MailingClient;
  beforeEach(() => {
    const { baseUrl, apiKey } = service.sandbox;
    client = new MailingClient({ baseUrl, apiKey, profile: 'acymailing' });
  });
  afterEach(() => client.close());

  const readReport = async (id: number, rows?: readonly (object | null)[]) => {
    const changed = new Proxy(client, {
      get: (target, name: keyof MailingClient) =>
        name === 'getFollowupStatistics' && rows ? async () => rows : target[name].bind(target as never),
    });
    const services: StatisticsConnections = {
      run: (_, operation) => operation(changed),
      getService: (connection) => ({ connection, baseUrl: '' }),
      get: (connection) => ({ id: connection, name: 'Test', baseUrl: '', profile: 'acymailing' }),
    };
    const posted: ToPage[] = [];
    const selection = [{ connection: 'test', id, collection: 'follow-ups' }] as const;
    const report = new StatisticsReport(services, selection, (message) => posted.push(message));
    await report.read('opened');
    const message = posted.findLast(({ type }) => type === 'figures');
    assert.ok(message?.type === 'figures');
    return { report, figures: message.figures };
  };

  it('show a column for each mail in the order of the delays, and name those that were not sent', async () => {
    const { mails } = await client.getFollowUpById(1);
    assert.ok(Array.isArray(mails) && mails.length > 1);
    const ids = mails.map(({ mail_id }) => mail_id);
    const row = { mail_id: ids[0], total_subscribers: 4, sent: 4, open_unique: 3 };
    const { report, figures } = await readReport(1, [row, ...ids.slice(1).map(() => null)]);
    assert.ok(figures.kind === 'loaded' && 'columns' in figures.value);
    const { columns, rows, isOfMails } = figures.value;
    assert.deepEqual(
      columns,
      ids.map((id, at) => (at === 0 ? `Email ${id}` : `Email ${id} · not sent yet`)),
    );
    const opens = rows.find(({ label }) => label === 'Unique opens')?.cells.map(({ value }) => value);
    assert.deepEqual(opens, ['3', ...ids.slice(1).map(() => '–')]);
    assert.deepEqual([isOfMails, report.records, report.cards[0]?.name], [true, undefined, 'Welcome series']);
  });

  it('are those of the service', async () => {
    const rows = await client.getFollowupStatistics(1);
    assert.ok(rows.length > 1 && rows.some((row) => Number(row?.sent) > 0));
    assert.equal((await readReport(1)).figures.kind, 'loaded');
  });

  it('say that a follow-up was deleted', async () => {
    const { figures, report } = await readReport(99);
    assert.ok(figures.kind === 'failed');
    assert.match(figures.message, /follow-up/u);
    assert.equal(report.cards[0]?.isMissing, true);
  });
});
