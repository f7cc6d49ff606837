import { getSentBlocks, isDynamicSelector, isSentAtRule } from '../cascade.ts';
import type { PartRange } from '../model.ts';
import { startTagRange, toBodyRange, type ParsedEmail } from '../parsedEmail.ts';
import { joinNames, type Rule } from '../rule.ts';
import { featureUrl, features, getFeatureSupport, findUnsupportingClients } from '../support.ts';

/** Features that other rules report with a more specific message. */
const coveredFeatures = new Set([
  'css-display-flex',
  'css-display-grid',
  'css-position',
  'css-margin',
  'css-max-width',
  'css-background',
  'css-background-image',
  'css-at-import',
  'css-padding',
  'html-form',
  'html-video',
  'html-audio',
  'html-object',
  'html-link',
  'html-svg',
  'html-style',
  'html-body',
  'html-width',
  'css-display',
]);

/** Features that cover several properties, or a property with another name. */
const featureProperties: Readonly<Record<string, readonly string[]>> = {
  'css-gap': ['gap', 'column-gap', 'row-gap'],
  'css-left-right-top-bottom': ['left', 'right', 'top', 'bottom'],
  'css-block-inline-size': ['block-size', 'inline-size'],
  'css-column-layout-properties': ['columns', 'column-width', 'column-rule', 'column-fill', 'column-span'],
  'css-grid-template': ['grid-template', 'grid-template-columns', 'grid-template-rows', 'grid-template-areas'],
  'css-margin-block-start-end': ['margin-block-start', 'margin-block-end'],
  'css-margin-inline-start-end': ['margin-inline-start', 'margin-inline-end'],
  'css-margin-inline-block': ['margin-inline', 'margin-block'],
  'css-padding-block-start-end': ['padding-block-start', 'padding-block-end'],
  'css-padding-inline-start-end': ['padding-inline-start', 'padding-inline-end'],
  'css-padding-inline-block': ['padding-inline', 'padding-block'],
  'css-border-inline-block': ['border-inline', 'border-block'],
  'css-scroll-snap': ['scroll-snap-type', 'scroll-snap-align', 'scroll-snap-stop'],
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
  ...['ch', 'cm', 'em', 'ex', 'in', 'mm', 'pc', 'pt', 'rem', 'vh', 'vmax', 'vmin', 'vw'].map(
    (unit) => [`css-unit-${unit}`, new RegExp(`(?<![\\w#.-])-?[\\d.]+${unit}(?![\\w-])`, 'iu')] as const,
  ),
  ['css-unit-initial', /^initial$/iu],
  ['css-intrinsic-size', /(?:fit|min|max)-content/iu],
  ['css-sytem-ui', /system-ui|ui-(?:serif|sans-serif|rounded|monospace)/iu],
];

