import { formatList, t } from '../../../l10n.ts';
import { memoizeByText } from '../../html/text.ts';
import { isDynamicSelector, isSentAtRule } from '../cascade.ts';
import { getClientName, type ClientFamily } from '../clients.ts';
import forms from '../data/features.json' with { type: 'json' };
import table from '../data/support.json' with { type: 'json' };
import type { ParsedEmail, Rule, RuleRange } from '../rule.ts';

type Support = 'yes' | 'no' | 'partly' | 'unknown';

type FeatureRow = readonly [
  title: string,
  /** Date of the last test, as `YYYY-MM-DD`. */
  tested: string,
  /** Support in each client of the table: `y`, `n`, `a` (partly) or `u`. */
  letters: string,
  notes?: readonly (readonly [text: string, clients: readonly number[]])[],
];

const rows: ReadonlyMap<string, FeatureRow> = new Map(
  Object.entries(table.features as unknown as Readonly<Record<string, FeatureRow>>),
);
const features = [...rows.keys()];

/** Returns the URL of a feature's test page. */
export const featureUrl = (feature: string): string => `https://www.caniemail.com/features/${feature}/`;

/** Returns the feature that a test page is about. */
export const featureFromUrl = (page: string): string | undefined =>
  features.find((feature) => featureUrl(feature) === page);

export interface FeatureSupport {
  readonly title: string;
  readonly tested: string;
  readonly page: string;
  readonly clients: readonly {
    readonly family: ClientFamily;
    readonly support: Support;
    readonly notes: readonly string[];
  }[];
}

/** Returns the support of a feature by client family. */
export function getFeatureSupport(feature: string, families: readonly ClientFamily[]): FeatureSupport | undefined {
  const row = rows.get(feature);
  if (!row) return undefined;
  const [title, tested, letters, allNotes = []] = row;
  const clients = families.map((family) => {
    const columns = family.members.map((member) => table.clients.indexOf(member));
    const notes = allNotes.filter(([, of]) => columns.some((column) => of.includes(column))).map(([text]) => text);
    const support = combineSupport(columns.map((column) => letters[column] ?? ''));
    return { family, support, notes };
  });
  return { title, tested, page: featureUrl(feature), clients };
}

/** Combines the support of a family's members. */
function combineSupport(letters: readonly string[]): Support {
  const tested = letters.filter((letter) => /[yna]/u.test(letter));
  if (tested.length === 0) return 'unknown';
  if (tested.filter((letter) => letter === 'n').length * 2 >= tested.length) return 'no';
  return tested.every((letter) => letter === 'y') ? 'yes' : 'partly';
}

/**
 * Returns the families that don't support a feature at all, as findings report them; undefined if there are none. `others`: families that
 * lack support for this form of the feature.
 */
export function findMissingSupport(
  { clients: families }: ParsedEmail,
  feature: string,
  others: readonly string[] = [],
) {
  const support = getFeatureSupport(feature, families)?.clients ?? [];
  const clients = support
    .filter((client) => client.support === 'no' || others.includes(client.family.name))
    .map(({ family }) => family.name);
  return clients.length === 0
    ? undefined
    : { clients, names: formatList(clients.map(getClientName)), url: featureUrl(feature) };
}

const compilePatterns = (patterns: Readonly<Record<string, string>>) =>
  Object.entries(patterns).map(([feature, pattern]) => [feature, new RegExp(pattern, 'iu')] as const);

/** Features that other rules report with a more specific message. */
const coveredFeatures = new Set(forms.covered);
const valueFeatures = compilePatterns(forms.values);
const mediaFeatures = compilePatterns(forms.media);
const selectorFeatures = [
  ...features.flatMap((feature) => {
    const [, kind, name] = /^css-pseudo-(class|element)-(.+)$/u.exec(feature) ?? [];
    const colons = kind === 'class' ? ':' : '::?';
    return name ? [[feature, new RegExp(`(?<!:)${colons}${name}(?![\\w-])`, 'iu')] as const] : [];
  }),
  ...compilePatterns(forms.selectors),
];
/** Attributes that are features of their own. */
const attributeFeatures = Object.entries(forms.attributes);
/** Features that cover several properties, or a property with another name. */
const featureProperties = new Map(Object.entries(forms.properties));

const propertyFeatures = new Map(
  features
    .filter((feature) => feature.startsWith('css-'))
    .flatMap((feature) =>
      (featureProperties.get(feature)?.split(' ') ?? [feature.slice('css-'.length)]).map(
        (property) => [property, feature] as const,
      ),
    ),
);

/** Returns the ranges that use each feature. */
function findFeatureUses(mail: ParsedEmail) {
  const uses: { readonly feature: string; readonly range: RuleRange }[] = [];
  const add = (feature: string | undefined, range: RuleRange) => {
    if (feature !== undefined && rows.has(feature) && !coveredFeatures.has(feature)) uses.push({ feature, range });
  };
  const findValueFeatures = memoizeByText((value: string) =>
    valueFeatures.filter(([, test]) => test.test(value)).map(([feature]) => feature),
  );
  for (const { declarations, toRange, rule } of mail.sentBlocks) {
    for (const { property, value, start, end } of declarations)
      for (const feature of [propertyFeatures.get(property), ...findValueFeatures(value)])
        add(feature, toRange(start, end));

    for (const { text, start, end } of rule?.selectors ?? []) {
      // AcyMailing inlines all other rules.
      if (mail.isComposed && !rule?.atRule && !isDynamicSelector(text)) continue;
      for (const [feature, test] of selectorFeatures) if (test.test(text)) add(feature, toRange(start, end));
    }
  }
  for (const { atRules, toRange } of mail.sheets)
    for (const { name, prelude, start, end } of mail.isComposed ? atRules.filter(isSentAtRule) : atRules) {
      add(`css-at-${name}`, toRange(start, end));
      for (const [feature, test] of name === 'media' ? mediaFeatures : [])
        if (test.test(prelude)) add(feature, toRange(start, end));
    }

  for (const element of mail.elements) {
    add(`html-${element.name}`, element);
    for (const [name, feature] of attributeFeatures) {
      const attribute = element.has(name) ? element.attribute(name) : undefined;
      if (attribute) add(feature, attribute);
    }
  }
  return Map.groupBy(uses, ({ feature }) => feature);
}

export const getSupportRules = (): readonly Rule[] => [
  {
    id: '34',
    name: 'support',
    title: t('Other unsupported feature'),
    severity: 'off',
    impact: t('Decorative details differ, such as rounded corners, shadows or line breaks.'),
    url: 'https://www.caniemail.com/',
    find: (mail) =>
      [...findFeatureUses(mail)].flatMap(([feature, uses]) => {
        const missing = findMissingSupport(mail, feature);
        const [title = feature, tested = ''] = rows.get(feature) ?? [];
        if (!missing) return [];
        const message = t({
          message: '{0} is not supported by {1} (tested {2}).',
          args: [title, missing.names, tested],
          comment: '{0}: a CSS or HTML feature; {1}: mail clients; {2}: a date',
        });
        return { ranges: uses.map(({ range }) => range), message, ...missing };
      }),
  },
];
