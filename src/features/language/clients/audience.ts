import * as vscode from 'vscode';
import type { Campaign, CampaignUserStatistics } from '../../../service/client/index.ts';
import { MAX_PAGE_SIZE, paginatePages, type FetchPage } from '../../../service/client/paginate.ts';
import { countClientShares, getClientName, type ClientShares } from '../../../email/checks/clients.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { toServiceRef } from '../../../platform/connections/model.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { formatNumber, formatPair, plural, t } from '../../../l10n.ts';
import { formatPercent } from '../../../service/format.ts';
import { confirm, showInfo, withProgress } from '../../../ui/messages.ts';
import type { CommandArgument } from '../../../ui/commands.ts';

/** Number of recent campaigns to count. */
const MAX_CAMPAIGNS = 5;
/** Number of campaigns to search for them. */
const MAX_CAMPAIGNS_READ = 1000;
/** Number of recipients to count per campaign. */
const MAX_RECIPIENTS = 5000;
/** Clients with a lower share of opens are not suggested. */
const MIN_SHARE = 0.01;

/** Limitations of the counts. */
const getBlindSpots = () => [
  t('Recipients whose client blocks images, as Outlook for Windows does by default, are not counted.'),
  t("Apple's privacy proxy also opens unread emails, so the share of Apple Mail is too high."),
  t('Opens reported only as "Outlook" count for both Outlook for Windows and Outlook.com.'),
];

/**
 * Counts the clients in which recipients opened the last campaigns, and stores these as the clients to check for,
 * after a confirmation. Undefined if the user cancels or the service reports no clients.
 */
export async function useAudienceClients(connections: Connections, argument: CommandArgument) {
  const picker = new TargetPicker(connections);
  const connection = await picker.pickConnection(argument, t("Use My Audience's Clients"));
  if (!connection) return undefined;
  const { campaigns, counted } = await withProgress(t('Counting opens by mail client'), async (signal, report) =>
    connections.run(toServiceRef(connection), async (client) => {
      const all = await readRows((page) => client.getCampaigns(page, { signal }), signal, MAX_CAMPAIGNS_READ);
      const sent = getLastSent(all);
      const opened: string[] = [];
      for (const [index, { id }] of sent.entries()) {
        const rows = await readRows(
          (page) => client.getCampaignStatisticsDetailed(id, page, { signal }),
          signal,
          MAX_RECIPIENTS,
          (count) => {
            const campaign = t('campaign {0} of {1}', index + 1, sent.length);
            report(`${campaign} · ${plural(count, t('{0} recipient'), t('{0} recipients'))}`);
          },
        );
        opened.push(...rows.filter(hasOpened).map(({ opened_with: openedWith }) => openedWith ?? ''));
      }
      return { campaigns: sent.length, counted: countClientShares(opened) };
    }),
  );
  const proposed = counted.shares.filter(({ share }) => share >= MIN_SHARE);
  if (proposed.length === 0) {
    const message =
      campaigns === 0
        ? t`${connection.name} has no sent campaigns.`
        : plural(
            campaigns,
            t("{1} didn't report which mail clients opened the last campaign."),
            t("{1} didn't report which mail clients opened the last {0} campaigns."),
            connection.name,
          );
    void showInfo(message);
    return undefined;
  }
  const source = t`Opens counted: ${formatNumber(counted.opens)}. Campaigns: ${formatNumber(campaigns)}.`;
  const detail = [...formatProposal(counted, proposed), source, ...getBlindSpots()];
  const question = plural(
    proposed.length,
    t('Check emails for this mail client?'),
    t('Check emails for these {0} mail clients?'),
  );
  const action = t({ message: 'Use These', args: [], comment: 'Button: use these mail clients' });
  const agreed = await confirm(question, detail, action);
  if (!agreed) return undefined;
  const clients = proposed.map(({ name }) => name);
  const shares = Object.fromEntries(proposed.map(({ name, share }) => [name, Math.round(share * 1000) / 1000]));
  await writeCheckSetting('clients', clients);
  await writeCheckSetting('clientShares', shares);
  return { clients, shares, opens: counted.opens };
}

function formatProposal({ opens, unknown }: ClientShares, proposed: ClientShares['shares']) {
  const lines = proposed.map(({ name, share }) => `• ${formatPair(getClientName(name), formatPercent(share))}`);
  const unknownLabel = t({ message: 'Unknown', args: [], comment: 'Unknown mail clients, with a share of opens' });
  return unknown === 0 ? lines : [...lines, `• ${formatPair(unknownLabel, formatPercent(unknown / opens))}`];
}

/** Returns the last sent campaigns, newest first. */
function getLastSent(campaigns: readonly Campaign[]) {
  const dateOf = ({ sending_date: date }: Campaign) => date ?? '';
  return campaigns
    .filter(({ sent }) => sent === 1)
    .sort((one, other) => dateOf(other).localeCompare(dateOf(one)) || other.id - one.id)
    .slice(0, MAX_CAMPAIGNS);
}

const hasOpened = ({ open, opened_with: openedWith }: CampaignUserStatistics) =>
  Number(open ?? 0) > 0 || Boolean(openedWith);

/** Reads the rows of all pages, up to a limit. */
async function readRows<Row>(
  fetchPage: FetchPage<Row>,
  signal: AbortSignal,
  maxRows: number,
  report?: (count: number) => void,
) {
  const rows: Row[] = [];
  for await (const page of paginatePages(fetchPage, { pageSize: MAX_PAGE_SIZE, signal })) {
    rows.push(...page);
    report?.(rows.length);
    if (rows.length >= maxRows) break;
  }
  return rows;
}

/** Writes a setting to the workspace if it is set there, else to the user settings. */
async function writeCheckSetting(name: string, value: unknown) {
  const settings = vscode.workspace.getConfiguration('mailing.checks');
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await settings.update(name, value, settings.inspect(name)?.workspaceValue === undefined ? Global : Workspace);
}
