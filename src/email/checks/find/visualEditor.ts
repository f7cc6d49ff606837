import { t } from '../../../l10n.ts';
import { toDisplayText } from '../../compose/fieldText.ts';
import { createPlaceholderGuard, findPlaceholders, type Placeholder } from '../../compose/placeholders.ts';
import { findRangeAt, mergeRanges } from '../../html/text.ts';
import { stripTags } from '../../html/stripTags.ts';
import { inherit, memoize, unrenderedElements } from '../document.ts';
import type { Finding, PartEdit, PartRange } from '../model.ts';
import type { ParsedEmail, RuleFinding, ServiceRule } from '../rule.ts';

const PLACEHOLDER_RULE = '55';
const MAX_QUOTED_CHARS = 60;
/** The start of deleted code, to quote its text. */
const MAX_READ_CHARS = 2000;

/** Returns the placeholders of the visual editor, which only AcyMailing has. */
export const getPlaceholders = memoize(({ email: { body }, isComposed }: ParsedEmail) =>
  isComposed ? findPlaceholders(body) : [],
);

/** Returns a function for whether a range is in the preview of a placeholder, which the service replaces. */
export function createPreviewTest(mail: ParsedEmail): (range: PartRange) => boolean {
  const whole = getPlaceholders(mail).filter(({ state }) => state === 'whole');
  const previews = mergeRanges(whole.map(({ openEnd, end }) => ({ start: openEnd, end })));
  return ({ part, start }) => part === 'body' && findRangeAt(previews, start) !== undefined;
}

/** Removes the edits of fixes that would change a placeholder, except those that restore one. */
export function protectPlaceholders(mail: ParsedEmail, findings: readonly Finding[]): readonly Finding[] {
  const touchesPlaceholder = createPlaceholderGuard(getPlaceholders(mail));
  return findings.map((finding) => {
    const isKept = (edit: PartEdit) => edit.part !== 'body' || !touchesPlaceholder(edit);
    if (finding.rule === PLACEHOLDER_RULE || (finding.fixes ?? []).every(({ edits }) => edits.every(isKept)))
      return finding;
    const { fixes = [], isMechanical, ...rest } = finding;
    const kept = fixes
      .map(({ title, edits }) => ({ title, edits: edits.filter(isKept) }))
      .filter(({ edits }) => edits.length > 0);
    return kept.length > 0 ? { ...finding, fixes: kept } : rest;
  });
}

function describePlaceholder(body: string, { state, end, replacedEnd }: Placeholder) {
  if (state === 'unreplaced')
    return t("Broken placeholder: AcyMailing can't replace it. Recipients see the old preview, often with stray code.");
  if (state === 'early')
    return t(
      'Broken placeholder: AcyMailing replaces only its beginning. Recipients also see the rest of the old preview.',
    );
  const html = body.slice(end, Math.min(replacedEnd, end + MAX_READ_CHARS));
  const deleted = toDisplayText(stripTags(html.replaceAll('<', ' <')).replace(/\s+/g, ' '));
  const text = deleted.length > MAX_QUOTED_CHARS ? `${deleted.slice(0, MAX_QUOTED_CHARS)}…` : deleted;
  return text === ''
    ? t('Broken placeholder: its end is missing. AcyMailing deletes everything up to the next such end.')
    : t`Broken placeholder: its end is missing. AcyMailing deletes everything up to the next such end: "${text}".`;
}

function findBrokenPlaceholders(mail: ParsedEmail): readonly RuleFinding[] {
  const { body } = mail.email;
  return getPlaceholders(mail)
    .filter(({ state }) => state !== 'whole')
    .map((placeholder) => {
      const { start, openEnd, end, replacedEnd, state, repair } = placeholder;
      const deleted = state === 'late' ? [{ start: end, end: replacedEnd }] : [];
      return {
        ranges: [{ start, end: openEnd }, ...deleted],
        message: describePlaceholder(body, placeholder),
        fixes: [{ title: t('Restore the placeholder'), edits: repair }],
      };
    });
}

const TEMPLATE_ID = 'acym__wysid__template';
const BLOCK_CLASS = 'acym__wysid__column__element';
const CELL_CLASS = `${BLOCK_CLASS}__td`;

/** Returns whether an element is in a cell of a block, or else in the email of the visual editor. */
const findContainer = inherit((element) =>
  element.classes.has(CELL_CLASS) ? 'cell' : element.get('id') === TEMPLATE_ID ? 'template' : undefined,
);

function findEditorProblems({ authored: { elements, texts } }: ParsedEmail): readonly RuleFinding[] {
  const rows = elements.filter(
    ({ classes }) => classes.has('acym__wysid__row') || classes.has('acym__wysid__row__element'),
  );
  // Without rows, it is only a part of such an email.
  if (rows.length === 0) return [];
  if (!elements.some((element) => element.get('id') === TEMPLATE_ID)) {
    const message = t`The visual editor of AcyMailing can't open this email: the element with the ID "${TEMPLATE_ID}" is missing.`;
    return [{ ranges: rows.slice(0, 1), message }];
  }
  const cells = elements.filter(({ classes, parent }) => classes.has(CELL_CLASS) && !parent?.classes.has(BLOCK_CLASS));
  const outside = texts.filter(
    ({ parent }) => !unrenderedElements.has(parent.name) && findContainer(parent) === 'template',
  );
  const message = t(
    'This content is outside the blocks of the visual editor of AcyMailing, which may remove it. Is a tag around it missing?',
  );
  return [{ ranges: [...cells, ...outside], message }];
}

export const getVisualEditorRules = (): readonly ServiceRule[] => [
  {
    id: PLACEHOLDER_RULE,
    name: 'placeholder',
    title: t('Broken placeholder of the visual editor'),
    severity: 'error',
    fix: 'choice',
    impact: t('Content is missing, or recipients see an old preview.'),
    find: findBrokenPlaceholders,
  },
  {
    id: '56',
    name: 'visual-editor',
    title: t('Changed structure of the visual editor'),
    severity: 'warning',
    impact: t("The email can't be edited in the visual editor, or loses content there."),
    find: findEditorProblems,
  },
];
