import type { CustomField } from '../../../email/tags/index.ts';
import type { Details } from '../../../ui/page/form/protocol.ts';

export type { FieldProblem } from '../../../ui/page/form/protocol.ts';

/** The number of distinct recipients of the selected lists. */
export type Audience =
  | { readonly kind: 'none' }
  | { readonly kind: 'counting' }
  | { readonly kind: 'failed'; readonly message: string }
  /** `count`: a lower bound unless `exact`. */
  | { readonly kind: 'counted'; readonly count: number; readonly exact: boolean };

interface CampaignStatus {
  readonly state: 'draft' | 'scheduled' | 'auto' | 'sent';
  /** "scheduled Jan 31, 2027" */
  readonly label: string;
}

export type CampaignFormCommand = 'openBody' | 'preview' | 'sendTest' | 'send' | 'showStatistics' | 'duplicate';

/** The service's tags, and the custom fields found in its subscribers. */
export interface TagsToPage {
  readonly type: 'tags';
  /** The raw `tags` setting of the connection. */
  readonly setting: unknown;
  readonly fields: readonly CustomField[];
}

/** Messages to the page in addition to those of every form. */
export type CampaignToPage =
  | TagsToPage
  /** `isRecord` is false for a local file, which can't be sent or previewed. */
  | {
      readonly type: 'status';
      readonly isRecord: boolean;
      readonly status?: CampaignStatus;
      readonly preheader?: string;
      /** The stored settings of the site. */
      readonly siteParams?: Details;
      /** "2 A/B versions. …" */
      readonly versions?: string;
    }
  /**
   * Whether the service stores the first day of an automatic campaign in UTC, otherwise in its own time zone; and whether it ignores the
   * schedule when the user sends. `site`: its address, if campaigns have settings of the site.
   */
  | { readonly type: 'zones'; readonly isStartUtc: boolean; readonly sendsAtOnce: boolean; readonly site?: string }
  | { readonly type: 'audience'; readonly audience: Audience }
  /** HTML of the body, for the inbox snippet. */
  | { readonly type: 'body'; readonly html: string };
