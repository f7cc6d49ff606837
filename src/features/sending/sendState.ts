import type { ServiceRef } from '../../platform/connections/model.ts';
import type { MailingClient } from '../../service/client/index.ts';
import type { SendEntry, SendState } from '../../sync/requests/kinds.ts';

/** The parts of connections that sending needs. */
export interface SendConnections {
  get(id: string): { readonly baseUrl: string; readonly name?: string } | undefined;
  run<T>(service: ServiceRef, operation: (client: MailingClient) => Promise<T>): Promise<T>;
}

export function getSendState({ draft, active, sent, sending_date }: SendState): SendState {
  return { draft, active, sent, sending_date };
}

export function isSameSendState(one: SendState, other: SendState): boolean {
  return JSON.stringify(getSendState(one)) === JSON.stringify(getSendState(other));
}

/**
 * Returns whether a record shows that the campaign was sent since `before`. False proves nothing: if the response was
 * lost, the service may still be processing the request.
 */
export function wasSent(before: SendState, after: SendState): boolean {
  if (after.sent === 1 && before.sent !== 1) return true;
  // After a repeated send, only the date differs.
  if (before.sent === 1) return after.sent === 1 && after.sending_date !== before.sending_date;
  return (after.active === 1 && before.active !== 1) || (after.draft === 0 && before.draft === 1);
}

/** Returns whether a campaign's record shows that it was sent since `before`. A failed request counts as no. */
export async function recordShowsSent(
  connections: SendConnections,
  { campaignId, before, ...service }: ServiceRef & Pick<SendEntry, 'campaignId' | 'before'>,
): Promise<boolean> {
  const reading = connections.run(service, (client) => client.getCampaignById(campaignId));
  const campaign = await reading.catch(() => undefined);
  return campaign !== undefined && wasSent(before, campaign);
}
