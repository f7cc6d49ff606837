import { localized, t } from '../../../l10n.ts';
import { isTextHidden, isTextShown } from '../cascade.ts';
import { containsTag, getElementText, unrenderedElements } from '../document.ts';
import type { DetailsField, Fix, Severity } from '../model.ts';
import { detailsRange, type ParsedEmail, type Rule, type RuleFinding } from '../rule.ts';

const MAX_SUBJECT_CHARS = 60;
const MAX_PREHEADER_CHARS = 110;

/** Returns a finding for the whole text of a details field. */
const createFieldFinding = (
  field: DetailsField,
  text: string,
  message: string,
  options: Partial<RuleFinding> = {},
): RuleFinding => ({ ranges: [detailsRange(field, 0, text.length)], message, ...options });

const removeTags = (text: string) => text.replace(/\{[^{}]*\}/gu, '');

/** Returns whether a text is in capitals: at least four uppercase letters and no lowercase ones. */
const isShouting = (text: string) => /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/su.test(text) && !/\p{Ll}/u.test(text);

type SubjectTest = readonly [test: (text: string) => boolean, severity: Severity, message: string];

const getSubjectTests = localized((): readonly SubjectTest[] => [
  [(text) => text.trim() === '', 'warning', t('The subject is empty.')],
  [
    (text) => [...removeTags(text)].length > MAX_SUBJECT_CHARS,
    'info',
    t`The subject is too long. Phones show about 40 characters, other clients about ${MAX_SUBJECT_CHARS}.`,
  ],
  [
    (text) => isShouting(removeTags(text)),
    'warning',
    t('The subject is in all capitals. It reads as shouting, and spam filters penalize it.'),
  ],
  [
    (text) => /!{3}|[!?]{4}/u.test(text),
    'info',
    t('The subject has repeated exclamation marks, which spam filters penalize.'),
  ],
  [
    (text) => /^\s*(?:re|fwd?|aw|wg)\s*:/iu.test(text),
    'warning',
    t('The subject looks like a reply. Recipients and spam filters treat that as deceptive.'),
  ],
]);

/** Truncates a text at the last word that fits a preheader. */
function truncateAtWord(text: string) {
  const fitting = [...text].slice(0, MAX_PREHEADER_CHARS).join('');
  return /\s/u.test(fitting) ? fitting.replace(/\s+\S*$/u, '') : fitting;
}

/** Returns the first visible text, truncated to preheader length; empty if it contains merge tags. */
function findFirstText(mail: ParsedEmail) {
  const node = mail.texts.find(({ value, parent }) => /\p{L}.*\p{L}/su.test(value) && isTextShown(parent));
  const text = (node?.value ?? '').replace(/\s+/gu, ' ').trim();
  return containsTag(text) ? '' : [...text].length > MAX_PREHEADER_CHARS ? truncateAtWord(text) : text;
}

/** Returns whether the body starts with a hidden preheader. */
function hasBodyPreheader(mail: ParsedEmail) {
  const first = mail.texts.find(({ value, parent }) => !unrenderedElements.has(parent.name) && value.trim() !== '');
  if (!first) return false;
  const { value, parent } = first;
  if (isTextHidden(parent)) return /\p{L}|\{/u.test(value);
  const names = `${parent.get('class') ?? ''} ${parent.get('id') ?? ''}`;
  return /preheader|preview/iu.test(names) && getElementText(parent).trim() !== '';
}

/** Free-mail providers, whose DMARC policy rejects email that other servers send in their users' names. */
const freeMailDomain = new RegExp(
  '^(?:gmail|googlemail|yahoo|ymail|aol|hotmail|outlook|live|msn|icloud|me|mac|gmx|web|mail|yandex|proton|protonmail' +
    '|t-online|orange|free|laposte|wanadoo)(?:[.][a-z]{2,3}){1,2}$',
  'iu',
);

export const getEnvelopeRules = (): readonly Rule[] => [
  {
    id: '31',
    name: 'subject',
    title: t('Empty, long or spammy subject'),
    severity: 'warning',
    impact: t('The subject is cut off, or the email is ignored or filtered as spam.'),
    url: 'https://mailchimp.com/help/best-practices-for-email-subject-lines/',
    find: ({ email: { subject } }) =>
      subject === undefined
        ? []
        : getSubjectTests()
            .filter(([test]) => test(subject))
            .map(([, severity, message]) => createFieldFinding('subject', subject, message, { severity })),
  },
  {
    id: '32',
    name: 'preheader',
    title: t('Missing, repeated or long preheader'),
    severity: 'info',
    fix: 'choice',
    impact: t('Inboxes show unrelated or repeated text next to the subject.'),
    url: 'https://www.litmus.com/blog/the-ultimate-guide-to-preview-text-support',
    find(mail) {
      const { subject, preheader: text = '' } = mail.email;
      if (subject === undefined && mail.email.preheader === undefined) return [];
      const createFix = (title: string, start: number, replacement: string): readonly Fix[] => [
        { title, edits: [{ ...detailsRange('preheader', start, text.length), text: replacement }] },
      ];
      const [normalized, plainSubject] = [text, subject].map((each) => each?.trim().toLowerCase());
      const first = findFirstText(mail);
      const isUsable = first !== '' && first.toLowerCase() !== plainSubject;
      const fixes = isUsable ? createFix(t('Use the first text of the email'), 0, first) : [];
      if (normalized === '') {
        const message = t('The preheader is empty. Inboxes show the first text of the email instead.');
        return hasBodyPreheader(mail) ? [] : createFieldFinding('preheader', text, message, { fixes });
      }
      if (normalized === plainSubject)
        return createFieldFinding('preheader', text, t('The preheader repeats the subject. Inboxes show both.'), {
          fixes,
        });
      if ([...removeTags(text)].length <= MAX_PREHEADER_CHARS) return [];
      const message = t`The preheader is too long. Inboxes show at most ${MAX_PREHEADER_CHARS} characters.`;
      const title = t`Shorten to ${MAX_PREHEADER_CHARS} characters`;
      return createFieldFinding('preheader', text, message, {
        fixes: containsTag(text) ? [] : createFix(title, truncateAtWord(text).length, ''),
      });
    },
  },
  {
    id: '33',
    name: 'sender',
    title: t('Free-mail or invalid sender address'),
    severity: 'info',
    impact: t('Mail providers reject the email.'),
    url: 'https://support.google.com/a/answer/81126',
    find({ email: { fromEmail = '' } }) {
      const address = fromEmail.trim();
      if (address === '' || containsTag(address)) return [];
      const domain = /@([^@\s]+\.[^@\s.]+)$/u.exec(address)?.[1];
      const message =
        domain === undefined
          ? t('The sender address has no valid domain. Mail providers reject the email.')
          : t({
              message:
                '{0} asks mail providers to reject emails that other servers send (DMARC). Use an address on your own domain.',
              args: [domain],
              comment: '{0}: an internet domain',
            });
      return domain === undefined || freeMailDomain.test(domain)
        ? createFieldFinding('fromEmail', fromEmail, message)
        : [];
    },
  },
];
