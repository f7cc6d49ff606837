import { t } from '@vscode/l10n';
import { formatNumber, plural } from '../../l10n.ts';
import { getListName } from '../lists/model.ts';
import { formatRequestTime } from '../../sync/requests/journal.ts';
import { confirm } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { getCampaignState } from './details.ts';
import type { SendPlan } from './plan.ts';
import type { SendReview } from './review/protocol.ts';
import {
  formatForAudience,
  getUnreportedListsNote,
  type AudienceTexts,
  type ReviewedSend,
} from './review/sendReview.ts';
import { formatSendingDate, getCampaignName } from './wording.ts';

interface ConfirmationTexts {
  readonly question: AudienceTexts;
  readonly action: string;
}

/** Returns the question and its button, by what the user confirms. */
const getTexts = (
  name: string,
  service: string,
): Readonly<Record<'again' | 'send' | 'schedule', ConfirmationTexts>> => ({
  again: {
    question: [
      t`Send it again to the recipients of its lists on ${service}?`,
      [t('Send it again to {0} recipient on {1}?'), t('Send it again to {0} recipients on {1}?')],
      [t('Send it again to more than {0} recipient on {1}?'), t('Send it again to more than {0} recipients on {1}?')],
      service,
    ],
    action: t('Send Again'),
  },
  send: {
    question: [
      t`Send "${name}" to the recipients of its lists on ${service}?`,
      [t('Send "{1}" to {0} recipient on {2}?'), t('Send "{1}" to {0} recipients on {2}?')],
      [t('Send "{1}" to more than {0} recipient on {2}?'), t('Send "{1}" to more than {0} recipients on {2}?')],
      name,
      service,
    ],
    action: t({ message: 'Send', comment: 'Button that sends a campaign' }),
  },
  schedule: {
    question: [
      t`Schedule "${name}" for the recipients of its lists on ${service}?`,
      [t('Schedule "{1}" for {0} recipient on {2}?'), t('Schedule "{1}" for {0} recipients on {2}?')],
      [
        t('Schedule "{1}" for more than {0} recipient on {2}?'),
        t('Schedule "{1}" for more than {0} recipients on {2}?'),
      ],
      name,
      service,
    ],
    action: t({ message: 'Schedule', comment: 'Button that schedules a campaign' }),
  },
});

/** Asks before a send, and once more if the email has errors. No setting or argument skips this. */
export async function confirmSend(service: string, { plan, review }: ReviewedSend): Promise<boolean> {
  const { campaign, effect, lists, audience } = plan;
  const earlierSend = describeEarlierSend(plan);
  const { question, action } = getTexts(escapeMessage(getCampaignName(campaign)), service)[
    earlierSend === undefined ? (effect.isImmediate ? 'send' : 'schedule') : 'again'
  ];
  const detail = [
    review.repetition,
    t`Subject: ${campaign.subject ?? ''}`,
    lists === undefined ? getUnreportedListsNote() : t`Lists: ${lists.map(getListName).join(', ')}`,
    effect.description,
    effect.warning,
    effect.isImmediate && t("You can't undo this."),
    ...formatErrors(review),
  ];
  const message = [earlierSend, formatForAudience(audience, ...question)].filter(Boolean).join(' ');
  const lines = detail.filter((line) => typeof line === 'string');
  const enter = earlierSend === undefined ? [] : [t("Don't Send")];
  return (await confirm(message, lines, action, ...enter)) && confirmErrors({ plan, review });
}

/** Says that the campaign was sent before, or may have been. */
function describeEarlierSend({ campaign, unconfirmed }: SendPlan) {
  const name = escapeMessage(getCampaignName(campaign));
  const date = formatSendingDate(campaign);
  if (getCampaignState(campaign) === 'sent')
    return date === undefined ? t`"${name}" was already sent.` : t`"${name}" was already sent on ${date}.`;
  return unconfirmed && t`"${name}" may have been sent on ${formatRequestTime(unconfirmed)}: the response was lost.`;
}

async function confirmErrors({ plan, review }: ReviewedSend) {
  const { length } = getErrors(review);
  if (length === 0) return true;
  const name = escapeMessage(getCampaignName(plan.campaign));
  const question = plural(length, t('Send "{1}" with {0} error?'), t('Send "{1}" with {0} errors?'), name);
  const detail = [t('Recipients will see them. Cancel to fix them first.'), ...formatErrors(review)];
  return confirm(question, detail, t('Send With Errors'));
}

const MAX_LISTED_ERRORS = 6;

function getErrors({ findings }: SendReview) {
  return findings.filter(({ severity }) => severity === 'error');
}

function formatErrors(review: SendReview): readonly string[] {
  if (review.uncheckedReason !== undefined) return [t("The email wasn't checked.")];
  const errors = getErrors(review);
  if (errors.length === 0) return [];
  const others = errors.length - MAX_LISTED_ERRORS;
  return [
    plural(errors.length, t('The email has {0} error:'), t('The email has {0} errors:')),
    ...errors.slice(0, MAX_LISTED_ERRORS).map(({ message }) => `• ${message}`),
    ...(others > 0 ? [t`…and ${formatNumber(others)} more.`] : []),
  ];
}
