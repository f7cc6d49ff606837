import type { Campaign } from '../../service/client/index.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { detailsOf, fieldsOfType, heldRhythm, isNothing, isSendingType, object, type CampaignDraft } from './model.ts';

/** Settings in `sending_params` that a request can carry. Others are lost by an update: whom a campaign goes to may be among them. */
const knownParams: ReadonlySet<string> = new Set([
  'trigger_type',
  'every',
  'frequency_options',
  'need_confirm_to_send',
  'need_confirm',
  'start_date',
]);
const knownRhythm: ReadonlySet<string> = new Set(['type', 'number', 'unit', 'value']);
const knownTriggers: ReadonlySet<unknown> = new Set(['every', 'asap', 'cron']);
const flags: ReadonlySet<unknown> = new Set([0, 1, '0', '1', true, false, '']);

/**
 * What a record holds that no request can carry, as words: "the sending type “birthday”". Undefined where all of it can be sent back.
 */
function unsendable(campaign: Campaign): string | undefined {
  return findings.reduce<string | undefined>((found, find) => found ?? find(campaign), undefined);
}

/** Why a record that holds such a thing can't be edited. */
export function unsendableReason(campaign: Campaign): string | undefined {
  const what = unsendable(campaign);
  const wayOut = 'Change it on the service’s website, or duplicate it to make a draft without that.';
  return (
    what && `It has ${what}, which can’t be sent back: a save would change when, or to whom, it goes out. ${wayOut}`
  );
}

/** What a copy of a campaign is made of, and what is to be told of it. */
interface Copy {
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
    warning: `"${escapeMessage(draft.name)}" is a draft that goes out when you send it, ${why}. Look whom it goes to before you send it.`,
  };
}

const findings: readonly ((campaign: Campaign) => string | undefined)[] = [
  ({ sending_type: type }) => (isNothing(type) || isSendingType(type) ? undefined : `the sending type ${quoted(type)}`),
  (campaign) =>
    isNothing(campaign.sending_type) && hasPlan(campaign) ? 'a date or a rhythm without a sending type' : undefined,
  ({ sending_params: params }) =>
    isNothing(params) || object(params) ? undefined : `the sending settings ${quoted(params)}`,
  ({ sending_params: params }) => {
    const other = Object.entries(object(params) ?? {}).find(
      ([name, value]) => !knownParams.has(name) && !isNothing(value),
    );
    return other && `the sending setting ${quoted(other[0])}`;
  },
  whereAutomatic(({ trigger }) =>
    isNothing(trigger) || knownTriggers.has(trigger) ? undefined : `the rhythm ${quoted(trigger)}`,
  ),
  whereAutomatic(({ trigger, every, unit, value }) => {
    if (trigger === 'asap' || trigger === 'cron' || isNothing(every)) return undefined;
    const others = Object.entries(object(every) ?? {}).filter(
      ([name, held]) => !knownRhythm.has(name) && !isNothing(held),
    );
    return unit !== undefined && value !== undefined && others.length === 0 ? undefined : `the rhythm ${quoted(every)}`;
  }),
  whereAutomatic(({ confirm }) =>
    isNothing(confirm) || flags.has(confirm) ? undefined : `the confirmation ${quoted(confirm)}`,
  ),
  // Zero is how databases write "none" among seconds.
  whereAutomatic(({ start }) =>
    isNothing(start) || start === 0 || typeof start === 'string' ? undefined : `the start ${quoted(start)}`,
  ),
];

function whereAutomatic(find: (held: ReturnType<typeof heldRhythm>) => string | undefined) {
  return (campaign: Campaign): string | undefined =>
    campaign.sending_type === 'auto' ? find(heldRhythm(campaign)) : undefined;
}

function hasPlan(campaign: Campaign): boolean {
  const { trigger, every, start } = heldRhythm(campaign);
  return [campaign.sending_date, trigger, every, start].some((held) => !isNothing(held));
}

function quoted(value: unknown): string {
  return `“${escapeMessage(typeof value === 'string' ? value : JSON.stringify(value), 60)}”`;
}
