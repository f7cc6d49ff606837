import { closedBy } from '../../sent/htmlTables.ts';
import { insertEdit, wrapContentEdits } from '../partEdits.ts';
import { bodyRange, startTagRange } from '../parsedEmail.ts';
import type { ParsedEmail } from '../parsedEmail.ts';
import type { RuleFinding } from '../model.ts';
import { groupFindings } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { findContentStart } from '../sentDocument.ts';

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

function findLostFirstElement(mail: ParsedEmail): readonly RuleFinding[] {
  const {
    email: { body },
    authored: { isWhole },
  } = mail;
  const start = isWhole ? undefined : findFirstTag(body);
  const tag = start === undefined ? null : /^<([a-z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>?/iu.exec(body.slice(start));
  const name = tag?.[1]?.toLowerCase() ?? '';
  if (start === undefined || !tag || !(unsupportedFirstElements.has(name) || /[-:]/u.test(name))) return [];
  const [open, close] = tableWrappers[name] ?? ['<div>', '</div>'];
  const message =
    `The service drops <${name}> at the start of a body that is no whole document, and all up to the next <p>, <div> or <table>: ` +
    'the email may go out empty.';
  const fixes = [
    {
      title: `Put it in a ${tableWrappers[name] ? '<table>' : '<div>'}`,
      edits: [insertEdit(start, open), insertEdit(body.length, close)],
    },
  ];
  return groupFindings([bodyRange(start, start + tag[0].length)], message, { fixes });
}

/** Conditional comments at the start of a body without `<body>`: the service treats them as part of the head. */
function findLostFirstComments(mail: ParsedEmail): readonly RuleFinding[] {
  const {
    authored,
    conditions,
    email: { body },
    sentRange,
  } = mail;
  if (authored.elements.some(({ name }) => name === 'body')) return [];
  const start = findContentStart(body, authored);
  const lostBlocks = conditions.blocks.filter((block) => block.start >= start && block.start < sentRange.start);
  const ranges = lostBlocks.map(({ opener, end, isRevealed }) =>
    bodyRange(opener.start, isRevealed ? opener.end : end),
  );
  const message =
    'AcyMailing drops conditional comments at the start of a body without <body>, and sends what ends them.';
  return groupFindings(ranges, message, {
    fixes: [{ title: 'Put it in a <div>', edits: wrapContentEdits(mail, '<div>', '</div>') }],
  });
}

/** Returns the offset of the first tag that doesn't belong in a head; undefined if text comes first. */
function findFirstTag(body: string): number | undefined {
  const skipped = /\s+|<!--[^]*?-->|<(style|title|script)\b[^]*?<\/\1\s*>|<(?:meta|link|base)\b[^>]*>/iuy;
  let at = 0;
  for (;;) {
    skipped.lastIndex = at;
    if (at >= body.length || !skipped.test(body)) break;
    at = skipped.lastIndex;
  }
  return body[at] === '<' ? at : undefined;
}

/** Finds elements that AcyMailing's parser closes early, at a child that HTML allows. */
function findSplitElements(mail: ParsedEmail): readonly RuleFinding[] {
  return mail.getElements('a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6').flatMap((element) => {
    const splittingChild = element.children.find(
      ({ name, isInSource }) => isInSource && closedBy.get(element.name)?.has(name),
    );
    if (!splittingChild) return [];
    const message = `AcyMailing ends this <${element.name}> before the <${splittingChild.name}> in it: put the <${element.name}> inside.`;
    return [{ ranges: [startTagRange(element), startTagRange(splittingChild)], message }];
  });
}

const serviceElementRuleDefaults = { profile: 'acymailing', url: 'https://docs.acymailing.com/' } as const;

export const serviceElementRules: readonly Rule[] = [
  {
    ...serviceElementRuleDefaults,
    id: '35',
    name: 'first-element',
    title: 'Fragment that begins with an unsupported element or a conditional comment',
    severity: 'error',
    hasFix: true,
    impact: 'The beginning of the email is missing, or all of it.',
    find: (mail) => [...findLostFirstElement(mail), ...findLostFirstComments(mail)],
  },
  {
    ...serviceElementRuleDefaults,
    id: '50',
    name: 'cut-element',
    title: 'Link or heading around a table or paragraph',
    severity: 'warning',
    impact: 'The table is not linked; the paragraph is not a heading.',
    find: findSplitElements,
  },
];
