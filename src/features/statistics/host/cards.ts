import type { Campaign } from '../../../service/client/index.ts';
import type { CampaignCard, CampaignRef } from '../model.ts';
import { getCampaignName, describeCampaignState } from '../../campaigns/model.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import type { StatisticsConnections } from './source.ts';

/** The state of a campaign's record. */
export type RecordState =
  | { readonly kind: 'unread' }
  | { readonly kind: 'read'; readonly campaign: Campaign }
  /** The campaign was deleted. `campaign` is the last record that was read. */
  | { readonly kind: 'deleted'; readonly campaign?: Campaign };

/** Creates the card of a campaign for the page's header. */
export function createCampaignCard(
  services: Pick<StatisticsConnections, 'get'>,
  ref: CampaignRef,
  recordState: RecordState,
): CampaignCard {
  const connection = services.get(ref.connection);
  const campaign = recordState.kind === 'unread' ? undefined : recordState.campaign;
  return {
    ref,
    name: getCampaignName(campaign ?? ref),
    state:
      connection === undefined
        ? 'connection removed'
        : recordState.kind === 'deleted'
          ? 'deleted'
          : formatState(campaign),
    isMissing: recordState.kind === 'deleted' || connection === undefined,
    service: toSingleLine(connection?.name ?? ref.connection),
  };
}

/** Describes whether and when a campaign is sent; empty if the record doesn't have that information. */
function formatState(campaign: Campaign | undefined): string {
  const { sent, draft, sending_type } = campaign ?? {};
  return campaign === undefined || (sent === undefined && draft === undefined && sending_type === undefined)
    ? ''
    : describeCampaignState(campaign);
}
