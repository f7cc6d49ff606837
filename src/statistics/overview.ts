import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { MailingClient } from '../api/index.ts';
import type { Rooms } from '../rooms.ts';
import { inMessage } from '../workbench/text.ts';
import { errorText } from '../workbench/words.ts';
import { withProgress } from '../workbench/progress.ts';
import type { RecordRef } from '../workbench/record.ts';
import { Targets } from '../workbench/targets.ts';

type Row = Readonly<Record<string, unknown>>;

/** How many recipients are listed one by one. */
const listed = 100;

/** What there is to read of a campaign, and what is said where there is nothing. */
const sections: readonly { readonly title: string; readonly none: string; read(client: MailingClient, id: number, signal: AbortSignal): Promise<readonly Row[]> }[] = [
  { title: 'Overview', none: 'Nothing was sent yet, or no figures have come in.', read: (client, id, signal) => client.getCampaignStatistics(id, { signal }) },
  { title: 'Clicks by link', none: 'No link was clicked yet.', read: (client, id, signal) => client.getCampaignStatisticsLinks(id, { signal }) },
  { title: 'Clicks by user', none: 'Nobody clicked yet.', read: (client, id, signal) => client.getCampaignStatisticsClicks(id, { signal }) },
  { title: `Recipients (the first ${listed})`, none: 'Nobody got it yet.', read: (client, id, signal) => client.getCampaignStatisticsDetailed(id, { limit: listed }, { signal }) },
];

/** The rows of one part as text. A part that can't be read says why: the others are there all the same. */
async function rowsOf(read: () => Promise<readonly Row[]>, none: string): Promise<string> {
  try {
    const rows = await read();
    return rows.length === 0 ? none : rows.map(table).join('\n\n');
  } catch (error) {
    if (!isApiError(error) || error.kind === 'aborted') throw error;
    // Some services answer "not found" where there is nothing yet.
    return error.kind === 'notFound' ? none : errorText(error);
  }
}

/** Shows the statistics of a campaign as a text beside the code. */
export async function showOverview(rooms: Rooms, argument: unknown): Promise<RecordRef | undefined> {
  const { connections, documents } = rooms;
  const ref = await new Targets(connections).record(argument, {
    title: 'Show Statistics',
    placeholder: 'Which campaign?',
    collection: 'campaigns',
    search: async (client, text, signal) => {
      const campaigns = await client.getCampaigns({ limit: 100, ...(text === '' ? {} : { filters: { name: text } }) }, { signal });
      return campaigns.map(({ id, name, subject }) => ({ id, label: inMessage(name ?? '') || `Campaign ${id}`, description: `#${id}`, detail: inMessage(subject ?? '') }));
    },
  });
  if (ref === undefined) return undefined;
  const { campaign, parts } = await withProgress('Reading the statistics', (signal) =>
    connections.run(ref.connection, async (client) => ({
      campaign: await client.getCampaignById(ref.id, { signal }),
      parts: await Promise.all(sections.map(async ({ title, none, read }) => `${title}\n\n${await rowsOf(() => read(client, ref.id, signal), none)}`)),
    })),
  );
  const name = inMessage(campaign.name ?? '') || `Campaign ${ref.id}`;
  const text = [`Statistics of "${name}" (campaign ${ref.id})`, ...parts].join('\n\n');
  const uri = documents.snapshots.add(`Statistics ${ref.id}.txt`, `${text}\n`);
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  return ref;
}

/** Every field that has a value, as a readable name and the value. */
function table(row: Row): string {
  const fields = Object.entries(row).filter(([, value]) => value !== null && value !== '');
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => `  ${inMessage(name).replace(/_/g, ' ').padEnd(width + 2)}${inMessage(typeof value === 'object' ? JSON.stringify(value) : String(value), 2000)}`)
    .join('\n');
}
