import type { CssItem, Declaration } from './cssRules.ts';

export function writeDeclaration({ property, value, isImportant }: Declaration): string {
  return `${property}: ${value}${isImportant ? ' !important' : ''};`;
}

/** At-rules that stay whole, as the service writes them: what they hold on lines of its own, one deeper each. */
export function writeItems(items: readonly CssItem[], depth = 0): string {
  return items.map((item) => writeItem(item, depth)).join(`\n${'\t'.repeat(depth)}`);
}

function writeItem(item: CssItem, depth: number): string {
  switch (item.kind) {
    case 'style':
      return `${item.selectors.join(', ')} {${item.declarations.map(writeDeclaration).join('')}}`;
    case 'group':
      return `${atRule(item.name, item.condition)} {${writeItems(item.items, depth + 1)}}`;
    case 'declarations':
      return `${atRule(item.name, item.condition)} {${item.declarations.map(writeDeclaration).join('')}}`;
    case 'statement':
      return item.text;
  }
}

const atRule = (name: string, condition: string): string => `@${name}${condition && ` ${condition}`}`;
