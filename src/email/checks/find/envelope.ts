import { containsTag, getElementText, unrenderedElements } from '../document.ts';
import { isTextHidden } from '../cascade.ts';
import { detailsRange } from '../mail.ts';
import type { ParsedEmail } from '../mail.ts';
import type { DetailsField, RuleFinding, Severity } from '../model.ts';
import type { Rule } from '../rule.ts';

const longestSubject = 60;
const longestPreheader = 110;

/** A finding about the whole text of a field. */
const about = (
  field: DetailsField,
  text: string,
  message: string,
  rest: Omit<RuleFinding, 'ranges' | 'message'> = {},
): RuleFinding => ({
  ranges: [detailsRange(field, 0, text.length)],
  message,
  ...rest,
});

const withoutTags = (text: string): string => text.replace(/\{[^{}]*\}/gu, '');

/** A text has capitals, no small letters, and enough of them to be shouting. */
const shouts = (text: string): boolean => /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/su.test(text) && !/\p{Ll}/u.test(text);

const subjectKinds: readonly (readonly [is: (text: string) => boolean, severity: Severity, message: string])[] = [
  [(text) => text.trim() === '', 'warning', 'The email has no subject.'],
  [
    (text) => [...withoutTags(text)].length > longestSubject,
    'info',
    `Phones show the first 40 characters of a subject, others ${longestSubject}.`,
  ],
  [(text) => shouts(withoutTags(text)), 'warning', 'A subject in capitals reads as shouting, and filters count it.'],
  [(text) => /!{3}|[!?]{4}/u.test(text), 'info', 'Filters count exclamation marks in a row.'],
  [
    (text) => /^\s*(?:re|fwd?|aw|wg)\s*:/iu.test(text),
    'warning',
    'The subject pretends to be an answer: readers and filters feel deceived.',
  ],
];

function subjectProblems({ email: { subject } }: ParsedEmail): readonly RuleFinding[] {
  if (subject === undefined) return [];
  return subjectKinds
    .filter(([is]) => is(subject))
    .map(([, severity, message]) => about('subject', subject, message, { severity }));
}

function preheaderProblems(mail: ParsedEmail): readonly RuleFinding[] {
  const { subject, preheader } = mail.email;
  if (subject === undefined && preheader === undefined) return [];
  const text = preheader ?? '';
  const first = firstText(mail);
  const isOther = first !== '' && first.toLowerCase() !== subject?.trim().toLowerCase();
  const fixes = isOther
    ? [
        {
          title: 'Take the first text of the email',
          edits: [{ ...detailsRange('preheader', 0, text.length), text: first }],
        },
      ]
    : undefined;
  if (text.trim() === '') {
    return hasOwnPreheader(mail)
      ? []
      : [
          about('preheader', text, 'Without a preheader, inboxes show whatever text comes first.', {
            ...(fixes && { fixes }),
          }),
        ];
  }
  if (text.trim().toLowerCase() === subject?.trim().toLowerCase()) {
    return [
      about('preheader', text, 'The preheader says what the subject says: inboxes show both.', {
        ...(fixes && { fixes }),
      }),
    ];
  }
  if ([...withoutTags(text)].length <= longestPreheader) return [];
  const shorter = shortened(text);
  const cut = containsTag(text)
    ? {}
    : {
        fixes: [
          {
            title: `Cut it to ${longestPreheader} characters`,
            edits: [{ ...detailsRange('preheader', shorter.length, text.length), text: '' }],
          },
        ],
      };
  return [about('preheader', text, `No inbox shows more than ${longestPreheader} characters of a preheader.`, cut)];
}

/** A text up to the last word that fits. */
function shortened(text: string): string {
  const fitting = [...text].slice(0, longestPreheader).join('');
  return /\s/u.test(fitting) ? fitting.replace(/\s+\S*$/u, '') : fitting;
}

/** The first text that is read, as long as a preheader may be; empty where tags stand in it. */
function firstText(mail: ParsedEmail): string {
  const node = mail.document.texts.find(
    ({ value, parent }) =>
      /\p{L}.*\p{L}/su.test(value) && !unrenderedElements.has(parent.name) && !isTextHidden(mail, parent),
  );
  const text = (node?.value ?? '').replace(/\s+/gu, ' ').trim();
  return containsTag(text) ? '' : [...text].length > longestPreheader ? shortened(text) : text;
}

/** Whether the body brings one: hidden text before all that is seen. */
function hasOwnPreheader(mail: ParsedEmail): boolean {
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

/** Providers whose DMARC policy refuses what others send in their users' names. */
const freeMail = new RegExp(
  '^(?:gmail|googlemail|yahoo|ymail|aol|hotmail|outlook|live|msn|icloud|me|mac|gmx|web|mail|yandex|proton|protonmail' +
    '|t-online|orange|free|laposte|wanadoo)(?:[.][a-z]{2,3}){1,2}$',
  'iu',
);

function senderProblems({ email: { fromEmail } }: ParsedEmail): readonly RuleFinding[] {
  const address = fromEmail?.trim() ?? '';
  if (fromEmail === undefined || address === '' || containsTag(address)) return [];
  const domain = /@([^@\s]+\.[^@\s.]+)$/u.exec(address)?.[1];
  if (domain === undefined)
    return [about('fromEmail', fromEmail, "The sender's address has no domain: services refuse the email.")];
  if (!freeMail.test(domain)) return [];
  return [
    about(
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
    find: subjectProblems,
  },
  {
    id: '32',
    name: 'preheader',
    title: 'Preheader missing, equal to the subject, or over 110 characters',
    severity: 'info',
    hasFix: true,
    impact: 'The line beside the subject is lost.',
    url: 'https://www.litmus.com/blog/the-ultimate-guide-to-preview-text-support',
    find: preheaderProblems,
  },
  {
    id: '33',
    name: 'sender',
    title: 'Sender without a domain, or of a free-mail domain',
    severity: 'info',
    impact: 'Providers refuse the email.',
    url: 'https://support.google.com/a/answer/81126',
    find: senderProblems,
  },
];
