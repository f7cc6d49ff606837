import type { Campaign } from '../../service/client/index.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import {
  readCampaignDetails,
  fieldsBySendingType,
  readRawSchedule,
  isEmptyValue,
  isSendingType,
  asObject,
  type CampaignDraft,
} from './model.ts';

/** Settings in `sending_params` that a request can contain. An update loses others, which may select the recipients. */
const SENDABLE_PARAMS: ReadonlySet<string> = new Set([
  'trigger_type',
  'every',
  'frequency_options',
  'need_confirm_to_send',
  'need_confirm',
  'start_date',
]);
const SENDABLE_FREQUENCY_FIELDS: ReadonlySet<string> = new Set(['type', 'number', 'unit', 'value']);
const SENDABLE_TRIGGERS: ReadonlySet<unknown> = new Set(['every', 'asap', 'cron']);
const SENDABLE_FLAGS: ReadonlySet<unknown> = new Set([0, 1, '0', '1', true, false, '']);

/** Describes a value in a record that no request can contain: "the sending type “birthday”". Undefined if there is none. */
function describeUnsendable(campaign: Campaign): string | undefined {
  return unsendableChecks.reduce<string | undefined>((found, find) => found ?? find(campaign), undefined);
}

/** Returns why a campaign can't be edited, or undefined if it can. */
export function getUnsendableReason(campaign: Campaign): string | undefined {
  const what = describeUnsendable(campaign);
  const instruction = 'Change it on the service’s website, or duplicate it to create a draft without that.';
  return (
    what && `It has ${what}, which a save would lose: that could change when or to whom it is sent. ${instruction}`
  );
}

interface CampaignCopy {
  readonly draft: CampaignDraft;
  /** Set if a part of the original can't be copied. The copy then has no schedule and is sent immediately. */
  readonly warning?: string;
}

export function copyCampaign(campaign: Campaign): CampaignCopy {
  const details = readCampaignDetails(campaign);
  const draft = { ...details, name: `${details.name} (copy)`.trim(), body: campaign.body ?? '' };
  const what = describeUnsendable(campaign);
  if (what === undefined) return { draft };
  const scheduleFields = new Set<string>(Object.values(fieldsBySendingType).flat());
  const unscheduledDraft = Object.fromEntries(
    Object.entries(draft).filter(([field]) => !scheduleFields.has(field)),
  ) as typeof draft;
  const why = `because ${what} of the original can't be copied`;
  return {
    draft: { ...unscheduledDraft, sending_type: 'now' },
    warning: `"${escapeMessage(draft.name)}" has no schedule, ${why}. Check its recipients before you send it.`,
  };
}

const unsendableChecks: readonly ((campaign: Campaign) => string | undefined)[] = [
  ({ sending_type: type }) =>
    isEmptyValue(type) || isSendingType(type) ? undefined : `the sending type ${quote(type)}`,
  (campaign) =>
    isEmptyValue(campaign.sending_type) && hasSchedule(campaign)
      ? 'a date or a rhythm without a sending type'
      : undefined,
  ({ sending_params: params }) =>
    isEmptyValue(params) || asObject(params) ? undefined : `the sending settings ${quote(params)}`,
  ({ sending_params: params }) => {
    const other = Object.entries(asObject(params) ?? {}).find(
      ([name, value]) => !SENDABLE_PARAMS.has(name) && !isEmptyValue(value),
    );
    return other && `the sending setting ${quote(other[0])}`;
  },
  ifAutomatic(({ trigger }) =>
    isEmptyValue(trigger) || SENDABLE_TRIGGERS.has(trigger) ? undefined : `the rhythm ${quote(trigger)}`,
  ),
  ifAutomatic(({ trigger, every, unit, value }) => {
    if (trigger === 'asap' || trigger === 'cron' || isEmptyValue(every)) return undefined;
    const others = Object.entries(asObject(every) ?? {}).filter(
      ([name, fieldValue]) => !SENDABLE_FREQUENCY_FIELDS.has(name) && !isEmptyValue(fieldValue),
    );
    return unit !== undefined && value !== undefined && others.length === 0 ? undefined : `the rhythm ${quote(every)}`;
  }),
  ifAutomatic(({ confirm }) =>
    isEmptyValue(confirm) || SENDABLE_FLAGS.has(confirm) ? undefined : `the confirmation ${quote(confirm)}`,
  ),
  // Databases store 0 for a missing timestamp.
  ifAutomatic(({ start }) =>
    isEmptyValue(start) || start === 0 || typeof start === 'string' ? undefined : `the start ${quote(start)}`,
  ),
];

function ifAutomatic(find: (schedule: ReturnType<typeof readRawSchedule>) => string | undefined) {
  return (campaign: Campaign): string | undefined =>
    campaign.sending_type === 'auto' ? find(readRawSchedule(campaign)) : undefined;
}

function hasSchedule(campaign: Campaign): boolean {
  const { trigger, every, start } = readRawSchedule(campaign);
  return [campaign.sending_date, trigger, every, start].some((value) => !isEmptyValue(value));
}

function quote(value: unknown): string {
  return `“${escapeMessage(typeof value === 'string' ? value : JSON.stringify(value), 60)}”`;
}
