import type { CssItem, CssDeclaration } from './cssRules.ts';

export function writeDeclaration({ property, value, isImportant }: CssDeclaration): string {
  return `${property}: ${value}${isImportant ? ' !important' : ''};`;
}

/** Writes at-rules that are sent whole in the service's layout, indented by `depth`. */
export function writeItems(items: readonly CssItem[], depth = 0): string {
  return items.map((item) => writeItem(item, depth)).join(`\n${'\t'.repeat(depth)}`);
}

function writeItem(item: CssItem, depth: number): string {
  switch (item.kind) {
    case 'style':
      return `${item.selectors.join(', ')} {${item.declarations.map(writeDeclaration).join('')}}`;
    case 'group':
      return `${formatAtRule(item.name, item.condition)} {${writeItems(item.items, depth + 1)}}`;
    case 'declarations':
      return `${formatAtRule(item.name, item.condition)} {${item.declarations.map(writeDeclaration).join('')}}`;
    case 'statement':
      return item.text;
  }
}

const formatAtRule = (name: string, condition: string): string => `@${name}${condition && ` ${condition}`}`;