/** Features in selectors. */
const selectorFeatures: readonly (readonly [feature: string, selector: RegExp])[] = [
  ...features
    .filter((feature) => feature.startsWith('css-pseudo-class-'))
    .map((feature) => [feature, createPseudoPattern(':', feature.slice('css-pseudo-class-'.length))] as const),
  ...features
    .filter((feature) => feature.startsWith('css-pseudo-element-'))
    .map((feature) => [feature, createPseudoPattern('::?', feature.slice('css-pseudo-element-'.length))] as const),
  ['css-selector-attribute', /\[/u],
  ['css-selector-adjacent-sibling', /\+/u],
  ['css-selector-general-sibling', /~(?!=)/u],
  ['css-selector-child', />/u],
  ['css-selector-universal', /(?:^|[\s>+~])\*/u],
  ['css-selector-id', /#/u],
  ['css-selector-chaining', /\.[\w-]+\.[\w-]/u],
];

function createPseudoPattern(colons: string, name: string): RegExp {
  return new RegExp(`(?<!:)${colons}${name}(?![\\w-])`, 'iu');
}

/** Features in `@media` queries. */
const mediaFeatures: readonly (readonly [feature: string, condition: RegExp])[] = [
  ['css-at-media-hover', /\((?:any-)?hover/iu],
  ['css-at-media-orientation', /orientation/iu],
  ['css-at-media-device-pixel-ratio', /device-pixel-ratio/iu],
  ['css-at-media-prefers-color-scheme', /prefers-color-scheme/iu],
  ['css-at-media-prefers-reduced-motion', /prefers-reduced-motion/iu],
];

/** Attributes that are features of their own. */
const featureAttributes = [
  'aria-describedby',
  'aria-hidden',
  'aria-label',
  'aria-labelledby',
  'aria-live',
  'hidden',
  'inert',
  'popover',
  'required',
  'role',
  'srcset',
  'target',
];

const propertyFeatures = new Map<string, string>(
  features
    .filter((feature) => feature.startsWith('css-'))
    .flatMap((feature) =>
      (featureProperties[feature] ?? [feature.slice('css-'.length)]).map((property) => [property, feature] as const),
    ),
);

const attributeFeatures = featureAttributes.map(
  (name) => [name, name === 'inert' ? 'css-inert-attribute' : `html-${name}`] as const,
);

/** Returns the ranges that use each feature. */
function findFeatureUses(mail: ParsedEmail): ReadonlyMap<string, readonly PartRange[]> {
  const uses = new Map<string, PartRange[]>();
  const add = (feature: string | undefined, getRange: () => PartRange): void => {
    if (feature === undefined || coveredFeatures.has(feature)) return;
    const ranges = uses.get(feature);
    if (ranges) ranges.push(getRange());
    else uses.set(feature, [getRange()]);
  };
  const featuresByValue = new Map<string, readonly string[]>();
  const findValueFeatures = (value: string): readonly string[] => {
    const matched =
      featuresByValue.get(value) ?? valueFeatures.filter(([, test]) => test.test(value)).map(([feature]) => feature);
    featuresByValue.set(value, matched);
    return matched;
  };
  for (const { declarations, toRange, rule } of getSentBlocks(mail)) {
    for (const { property, value, start, end } of declarations) {
      for (const feature of [propertyFeatures.get(property), ...findValueFeatures(value)])
        add(feature, () => toRange(start, end));
    }
    for (const { text, start, end } of rule?.selectors ?? []) {
      // AcyMailing inlines all other rules.
      if (mail.isComposed && !rule?.atRule && !isDynamicSelector(text)) continue;
      for (const [feature, test] of selectorFeatures) if (test.test(text)) add(feature, () => toRange(start, end));
    }
  }
  const existing = new Set(features);
  const ifExisting = (feature: string): string | undefined => (existing.has(feature) ? feature : undefined);
  for (const { atRules, toRange } of mail.sheets) {
    for (const { name, prelude, start, end } of mail.isComposed ? atRules.filter(isSentAtRule) : atRules) {
      add(ifExisting(`css-at-${name}`), () => toRange(start, end));
      for (const [feature, test] of name === 'media' ? mediaFeatures : [])
        if (test.test(prelude)) add(feature, () => toRange(start, end));
    }
  }
  for (const element of mail.document.elements) {
    add(ifExisting(`html-${element.name}`), () => startTagRange(element));
    for (const [name, feature] of attributeFeatures) {
      const attribute = element.has(name) ? element.attribute(name) : undefined;
      if (attribute) add(feature, () => toBodyRange(attribute));
    }
  }
  return uses;
}

export const supportRules: readonly Rule[] = [
  {
    id: '34',
    name: 'support',
    title: 'Other unsupported feature',
    severity: 'off',
    impact: 'Decorative details differ, such as rounded corners, shadows or line breaks.',
    url: 'https://www.caniemail.com/',
    find: (mail) =>
      [...findFeatureUses(mail)].flatMap(([feature, ranges]) => {
        const clients = findUnsupportingClients(feature, mail.clients);
        const support = clients.length > 0 ? getFeatureSupport(feature, mail.clients) : undefined;
        if (!support) return [];
        const message = `${support.title} is not supported by ${joinNames(clients)} (tested ${support.tested}).`;
        return [{ ranges, message, clients, url: featureUrl(feature) }];
      }),
  },
];
