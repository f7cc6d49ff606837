import * as l10n from '@vscode/l10n';
import { formatList, localized } from '../../../l10n.ts';
import { isDynamicSelector, isSentAtRule } from '../cascade.ts';
import { getClientName, type ClientFamily } from '../clients.ts';
import table from '../data/support.json' with { type: 'json' };
import type { Rule, RuleRange } from '../rule.ts';
import type { ParsedEmail } from '../parsedEmail.ts';

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

/** Features that other rules report with a more specific message. */
const coveredFeatures = new Set(
  (
    'css-display-flex css-display-grid css-position css-margin css-max-width css-background css-background-image ' +
    'css-at-import css-padding html-form html-video html-audio html-object html-link html-svg html-style html-body ' +
    'html-width css-display'
  ).split(' '),
);

/** Features that cover several properties, or a property with another name. */
const featureProperties: Readonly<Record<string, string>> = {
  'css-gap': 'gap column-gap row-gap',
  'css-left-right-top-bottom': 'left right top bottom',
  'css-block-inline-size': 'block-size inline-size',
  'css-column-layout-properties': 'columns column-width column-rule column-fill column-span',
  'css-grid-template': 'grid-template grid-template-columns grid-template-rows grid-template-areas',
  'css-margin-block-start-end': 'margin-block-start margin-block-end',
  'css-margin-inline-start-end': 'margin-inline-start margin-inline-end',
  'css-margin-inline-block': 'margin-inline margin-block',
  'css-padding-block-start-end': 'padding-block-start padding-block-end',
  'css-padding-inline-start-end': 'padding-inline-start padding-inline-end',
  'css-padding-inline-block': 'padding-inline padding-block',
  'css-border-inline-block': 'border-inline border-block',
  'css-scroll-snap': 'scroll-snap-type scroll-snap-align scroll-snap-stop',
};

