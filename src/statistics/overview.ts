import * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { inMessage } from '../workbench/text.ts';
import { withProgress } from '../workbench/progress.ts';
import type { RecordRef } from '../workbench/record.ts';
import { Targets } from '../workbench/targets.ts';

type Row = Readonly<Record<string, unknown>>;

/** Shows the figures of a campaign, and the clicks on its links, as a text beside the code. */
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
  const [campaign, versions, links] = await withProgress('Reading the statistics', (signal) =>
    connections.run(ref.connection, (client) =>
      Promise.all([
        client.getCampaignById(ref.id, { signal }),
        client.getCampaignStatistics(ref.id, { signal }),
        client.getCampaignStatisticsLinks(ref.id, { signal }),
      ]),
    ),
  );
  const name = inMessage(campaign.name ?? '') || `Campaign ${ref.id}`;
  const sections = [
    `Statistics of "${name}" (campaign ${ref.id})`,
    ...versions.map((version, index) => (versions.length > 1 ? `Version ${index + 1}\n` : '') + table(version)),
    ...(versions.length === 0 ? ['Nothing was sent yet, or no figures have come in.'] : []),
    ...(links.length === 0 ? [] : ['Clicks by link', ...links.map((link) => table(link))]),
  ];
  const uri = documents.snapshots.add(`Statistics ${ref.id}.txt`, `${sections.join('\n\n')}\n`);
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
