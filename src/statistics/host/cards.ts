import type { Campaign } from '../../api/index.ts';
import type { CampaignCard, CampaignRef } from '../model.ts';
import { formatDateTime, joinParts } from '../../ui/format.ts';
import { plain } from '../../ui/text.ts';
import type { Services } from './source.ts';

/** What is known of a campaign: its record, or why there is none. */
export type Known =
  | { readonly kind: 'unread' }
  | { readonly kind: 'read'; readonly campaign: Campaign }
  /** It was deleted; the record is what it was before. */
  | { readonly kind: 'gone'; readonly campaign?: Campaign };

/** A campaign as the page's header names it. */
export function cardOf(services: Pick<Services, 'get'>, ref: CampaignRef, known: Known): CampaignCard {
  const connection = services.get(ref.connection);
  const campaign = known.kind === 'unread' ? undefined : known.campaign;
  return {
    ref,
    name: nameOf(ref, campaign),
    state:
      connection === undefined ? 'connection removed' : known.kind === 'gone' ? 'deleted' : campaign === undefined ? '' : stateOf(campaign),
    gone: known.kind === 'gone' || connection === undefined,
    service: plain(connection?.name ?? ref.connection),
  };
}

export function nameOf({ id }: Pick<CampaignRef, 'id'>, campaign: Campaign | undefined): string {
  return plain(campaign?.name ?? '') || plain(campaign?.subject ?? '') || `Campaign ${id}`;
}

/** What a campaign is waiting for, or when it went out. Nothing where its record does not say. */
export function stateOf({ sent, draft, sending_type: type, sending_date: date }: Campaign): string {
  const when = formatDateTime(date) ?? '';
  if (sent === 1) return `sent ${when}`.trim();
  if (type === 'auto') return joinParts(['automatic', draft === 1 && 'draft']);
  if (draft === 1) return 'draft';
  if (type === 'scheduled') return `scheduled ${when}`.trim();
  return sent === 0 ? 'not sent yet' : '';
}