/** Features in declaration values. */
const valueFeatures: readonly (readonly [feature: string, value: RegExp])[] = [
  ...['clamp', 'max', 'min', 'light-dark'].map(
    (name) => [`css-function-${name}`, new RegExp(`(?<![\\w-])${name}\\(`, 'iu')] as const,
  ),
  ...['conic', 'linear', 'radial'].map(
    (name) => [`css-${name}-gradient`, new RegExp(`${name}-gradient\\(`, 'iu')] as const,
  ),
  ['css-unit-calc', /(?<![\w-])calc\(/iu],
  ['css-variables', /var\(/iu],
  ['css-modern-color', /(?:ok)?l(?:ch|ab)\(/iu],
  ['css-rgba', /rgba\(/iu],
  ...'ch cm em ex in mm pc pt rem vh vmax vmin vw'
    .split(' ')
    .map((unit) => [`css-unit-${unit}`, new RegExp(`(?<![\\w#.-])-?[\\d.]+${unit}(?![\\w-])`, 'iu')] as const),
  ['css-unit-initial', /^initial$/iu],
  ['css-intrinsic-size', /(?:fit|min|max)-content/iu],
  ['css-sytem-ui', /system-ui|ui-(?:serif|sans-serif|rounded|monospace)/iu],
];

/** Features in selectors. */
const selectorFeatures: readonly (readonly [feature: string, selector: RegExp])[] = [
  ...features.flatMap((feature) => {
    const [, kind, name] = /^css-pseudo-(class|element)-(.+)$/u.exec(feature) ?? [];
    const colons = kind === 'class' ? ':' : '::?';
    return name ? [[feature, new RegExp(`(?<!:)${colons}${name}(?![\\w-])`, 'iu')] as const] : [];
  }),
  ['css-selector-attribute', /\[/u],
  ['css-selector-adjacent-sibling', /\+/u],
  ['css-selector-general-sibling', /~(?!=)/u],
  ['css-selector-child', />/u],
  ['css-selector-universal', /(?:^|[\s>+~])\*/u],
  ['css-selector-id', /#/u],
  ['css-selector-chaining', /\.[\w-]+\.[\w-]/u],
];

/** Features in `@media` queries. */
const mediaFeatures: readonly (readonly [feature: string, condition: RegExp])[] = [
  ['css-at-media-hover', /\((?:any-)?hover/iu],
  ['css-at-media-orientation', /orientation/iu],
  ['css-at-media-device-pixel-ratio', /device-pixel-ratio/iu],
  ['css-at-media-prefers-color-scheme', /prefers-color-scheme/iu],
  ['css-at-media-prefers-reduced-motion', /prefers-reduced-motion/iu],
];

/** Attributes that are features of their own. */
const attributeFeatures =
  'aria-describedby aria-hidden aria-label aria-labelledby aria-live hidden inert popover required role srcset target'
    .split(' ')
    .map((name) => [name, name === 'inert' ? 'css-inert-attribute' : `html-${name}`] as const);

const propertyFeatures = new Map(
  features
    .filter((feature) => feature.startsWith('css-'))
    .flatMap((feature) =>
      (featureProperties[feature]?.split(' ') ?? [feature.slice('css-'.length)]).map(
        (property) => [property, feature] as const,
      ),
    ),
);

/** Returns the ranges that use each feature. */
function findFeatureUses(mail: ParsedEmail): ReadonlyMap<string, readonly RuleRange[]> {
  const uses = new Map<string, RuleRange[]>();
  const add = (feature: string | undefined, range: RuleRange): void => {
    if (feature === undefined || !rows.has(feature) || coveredFeatures.has(feature)) return;
    const ranges = uses.get(feature);
    if (ranges) ranges.push(range);
    else uses.set(feature, [range]);
  };
  const featuresByValue = new Map<string, readonly string[]>();
  const findValueFeatures = (value: string): readonly string[] => {
    const matched =
      featuresByValue.get(value) ?? valueFeatures.filter(([, test]) => test.test(value)).map(([feature]) => feature);
    featuresByValue.set(value, matched);
    return matched;
  };
  for (const { declarations, toRange, rule } of mail.sentBlocks) {
    for (const { property, value, start, end } of declarations) {
      for (const feature of [propertyFeatures.get(property), ...findValueFeatures(value)])
        add(feature, toRange(start, end));
    }
    for (const { text, start, end } of rule?.selectors ?? []) {
      // AcyMailing inlines all other rules.
      if (mail.isComposed && !rule?.atRule && !isDynamicSelector(text)) continue;
      for (const [feature, test] of selectorFeatures) if (test.test(text)) add(feature, toRange(start, end));
    }
  }
  for (const { atRules, toRange } of mail.sheets) {
    for (const { name, prelude, start, end } of mail.isComposed ? atRules.filter(isSentAtRule) : atRules) {
      add(`css-at-${name}`, toRange(start, end));
      for (const [feature, test] of name === 'media' ? mediaFeatures : [])
        if (test.test(prelude)) add(feature, toRange(start, end));
    }
  }
  for (const element of mail.elements) {
    add(`html-${element.name}`, element);
    for (const [name, feature] of attributeFeatures) {
      const attribute = element.has(name) ? element.attribute(name) : undefined;
      if (attribute) add(feature, attribute);
    }
  }
  return uses;
}

export const getSupportRules = localized((): readonly Rule[] => [
  {
    id: '34',
    name: 'support',
    title: l10n.t('Other unsupported feature'),
    severity: 'off',
    impact: l10n.t('Decorative details differ, such as rounded corners, shadows or line breaks.'),
    url: 'https://www.caniemail.com/',
    find: (mail) =>
      [...findFeatureUses(mail)].flatMap(([feature, ranges]) => {
        const missing = findMissingSupport(mail, feature);
        const [title = feature, tested = ''] = rows.get(feature) ?? [];
        if (!missing) return [];
        const message = l10n.t({
          message: '{0} is not supported by {1} (tested {2}).',
          args: [title, missing.names, tested],
          comment: '{0}: a CSS or HTML feature; {1}: mail clients; {2}: a date',
        });
        return { ranges, message, ...missing };
      }),
  },
]);
