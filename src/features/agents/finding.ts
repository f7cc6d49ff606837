import type { MailingClient } from '../../service/client/index.ts';
import { campaignPicking as campaigns } from '../campaigns/picker.ts';
import { followUpPicking as followUps } from '../followUps/model.ts';
import { listPicking as lists } from '../lists/model.ts';
import { getTestListId, getTestRecipients } from '../../platform/sending/testSend/settings.ts';
import { CampaignSource } from '../statistics/host/source.ts';
import { createOverview } from '../statistics/analysis/overview.ts';
import type { Figure, Overview } from '../statistics/model.ts';
import { templatePicking as templates } from '../templates/model.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { toSingleLine } from '../../platform/ui/text.ts';
import type { ToolResult, Call, Tools } from './tool.ts';

const MAX_ROWS = 50;

interface SearchHit {
  readonly id: number;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string | undefined;
}

type Search = (client: MailingClient, text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>;

/** Searches by record type, as named in the tool's input. */
const SEARCHES: Readonly<Record<Exclude<Call<'mailing_find'>['input']['what'], 'connections'>, Search>> = {
  templates: templates.search,
  campaigns: campaigns.search,
  followUps: followUps.search,
  lists: lists.search,
};

/** The tools that list records and read statistics. They never return personal data. */
export const findingTools: Pick<Tools, 'mailing_find' | 'mailing_statistics'> = {
  mailing_find: {
    progressMessage: 'Searching',
    needsNoConnection: ({ what }) => what === 'connections',
    run: find,
  },
  mailing_statistics: { progressMessage: 'Reading figures', run: statistics },
};

async function find({ services, input, connection, connections, signal }: Call<'mailing_find'>): Promise<ToolResult> {
  const { what, search = '' } = input;
  if (what === 'connections') {
    const rows = connections.map((each) => ({
      connection: each.id,
      name: toSingleLine(each.name),
      profile: each.profile,
      isSandbox: each.sandbox === true,
      testList: getTestListId(each) ?? 'none is set',
      lastRecipients: formatAmount(getTestRecipients(each).length, 'address', 'addresses'),
    }));
    return formatRows(rows, 'connection');
  }
  const found = await services.connections.run(connection.id, (client) =>
    SEARCHES[what](client, search.trim(), signal),
  );
  return formatRows(
    found.map(({ id, label: name, description: is, detail }) => ({ id, name, is, detail })),
    'record',
  );
}

function formatRows(rows: readonly object[], noun: string): ToolResult {
  const lines = rows.slice(0, MAX_ROWS).map((row) => JSON.stringify(row));
  const sentences = [
    rows.length === 0 ? 'Nothing was found.' : `${formatAmount(lines.length, noun)}, one on each line.`,
    ...(rows.length > lines.length ? ['There are more: search for a name.'] : []),
  ];
  return {
    outcome: 'done',
    message: sentences.join(' '),
    ...(lines.length > 0 && { data: { text: lines.join('\n'), isEmailText: false } }),
  };
}

async function statistics({ services, input, connection, signal }: Call<'mailing_statistics'>): Promise<ToolResult> {
  const texts = await Promise.all(
    [...new Set(input.campaigns)].map(async (id) => {
      const source = new CampaignSource(services.connections, { connection: connection.id, id });
      return [`Campaign ${id}`, ...formatOverview(createOverview(await source.figures(signal)))].join('\n');
    }),
  );
  const message = 'Figures of each campaign, as reported by the service.';
  return { outcome: 'done', message, data: { text: texts.join('\n\n'), isEmailText: false } };
}

/** Leaves out unrecognized fields, which may contain anything. */
function formatOverview({ isUnsent, isUnopened, figures, sales, remarks }: Overview): readonly string[] {
  const line = ({ label, value, rate }: Figure): string =>
    `${label}: ${value}${rate === undefined ? '' : ` (${rate.value} ${rate.of})`}`;
  return [
    ...(isUnsent ? ['Nothing was sent yet.'] : isUnopened ? ['No opens yet.'] : []),
    ...[...figures, ...sales].map(line),
    ...remarks,
  ];
}
