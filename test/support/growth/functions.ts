import { findImageAddresses } from '../../../src/email/checks/images.ts';
import { findColors, readOutlookCode } from '../../../src/email/checks/outlookCode.ts';
import { findAddresses, runChecks, createIgnoreFix, type CheckOptions } from '../../../src/email/checks/index.ts';
import { findChange } from '../../../src/email/html/text.ts';
import { expandSnippet } from '../../../src/email/compose/blocks.ts';
import { composeEmail, composeCampaignBody, readEnvelope, readHeaders } from '../../../src/email/compose/compose.ts';
import { splitFooter } from '../../../src/email/sent/storedFooter.ts';
import { findLostPlaceholder, findPlaceholders } from '../../../src/email/compose/placeholders.ts';
import { humanizeFieldName, toDisplayText } from '../../../src/email/compose/fieldText.ts';
import { findLandmarks } from '../../../src/email/html/landmarks.ts';
import { getDisplayRefusal, getDisplayLength } from '../../../src/email/html/limits.ts';
import { convertPasted } from '../../../src/email/compose/pasted.ts';
import { getStyleRefusal } from '../../../src/email/html/nesting.ts';
import { limitPictures, limitStylePictures } from '../../../src/email/checks/pictureLimits.ts';
import { isSafeAttribute } from '../../../src/email/compose/safety.ts';
import { hasReopenedElement, parseSource } from '../../../src/email/html/sourceMap.ts';
import { mergeBase, findChanges, contentHash } from '../../../src/sync/fields/fields.ts';
import { withAddresses, withPaths } from '../../../src/sync/mapping/assets.ts';
import { readMapping } from '../../../src/sync/mapping/mapping.ts';
import { formatEmail, shrinkEmail } from '../../../src/email/format/index.ts';
import { findChangedBlocks } from '../../../src/email/report/changes.ts';
import { createReport } from '../../../src/email/report/index.ts';
import { compareReceived } from '../../../src/email/received/compare.ts';
import { lensNames, applyLens } from '../../../src/email/lenses/index.ts';
import { getPosition } from '../../../src/cli/findings.ts';
import { checkParts } from '../../../src/sync/parts/check.ts';
import { extractPart } from '../../../src/sync/parts/extract.ts';
import { applyParts } from '../../../src/sync/parts/index.ts';
import { Lock } from '../../../src/sync/push/lock.ts';
import { searchEmail, searchKinds } from '../../../src/sync/search.ts';
import { mergeTexts, hasMarks } from '../../../src/sync/merge/merge.ts';
import { composeSent } from '../../../src/email/sent/index.ts';
import { getUnsubscribeHeader } from '../../../src/email/sent/unsubscribeHeader.ts';
import { mapSentOffsets, mapTextOffsets } from '../../../src/email/sent/offsetMap.ts';
import { findTextPartProblems } from '../../../src/email/sent/textPart.ts';
import {
  completeTags,
  explainTag,
  findTagProblems,
  readTagLanguage,
  parseTags,
  renderTags,
  sampleRendering,
  tagLanguage,
  findBranchExample,
} from '../../../src/email/tags/index.ts';

/** A function of a text, with the name to show in failures. */
export interface MeasuredFunction {
  readonly name: string;
  readonly run: (text: string) => unknown;
}

const language = tagLanguage('acymailing');
const rendering = sampleRendering();
const names = { local: 'this folder', remote: 'Production' };
const assets = [['mail/images', 'https://example.org/images']] as const;
const acymailing: CheckOptions = { profile: 'acymailing', rules: { 34: 'hint' } };
const sending = { profile: 'acymailing', site: 'https://news.example.org/shop', tracked: true } as const;
const editorSending = { ...sending, cms: 'wordpress', footer: '<p>x</p>' } as const;
/** Removes style tags, for text inside a stylesheet. */
const removeStyleTags = (text: string) => text.replace(/<\/?style>/giu, '');

