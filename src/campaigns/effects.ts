import type { ProfileName } from '../connections/model.ts';
import { dateTimeWords, readDateTime } from '../webviews/form/dateTime.ts';
import { isSendingType, rhythmWords, type CampaignDetails } from './model.ts';

/** What the send route does with a campaign, in words for the question before it and for the news after it. */
export interface Effect {
  /** "goes out now". Follows the campaign's name. */
  readonly words: string;
  /** More that the user should know before agreeing. */
  readonly warning?: string;
  /** Whether e-mails leave at once. */
  readonly atOnce: boolean;
}

/** `today` as `YYYY-MM-DD`. Sources: the API document, "Sending rules"; and for `acymailing` what installations were seen to do. */
export function effectOf(details: CampaignDetails, profile: ProfileName, today: string): Effect {
  const { sending_type, sending_date = '' } = details;
  if (sending_type === 'now') return { words: 'goes out now', atOnce: true };
  const plan = planOf(details);
  if (profile === 'acymailing') {
    return {
      words: 'goes out now',
      warning:
        `This service sends at once when it is told to send. That the campaign ${plan} is not waited for: ` +
        "to have that, activate it on the service's website.",
      atOnce: true,
    };
  }
  const day = sending_date.slice(0, today.length);
  if (sending_type === 'scheduled' && day === today && readDateTime(sending_date)?.time) {
    const warning = 'Whether that time has passed is not known here: the service does not tell its time zone.';
    return { words: `${plan}, or now where that time has passed`, warning, atOnce: true };
  }
  if (sending_type === 'scheduled' && day <= today) {
    return { words: 'goes out now', warning: `Its date, ${dateTimeWords(sending_date)}, has come already.`, atOnce: true };
  }
  return { words: plan, atOnce: !isSendingType(sending_type) };
}

function planOf(details: CampaignDetails): string {
  const { sending_type, sending_date = '' } = details;
  if (sending_type === 'auto') return `goes out ${rhythmOf(details)}`;
  if (sending_type === 'scheduled') return `goes out on ${dateTimeWords(sending_date)}`;
  return `goes out by the rules of “${sending_type}”, which are not known here`;
}

function rhythmOf(details: CampaignDetails): string {
  const start = details.start_date === undefined ? '' : ` from ${dateTimeWords(details.start_date)}`;
  const confirmation = details.need_confirm === 0 ? 'without asking again' : 'after confirmation of each';
  return `${rhythmWords(details) ?? 'again and again'}${start}, ${confirmation}`;
}
