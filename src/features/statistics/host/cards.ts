import type { Campaign } from '../../../service/client/index.ts';
import type { CampaignCard, CampaignRef } from '../model.ts';
import { nameOf, stateWords } from '../../campaigns/model.ts';
import { plain } from '../../../platform/ui/text.ts';
import type { StatisticsConnections } from './source.ts';

/** What is known of a campaign: its record, or why there is none. */
export type RecordState =
  | { readonly kind: 'unread' }
  | { readonly kind: 'read'; readonly campaign: Campaign }
  /** It was deleted; the record is what it was before. */
  | { readonly kind: 'gone'; readonly campaign?: Campaign };

/** A campaign as the page's header names it. */
export function createCampaignCard(
  services: Pick<StatisticsConnections, 'get'>,
  ref: CampaignRef,
  known: RecordState,
): CampaignCard {
  const connection = services.get(ref.connection);
  const campaign = known.kind === 'unread' ? undefined : known.campaign;
  return {
    ref,
    name: nameOf(campaign ?? ref),
    state: connection === undefined ? 'connection removed' : known.kind === 'gone' ? 'deleted' : formatState(campaign),
    isMissing: known.kind === 'gone' || connection === undefined,
    service: plain(connection?.name ?? ref.connection),
  };
}

/** What a campaign is waiting for, or when it went out. Nothing where its record does not say. */
function formatState(campaign: Campaign | undefined): string {
  const { sent, draft, sending_type } = campaign ?? {};
  return campaign === undefined || (sent === undefined && draft === undefined && sending_type === undefined)
    ? ''
    : stateWords(campaign);
}
