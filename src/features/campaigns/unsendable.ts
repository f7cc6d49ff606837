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
const SENDABLE_TRIGGERS: ReadonlySet<string> = new Set(['every', 'asap', 'cron']);
const SENDABLE_FLAGS: ReadonlySet<string> = new Set(['0', '1', 'true', 'false']);

/** Describes a value in a record that no request can contain: "the sending type “birthday”". Undefined if there is none. */
function describeUnsendable(campaign: Campaign): string | undefined {
  const { sending_type: type, sending_params: params, sending_date } = campaign;
  const schedule = readRawSchedule(campaign);
  const { trigger, every, start } = schedule;
  if (!isEmptyValue(type) && !isSendingType(type)) return `the sending type ${quote(type)}`;
  if (isEmptyValue(type) && ![sending_date, trigger, every, start].every(isEmptyValue))
    return 'a date or a rhythm without a sending type';
  if (!isEmptyValue(params) && !asObject(params)) return `the sending settings ${quote(params)}`;
  const setting = findOtherField(params, SENDABLE_PARAMS);
  if (setting !== undefined) return `the sending setting ${quote(setting)}`;
  return type === 'auto' ? describeUnsendableSchedule(schedule) : undefined;
}

function describeUnsendableSchedule(schedule: ReturnType<typeof readRawSchedule>): string | undefined {
  const { trigger, every, unit, value, confirm, start } = schedule;
  if (!isEmptyValue(trigger) && !SENDABLE_TRIGGERS.has(String(trigger))) return `the rhythm ${quote(trigger)}`;
  const isSendable =
    unit !== undefined && value !== undefined && findOtherField(every, SENDABLE_FREQUENCY_FIELDS) === undefined;
  if (trigger !== 'asap' && trigger !== 'cron' && !isEmptyValue(every) && !isSendable)
    return `the rhythm ${quote(every)}`;
  if (!isEmptyValue(confirm) && !SENDABLE_FLAGS.has(String(confirm))) return `the confirmation ${quote(confirm)}`;
  // Databases store 0 for a missing timestamp.
  const isDate = isEmptyValue(start) || start === 0 || typeof start === 'string';
  return isDate ? undefined : `the start ${quote(start)}`;
}

/** Returns the name of a field with a value that is not in `names`. */
function findOtherField(value: Campaign[string], names: ReadonlySet<string>): string | undefined {
  return Object.entries(asObject(value) ?? {}).find(([name, each]) => !names.has(name) && !isEmptyValue(each))?.[0];
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

function quote(value: unknown): string {
  return `“${escapeMessage(typeof value === 'string' ? value : JSON.stringify(value), 60)}”`;
}
