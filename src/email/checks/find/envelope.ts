import { containsTag, getElementText, unrenderedElements } from '../document.ts';
import { isTextHidden } from '../cascade.ts';
import { detailsRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { DetailsField, RuleFinding, Severity } from '../model.ts';
import type { Rule } from '../rule.ts';

const MAX_SUBJECT_CHARS = 60;
const MAX_PREHEADER_CHARS = 110;

/** Returns a finding for the whole text of a details field. */
const createFieldFinding = (
  field: DetailsField,
  text: string,
  message: string,
  options: Omit<RuleFinding, 'ranges' | 'message'> = {},
): RuleFinding => ({
  ranges: [detailsRange(field, 0, text.length)],
  message,
  ...options,
});

const removeTags = (text: string): string => text.replace(/\{[^{}]*\}/gu, '');

/** Returns whether a text is in capitals: at least four uppercase letters and no lowercase ones. */
const isShouting = (text: string): boolean => /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/su.test(text) && !/\p{Ll}/u.test(text);

const subjectTests: readonly (readonly [test: (text: string) => boolean, severity: Severity, message: string])[] = [
  [(text) => text.trim() === '', 'warning', 'The email has no subject.'],
  [
    (text) => [...removeTags(text)].length > MAX_SUBJECT_CHARS,
    'info',
    `Phones show the first 40 characters of a subject, others ${MAX_SUBJECT_CHARS}.`,
  ],
  [(text) => isShouting(removeTags(text)), 'warning', 'A subject in capitals reads as shouting, and filters count it.'],
  [(text) => /!{3}|[!?]{4}/u.test(text), 'info', 'Filters count exclamation marks in a row.'],
  [
    (text) => /^\s*(?:re|fwd?|aw|wg)\s*:/iu.test(text),
    'warning',
    'The subject pretends to be an answer: readers and filters feel deceived.',
  ],
];

function checkSubject({ email: { subject } }: ParsedEmail): readonly RuleFinding[] {
  if (subject === undefined) return [];
  return subjectTests
    .filter(([test]) => test(subject))
    .map(([, severity, message]) => createFieldFinding('subject', subject, message, { severity }));
}

function checkPreheader(mail: ParsedEmail): readonly RuleFinding[] {
  const { subject, preheader } = mail.email;
  if (subject === undefined && preheader === undefined) return [];
  const text = preheader ?? '';
  const first = findFirstText(mail);
  const isUsable = first !== '' && first.toLowerCase() !== subject?.trim().toLowerCase();
  const fixes = isUsable
    ? [
        {
          title: 'Take the first text of the email',
          edits: [{ ...detailsRange('preheader', 0, text.length), text: first }],
        },
      ]
    : undefined;
  if (text.trim() === '') {
    return hasBodyPreheader(mail)
      ? []
      : [
          createFieldFinding('preheader', text, 'Without a preheader, inboxes show whatever text comes first.', {
            ...(fixes && { fixes }),
          }),
        ];
  }
  if (text.trim().toLowerCase() === subject?.trim().toLowerCase()) {
    return [
      createFieldFinding('preheader', text, 'The preheader says what the subject says: inboxes show both.', {
        ...(fixes && { fixes }),
      }),
    ];
  }
  if ([...removeTags(text)].length <= MAX_PREHEADER_CHARS) return [];
  const truncated = truncateAtWord(text);
  const fix = containsTag(text)
    ? {}
    : {
        fixes: [
          {
            title: `Cut it to ${MAX_PREHEADER_CHARS} characters`,
            edits: [{ ...detailsRange('preheader', truncated.length, text.length), text: '' }],
          },
        ],
      };
  return [
    createFieldFinding(
      'preheader',
      text,
      `No inbox shows more than ${MAX_PREHEADER_CHARS} characters of a preheader.`,
      fix,
    ),
  ];
}

/** Truncates a text at the last word that fits a preheader. */
function truncateAtWord(text: string): string {
  const fitting = [...text].slice(0, MAX_PREHEADER_CHARS).join('');
  return /\s/u.test(fitting) ? fitting.replace(/\s+\S*$/u, '') : fitting;
}

/** Returns the first visible text, truncated to preheader length; empty if it contains merge tags. */
function findFirstText(mail: ParsedEmail): string {
  const node = mail.document.texts.find(
    ({ value, parent }) =>
      /\p{L}.*\p{L}/su.test(value) && !unrenderedElements.has(parent.name) && !isTextHidden(mail, parent),
  );
  const text = (node?.value ?? '').replace(/\s+/gu, ' ').trim();
  return containsTag(text) ? '' : [...text].length > MAX_PREHEADER_CHARS ? truncateAtWord(text) : text;
}

/** Returns whether the body starts with a hidden preheader. */
function hasBodyPreheader(mail: ParsedEmail): boolean {
  for (const { value, parent } of mail.document.texts) {
    if (unrenderedElements.has(parent.name) || value.trim() === '') continue;
    if (isTextHidden(mail, parent)) return /\p{L}|\{/u.test(value);
    return (
      /preheader|preview/iu.test(`${parent.get('class') ?? ''} ${parent.get('id') ?? ''}`) &&
      getElementText(parent).trim() !== ''
    );
  }
  return false;
}

/** Free-mail providers, whose DMARC policy rejects email that other servers send in their users' names. */
const freeMailDomain = new RegExp(
  '^(?:gmail|googlemail|yahoo|ymail|aol|hotmail|outlook|live|msn|icloud|me|mac|gmx|web|mail|yandex|proton|protonmail' +
    '|t-online|orange|free|laposte|wanadoo)(?:[.][a-z]{2,3}){1,2}$',
  'iu',
);

function checkSender({ email: { fromEmail } }: ParsedEmail): readonly RuleFinding[] {
  const address = fromEmail?.trim() ?? '';
  if (fromEmail === undefined || address === '' || containsTag(address)) return [];
  const domain = /@([^@\s]+\.[^@\s.]+)$/u.exec(address)?.[1];
  if (domain === undefined)
    return [
      createFieldFinding('fromEmail', fromEmail, "The sender's address has no domain: services refuse the email."),
    ];
  if (!freeMailDomain.test(domain)) return [];
  return [
    createFieldFinding(
      'fromEmail',
      fromEmail,
      `${domain} tells others to refuse emails that it did not send itself (DMARC): use an address of your own domain.`,
    ),
  ];
}

export const envelopeRules: readonly Rule[] = [
  {
    id: '31',
    name: 'subject',
    title: 'Subject empty, over 60 characters, in capitals, with "!!!" or "Re:"',
    severity: 'warning',
    impact: 'It is cut, or not opened, or spam.',
    url: 'https://mailchimp.com/help/best-practices-for-email-subject-lines/',
    find: checkSubject,
  },
  {
    id: '32',
    name: 'preheader',
    title: 'Preheader missing, equal to the subject, or over 110 characters',
    severity: 'info',
    hasFix: true,
    impact: 'The line beside the subject is lost.',
    url: 'https://www.litmus.com/blog/the-ultimate-guide-to-preview-text-support',
    find: checkPreheader,
  },
  {
    id: '33',
    name: 'sender',
    title: 'Sender without a domain, or of a free-mail domain',
    severity: 'info',
    impact: 'Providers refuse the email.',
    url: 'https://support.google.com/a/answer/81126',
    find: checkSender,
  },
];
