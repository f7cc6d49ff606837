import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { localized } from '../../l10n.ts';
import type { ServiceRef } from '../../platform/connections/model.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import { showError, showInfo, showWarning } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import type { CampaignSender, SendOutcome } from './campaignSender.ts';
import { formatRequestTime } from '../../sync/requests/journal.ts';
import type { SendEntry } from '../../sync/requests/kinds.ts';

const buttons = localized(() => ({
  openOutbox: t('Open Outbox'),
  showStatistics: t('Show Statistics'),
  openCampaign: t('Open Campaign'),
  stopWatching: t('Stop Watching'),
  deleteTestCampaign: t('Delete Test Campaign'),
}));

/** What the user can do next, by what became of a send. */
const nextActions = {
  sent: ['showStatistics'],
  unknown: ['showStatistics', 'openCampaign', 'stopWatching'],
  /** A campaign whose response was lost is confirmed, or no longer watched. */
  settled: ['showStatistics', 'openCampaign'],
  testSent: ['showStatistics', 'deleteTestCampaign'],
  /** Only its record can confirm the test, so deleting the campaign isn't offered. */
  testUnknown: ['showStatistics', 'stopWatching'],
} as const;

interface SendNews {
  readonly service: ServiceRef;
  /** Undefined for a test without a campaign. */
  readonly campaignId: number | undefined;
  readonly state: keyof typeof nextActions;
  readonly message: string;
  readonly isWarning: boolean;
}

interface NewsServices {
  readonly connections: Connections;
  readonly getCampaignSender: () => Promise<CampaignSender>;
}

/** Notifies the user of the outcome of a send, with its next actions. Never fails. */
export async function showSendOutcome(
  { connections, getCampaignSender }: NewsServices,
  { service, campaignId: id = 0, state, message, isWarning }: SendNews,
): Promise<void> {
  const { connection } = service;
  const hasOutbox = connections.get(connection)?.sandbox === true && state.startsWith('test');
  const actions = [...(hasOutbox ? (['openOutbox'] as const) : []), ...(id === 0 ? [] : nextActions[state])];
  const titles = buttons();
  const title = await (isWarning ? showWarning : showInfo)(message, ...actions.map((action) => titles[action]));
  const choice = actions.find((action) => titles[action] === title);
  const { executeCommand } = vscode.commands;
  try {
    if (choice === 'openOutbox') await executeCommand('mailing.sandbox.openOutbox');
    if (choice === 'showStatistics') await executeCommand('mailing.campaign.showStatistics', { ...service, id });
    if (choice === 'openCampaign')
      await executeCommand('mailing.record.open', { ...service, collection: 'campaigns', id });
    if (choice === 'stopWatching') await (await getCampaignSender()).stopWatching({ ...service, id });
    if (choice === 'deleteTestCampaign') await connections.run(service, (client) => client.deleteCampaign(id));
  } catch (error) {
    void showError(error, { title });
  }
}

/** Notifies the user of what became of an unconfirmed send. */
export function showSettledSend(services: NewsServices, entry: SendEntry, outcome: SendOutcome): Promise<void> {
  const { campaignId, name } = entry;
  const [title, time] = [escapeMessage(name), formatRequestTime(entry)];
  const message =
    outcome === 'sent'
      ? t`"${title}" was sent or scheduled on ${time}. The response was lost, but the service confirms it now.`
      : t`"${title}" may have been sent on ${time}, but the service still doesn't show it. Check the service's website before you send it again.`;
  return showSendOutcome(services, {
    service: entry,
    campaignId,
    state: 'settled',
    message,
    isWarning: outcome === 'unknown',
  });
}
