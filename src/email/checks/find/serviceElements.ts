import { closedBy } from '../../sent/htmlTables.ts';
import { insertEdit, wrapContentEdits } from '../partEdits.ts';
import { bodyRange, findContentStart, skipMatches, startTagRange, type ParsedEmail } from '../parsedEmail.ts';
import { acyMailingRule } from '../rule.ts';
import type { Rule, RuleFinding } from '../rule.ts';

/** Elements that the service's parser (libxml, HTML 4) doesn't support as content of a body. */
const unsupportedFirstElements = new Set(
  (
    'article aside audio button canvas del details dialog figcaption figure footer header ins label legend main mark nav ' +
    'object picture progress section summary svg tbody td template time tr video'
  ).split(' '),
);

const tableWrappers: Readonly<Record<string, readonly [open: string, close: string]>> = {
  td: ['<table role="presentation"><tr>', '</tr></table>'],
  tr: ['<table role="presentation">', '</table>'],
  tbody: ['<table role="presentation">', '</table>'],
};

/** Content that belongs in a head. */
const headContent = /\s+|<!--[^]*?-->|<(style|title|script)\b[^]*?<\/\1\s*>|<(?:meta|link|base)\b[^>]*>/iuy;

function findLostFirstElement({ email: { body }, authored }: ParsedEmail): readonly RuleFinding[] {
  const start = skipMatches(body, headContent, 0);
  const tag = /^<([a-z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>?/iu.exec(body.slice(start));
  const name = tag?.[1]?.toLowerCase() ?? '';
  if (authored.isWhole || !tag || !(unsupportedFirstElements.has(name) || /[-:]/u.test(name))) return [];
  const [open, close] = tableWrappers[name] ?? ['<div>', '</div>'];
  const message =
    `Unsupported first element: AcyMailing drops <${name}> and all content up to the next <p>, <div> or <table>. ` +
    'The email may be empty.';
  const title = `Wrap in a ${tableWrappers[name] ? '<table>' : '<div>'}`;
  const edits = [insertEdit(start, open), insertEdit(body.length, close)];
  return [{ ranges: [bodyRange(start, start + tag[0].length)], message, fixes: [{ title, edits }] }];
}

/** Conditional comments at the start of a body without `<body>`: the service treats them as part of the head. */
function findLostFirstComments(mail: ParsedEmail): readonly RuleFinding[] {
  if (mail.authored.elements.some(({ name }) => name === 'body')) return [];
  const start = findContentStart(mail);
  const lostBlocks = mail.conditions.blocks.filter(
    (block) => block.start >= start && block.start < mail.sentRange.start,
  );
  return [
    {
      ranges: lostBlocks.map(({ opener, end, isRevealed }) => bodyRange(opener.start, isRevealed ? opener.end : end)),
      message:
        'AcyMailing drops conditional comments at the start of a body without <body>, but sends their end markers.',
      fixes: [{ title: 'Wrap in a <div>', edits: wrapContentEdits(mail, '<div>', '</div>') }],
    },
  ];
}

export const serviceElementRules: readonly Rule[] = [
  {
    ...acyMailingRule,
    id: '35',
    name: 'first-element',
    title: 'Unsupported first element or conditional comment',
    severity: 'error',
    hasFix: true,
    impact: 'Part or all of the email is missing.',
    find: (mail) => [...findLostFirstElement(mail), ...findLostFirstComments(mail)],
  },
  {
    ...acyMailingRule,
    id: '50',
    name: 'cut-element',
    title: 'Link or heading around a table or paragraph',
    severity: 'warning',
    impact: 'The table is not a link, or the paragraph is not a heading.',
    // AcyMailing's parser closes some elements early, at a child that HTML allows.
    find: (mail) =>
      mail.getElements('a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6').flatMap((element) => {
        const child = element.children.find(
          ({ name, isInSource }) => isInSource && closedBy.get(element.name)?.has(name),
        );
        if (!child) return [];
        const message = `AcyMailing ends this <${element.name}> before the <${child.name}> inside it. Move the <${element.name}> into the <${child.name}>.`;
        return [{ ranges: [startTagRange(element), startTagRange(child)], message }];
      }),
  },
];