const table: Readonly<Record<string, (text: string) => void>> = {
  'check body, any service': (body) => runChecks({ body }, {}),
  'check body, AcyMailing': (body) => runChecks({ body }, acymailing),
  'check stylesheet': (text) =>
    runChecks({ body: '<div class="a"><p>x</p></div>', stylesheet: removeStyleTags(text) }, acymailing),
  'check envelope': (text) =>
    runChecks({ body: '<p>x</p>', subject: text, preheader: text, headers: text, fromEmail: text }, acymailing),
  findAddresses: (body) => findAddresses(body),
  expandSnippet: (snippet) => expandSnippet(snippet),
  ignoreFix: (body) => createIgnoreFix({ body }, { name: 'a' }),
  'compose body': (body) => composeSent({ body }, sending),
  'compose stylesheet': (text) =>
    composeSent({ body: '<div class="a"><p>x</p></div>', stylesheet: removeStyleTags(text) }, sending),
  'compose envelope': (text) =>
    composeSent({ body: '<p>x</p>', subject: text, preheader: text, headers: text }, sending),
  'compose body, visual editor': (body) =>
    composeSent(
      { body: `<!-- acym__wysid__template -->${body}`, settings: '' },
      { ...editorSending, editorStylesheet: '#acym__wysid__template td p{color:red}' },
    ),
  'compose styles, visual editor': (text) =>
    composeSent(
      { body: '<p id="acym__wysid__template">x</p>', settings: `{"p":{${JSON.stringify(text)}:"x"}}` },
      { ...editorSending, editorStylesheet: removeStyleTags(text) },
    ),
  findPlaceholders: (body) => [findPlaceholders(`<tr data-dynamic="{x:1}">${body}`), findLostPlaceholder(body, body)],
  splitFooter: (body) => splitFooter(`<table id="acym__powered_by_acymailing">${body}acym__wysid__template`),
  getUnsubscribeHeader: (body) => getUnsubscribeHeader({ body, subject: body }),
  'compose, any service': (body) => composeSent({ body, stylesheet: body }, { profile: 'documented' }),
  readOutlookCode: (body) => findColors(readOutlookCode(body)),
  formatEmail: (body) => formatEmail(body),
  convertPasted: (html) => (getDisplayRefusal(html) === undefined ? convertPasted(html) : undefined),
  shrinkEmail: (body) => shrinkEmail(body, 'acymailing'),
  findChangedBlocks: (body) => findChangedBlocks(body, `${body}<p>x</p>`),
  createReport: (body) =>
    createReport(
      [
        {
          name: body,
          email: { body, subject: body },
          sending,
          checks: {},
          pictures: new Map(),
          omittedPictures: new Set(),
        },
      ],
      body,
    ),
  mapSentOffsets: (body) => (getDisplayRefusal(body) === undefined ? mapSentOffsets(body, body) : undefined),
  findTextPartProblems: (body) => findTextPartProblems(body, sending.site, body),
  mapTextOffsets: (body) =>
    getDisplayRefusal(body) === undefined ? mapTextOffsets(body, body)(body.length) : undefined,
  ...Object.fromEntries(lensNames.map((name) => [`lens ${name}`, (html: string) => applyLens(name, html)])),
  parseTags: (text) => parseTags(text, language),
  'renderTags in a body': (text) => renderTags(text, language, rendering),
  'renderTags in a subject': (text) => renderTags(text, language, { ...rendering, where: 'subject' }),
  'findTagProblems in a body': (text) => findTagProblems(text, language, 'body'),
  'findTagProblems in a subject': (text) => findTagProblems(text, language, 'subject'),
  completeTags: (text) => completeTags(text, text.length - 3, language, { where: 'body' }),
  explainTag: (text) => explainTag(text, Math.floor(text.length / 2), language),
  findBranchExample: (text) => findBranchExample(`${text}=x`, true, language),
  'renderTags, a family of its own': (text) => {
    const name = text.replace(/[^a-z0-9_.-]/giu, '_');
    const own = readTagLanguage({ families: { [name]: { title: text, fields: { [text]: text } } } });
    const tag = `{${name}:x}`;
    return [renderTags(tag, own, rendering), parseTags(tag, own), findTagProblems(tag, own, 'body')];
  },
  compose: (text) => composeEmail({ body: text, stylesheet: text, envelope: { subject: text, preheader: text } }),
  composeBody: (text) => composeCampaignBody({ body: text, stylesheet: text, envelope: { preheader: text } }),
  envelope: (text) => [
    readEnvelope(text),
    readEnvelope(JSON.stringify({ subject: text })),
    readHeaders(`{"headers": "${text}`),
  ],
  fieldText: (text) => [toDisplayText(text), humanizeFieldName(text)],
  landmarks: (text) => findLandmarks(text),
  getDisplayRefusal: (text) => [getDisplayRefusal(text), getDisplayLength(text)],
  getStyleRefusal: (text) => getStyleRefusal(removeStyleTags(text)),
  isSafeAttribute: (text) => ['href', 'src', 'style', 'srcset'].map((name) => isSafeAttribute(name, text)),
  limitPictures: (text) => [
    limitStylePictures(removeStyleTags(text)),
    ...[text, `data:image/svg+xml,${text}`].flatMap((value) =>
      ['src', 'style', 'srcset'].map((name) => limitPictures(name, value)),
    ),
  ],
  parseSource: (text) => {
    if (getDisplayRefusal(text) !== undefined) return undefined;
    return hasReopenedElement(parseSource(text));
  },
  difference: (text) => findChange(`${text}a${text}`, `${text}b${text}`),
  'folders: fields': (text) => {
    const texts = { body: text, stylesheet: text };
    const base = mergeBase({}, texts, texts);
    return [contentHash(text), findChanges(base, texts, { ...texts, body: `${text}x` }), hasMarks(text)];
  },
  'folders: merge': (text) => {
    const remote = text.replaceAll('x', 'y');
    return [
      mergeTexts({ base: text, local: `${text}x`, remote, names }),
      mergeTexts({ base: undefined, local: text, remote, names }),
    ];
  },
  'folders: merge at three places': (text) => {
    const lines = text.split('\n');
    // At both ends and in the middle, so that nothing is skipped as a common start or end.
    const edit = (mark: string) =>
      [mark, ...lines.slice(0, lines.length / 2), mark, ...lines.slice(lines.length / 2), mark].join('\n');
    return mergeTexts({ base: text, local: edit('mine'), remote: edit('theirs'), names });
  },
  searchEmail: (text) =>
    searchKinds.map((kind) =>
      searchEmail({ kind, text: 'red' }, [
        { suffix: '.html', text },
        { suffix: '.css', text },
        { suffix: '.json', text: JSON.stringify({ subject: text }) },
      ]),
    ),
  'linked parts': (text) => {
    const parts = { a: '<p><!-- slot: s -->x<!-- /slot --></p>', b: text };
    return [text, '<!-- part: b --><!-- /part -->'].map((email) => [
      applyParts(email, parts),
      checkParts(email, parts),
    ]);
  },
  'linked parts: extract': (text) => extractPart(text, 'a', '<br>'),
  'command line: positions': (text) => {
    const file = { path: 'a.html', text };
    for (const { index } of text.matchAll(/\n/gu)) getPosition(file, index);
  },
  'folders: lock': (text) => Lock.read(text),
  'folders: images': (text) => {
    for (const format of ['html', 'css'] as const) {
      const images = findImageAddresses(text, format);
      const placed = withAddresses(text, images, 'mail', assets);
      withPaths(placed.text, images, 'mail', assets);
      for (const { start } of findImageAddresses(placed.text, format)) placed.toFile(start);
    }
  },
  'folders: mapping': (text) => readMapping(text),
};

/** All functions of the email and sync layers that take text from outside. */
export const functions: readonly MeasuredFunction[] = Object.entries(table).map(([name, run]) => ({ name, run }));

const compare = (own: string, message: string) =>
  compareReceived({ subject: own, html: own, text: own }, new TextEncoder().encode(message)).catch(() => undefined);

const received: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
  'received email': (text) => compare(text, `Content-Type: text/html\r\n\r\n${text}`),
  'received email with other words': (text) =>
    compare(text, `Content-Type: text/html\r\n\r\n${text.replaceAll('a', 'b')}`),
  'received headers and parts': (text) => compare('', `${text}\r\n\r\n${text}`),
};

/** Functions that resolve later. Only their executions are counted. */
export const asyncFunctions: readonly MeasuredFunction[] = Object.entries(received).map(([name, run]) => ({
  name,
  run,
}));
