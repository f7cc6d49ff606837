import type { Campaign } from '../api/index.ts';
import { inMessage } from '../ui/text.ts';
import type { CampaignDraft } from './campaigns.ts';
import { detailsOf, fieldsOfType } from './fields.ts';
import { unsendable } from './unsendable.ts';

/** What a copy of a campaign is made of, and what is to be told of it. */
export interface Copy {
  readonly draft: CampaignDraft;
  /** Where a part of the original can't be sent: then the copy has no plan of its own, and goes out when it is sent. */
  readonly warning?: string;
}

export function copyOf(campaign: Campaign): Copy {
  const details = detailsOf(campaign);
  const draft = { ...details, name: `${details.name} (copy)`.trim(), body: campaign.body ?? '' };
  const what = unsendable(campaign);
  if (what === undefined) return { draft };
  const planned = new Set<string>(Object.values(fieldsOfType).flat());
  const unplanned = Object.fromEntries(Object.entries(draft).filter(([field]) => !planned.has(field))) as typeof draft;
  const why = `because ${what} of the original can't be copied`;
  return {
    draft: { ...unplanned, sending_type: 'now' },
    warning: `"${inMessage(draft.name)}" is a draft that goes out when you send it, ${why}. Look whom it goes to before you send it.`,
  };
}
