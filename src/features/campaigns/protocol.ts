import type { CustomField } from '../../email/tags/index.ts';
import type { FormFromPage, FormToPage } from '../../platform/webview/form/protocol.ts';

export type { FieldProblem, FormListChoice, Lists, Path } from '../../platform/webview/form/protocol.ts';

/** How many people the chosen lists have, each counted once. */
export type Audience =
  | { readonly kind: 'none' }
  | { readonly kind: 'counting' }
  | { readonly kind: 'failed'; readonly message: string }
  /** `recipients`: "1,204 recipients"; there are more where it isn't `exact`. */
  | { readonly kind: 'counted'; readonly recipients: string; readonly exact: boolean };

/** What the campaign is waiting for. */
export interface CampaignStatus {
  readonly state: 'draft' | 'scheduled' | 'auto' | 'sent';
  /** "scheduled Jan 31, 2027" */
  readonly label: string;
}

/** What the buttons of the form do; the host knows how. */
export type CampaignFormCommand = 'openBody' | 'preview' | 'sendTest' | 'send' | 'openAsText' | 'duplicate';

/** The service's tags, and the custom fields that were seen of its subscribers. */
export interface TagsToPage {
  readonly type: 'tags';
  /** As the connection's setting says. */
  readonly setting: unknown;
  readonly fields: readonly CustomField[];
}

/** What the campaign's page is told beside its details. */
export type CampaignToPage =
  | TagsToPage
  /** `isRecord` is false for a file that belongs to no service: there is nothing to send or preview. */
  | { readonly type: 'status'; readonly isRecord: boolean; readonly status?: CampaignStatus }
  /** Whether the service holds the first day of an automatic campaign as a moment of UTC: else its zone is the service's own. */
  | { readonly type: 'zones'; readonly isStartUtc: boolean }
  | { readonly type: 'audience'; readonly audience: Audience }
  /** HTML of the body, for the words that an inbox shows of it. */
  | { readonly type: 'body'; readonly html: string };

export type ToPage = FormToPage | CampaignToPage;

export type FromPage = FormFromPage<CampaignFormCommand>;
