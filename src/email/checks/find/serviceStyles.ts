import { t } from '../../../l10n.ts';
import { memoize } from '../document.ts';
import { encodeNamedCharacters } from '../../html/entities.ts';
import { memoizeByText } from '../../html/text.ts';
import { getUseRange, isInlined, isSentMedia, splitOverridden } from '../cascade.ts';
import type { StyleDeclaration } from '../css.ts';
import type { ParsedEmail, RuleEdit, RuleFinding, RuleRange, ServiceRule } from '../rule.ts';

/** Returns `padding` for `padding-left`: properties of one family affect each other. */
const getPropertyFamily = (property: string) => /^(?:-.*|[^-]+)/u.exec(property)?.[0] ?? '';

const getFamilies = memoize(
  (declarations: readonly StyleDeclaration[]) =>
    new Set(declarations.map(({ property }) => getPropertyFamily(property))),
);

/** Finds declarations that lose `!important` when AcyMailing inlines their rule. */
function findLostImportance(mail: ParsedEmail): RuleFinding {
  const lost = mail.findDeclarations(({ important }, block) => important && block.rule && isInlined(block));
  const families = new Set(lost.map(({ declaration: { property } }) => getPropertyFamily(property)));
  const related = mail.findDeclarations(
    ({ property }, block) => families.size > 0 && isInlined(block) && families.has(getPropertyFamily(property)),
  );
  const edits = lost.map(({ block, declaration: { valueStart, value, end } }) => ({
    ...block.toRange(valueStart + value.length, end),
    text: '',
  }));
  return {
    ranges: lost.map(getUseRange),
    message: t('AcyMailing inlines this rule and drops !important, so other styles may override it.'),
    // If nothing else sets these properties, the rule wins without !important.
    fixes: related.length === families.size ? [{ title: t('Remove !important'), edits }] : [],
  };
}

/** Finds media rules that lose against the elements' inlined styles. */
function findOverriddenMediaRules(mail: ParsedEmail): RuleFinding {
  const findInlinedFamilies = getFamilyFinder(mail);
  const uses = mail.findDeclarations(
    ({ property, important }, { rule }) =>
      !important &&
      rule?.atRule &&
      isSentMedia(rule.atRule) &&
      rule.selectors.some(({ text }) => findInlinedFamilies(text).has(getPropertyFamily(property))),
  );
  const edits = uses.map(({ block, declaration: { end } }) => ({ ...block.toRange(end, end), text: ' !important' }));
  const message = t(
    'AcyMailing inlines other styles of this property, which override this rule unless it is !important.',
  );
  return { ranges: uses.map(getUseRange), message, fixes: [{ title: t('Add !important'), edits }] };
}

/** Returns a function for the property families in the inlined styles of a selector's elements, within the budget. */
const getFamilyFinder = memoize(({ selectors }: ParsedEmail) =>
  memoizeByText((text: string) => {
    const sets = new Set<ReadonlySet<string>>();
    for (const element of selectors.match(text).elements ?? [])
      for (const { block, isInlined: isWritten } of element.blocks)
        if (isWritten && (selectors.budget -= 1) >= 0) sets.add(getFamilies(block.declarations));

    return new Set([...sets].flatMap((set) => [...set]));
  }),
);

/** Returns a CSS value with hexadecimal escapes decoded. */
const decodeHexEscapes = (value: string) =>
  value.replace(/\\([\da-f]{1,6})\s?/giu, (escape, code: string) => {
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : escape;
  });

export const getServiceStyleRules = (): readonly ServiceRule[] => [
  {
    id: '37',
    name: 'unmatched-rule',
    title: t('Unmatched selector'),
    severity: 'info',
    fix: 'choice',
    unnecessary: true,
    impact: t('Selectors for single clients (#outlook, .ExternalClass, [data-ogsc]) are not sent.'),
    find({ sheets, selectors: matcher }) {
      const ranges: RuleRange[] = [];
      const edits: RuleEdit[] = [];
      for (const { rules, toRange } of sheets)
        for (const { atRule, selectors, start, end } of rules) {
          if (atRule && !isSentMedia(atRule)) continue;
          const unmatched = selectors.filter(({ text }) => matcher.matchesNothing(text));
          const [first, last] = [selectors[0], selectors.at(-1)];
          if (unmatched.length === 0 || !first || !last) continue;
          const matched = selectors.filter((selector) => !matcher.matchesNothing(selector.text));
          for (const selector of unmatched) ranges.push(toRange(selector.start, selector.end));
          const range = matched.length === 0 ? toRange(start, end) : toRange(first.start, last.end);
          edits.push({ ...range, text: matched.map(({ text }) => text).join(', ') });
        }

      const message = t(
        'This selector matches no element, so AcyMailing drops it. Put selectors for single clients in the headers field.',
      );
      return { ranges, message, fixes: [{ title: t('Remove dropped styles'), edits }] };
    },
  },
  {
    id: '39',
    name: 'fallback',
    title: t('Lost fallback value'),
    severity: 'warning',
    impact: t('Older clients get neither value.'),
    find: (mail) => ({
      ranges: mail.blocks
        .filter(isInlined)
        .flatMap(({ declarations, toRange }) =>
          splitOverridden(declarations).overridden.map(({ start, end }) => toRange(start, end)),
        ),
      message: t(
        "AcyMailing sends only the last declaration of a property. Clients that don't support its value get none.",
      ),
    }),
  },
  {
    id: '40',
    name: 'importance',
    title: t('Lost or missing !important'),
    severity: 'warning',
    fix: 'choice',
    impact: t("The email doesn't adapt to phones or dark mode."),
    find: (mail) => [findLostImportance(mail), findOverriddenMediaRules(mail)],
  },
  {
    id: '42',
    name: 'content-sign',
    title: t('Named character in content:'),
    severity: 'warning',
    impact: t('Recipients see text such as "&eacute;".'),
    find(mail) {
      const uses = mail.findDeclarations(
        ({ property, value }, { rule }) =>
          rule && property === 'content' && encodeNamedCharacters(decodeHexEscapes(value)) !== decodeHexEscapes(value),
      );
      const message = t(
        "AcyMailing writes this character as an HTML entity, which CSS shows as text. Escapes don't help. Use another character, or move it to the HTML.",
      );
      return { ranges: uses.map(getUseRange), message };
    },
  },
];
