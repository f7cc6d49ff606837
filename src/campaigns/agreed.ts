import type { Campaign } from '../api/index.ts';
import { sameMarks } from '../sending/marks.ts';
import { detailsOf } from './fields.ts';

/**
 * What is another than it was when the user agreed to send a campaign, in words: what the question told of it, its text, and whether it was
 * sent meanwhile. Other fields of a record may change at each reading (a counter of views), and say nothing.
 */
export function changedSince(agreed: Campaign, now: Campaign): readonly string[] {
  const [before, after] = [toldOf(agreed), toldOf(now)];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((field) => !sameJson(before[field], after[field]));
  return sameMarks(agreed, now) ? fields : [...fields, 'whether it was sent'];
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function toldOf(campaign: Campaign): Readonly<Record<string, unknown>> {
  const { listIds, ...details } = detailsOf(campaign);
  // What installations send besides: the type as the service names it, the rhythm as it stands, the line after the subject.
  const { sending_type, sending_params, preheader, body } = campaign;
  return { ...details, sending_type, sending_params, preheader, body, listIds: listIds?.toSorted((one, other) => one - other) };
}
