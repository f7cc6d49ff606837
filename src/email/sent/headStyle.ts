import { writeItems } from './cssRules.ts';
import type { CssItem } from './cssRules.ts';
import type { EmailDocument } from './document.ts';
import type { SingleRule } from './inline.ts';
import { collectElements } from './tree.ts';

/** The rules that the service adds before the author's CSS for its own editor and inserted articles. Only the class selectors without an id apply to handwritten emails. */
const insertedContent = '#acym__wysid__template .acymailing_content';

export const emailFixes = [
  '@media only screen and (max-device-width:479px){.acymailing_content *[valign=middle]{width:auto}}',
  '@media only screen and (max-width:479px){.acymailing_content *[valign=middle]{width:auto}}',
  `${insertedContent}{margin-bottom:10px}`,
  `${insertedContent} *[valign=middle] .content_main_image{margin-left:auto !important;margin-right:auto !important}`,
  `${insertedContent} .content_main_image_caption{text-align:center}`,
  `${insertedContent} .acydescription img{display:inline-block}`,
  `${insertedContent} .acymailing_readmore{margin-top:10px;display:block}`,
  `${insertedContent} td.cflabel,${insertedContent} td.cfvalue{padding:.2rem .625rem}`,
  `${insertedContent} img{height:auto}`,
  '.alignleft{float:left;margin:.5em 1em .5em 0}',
  '.aligncenter{display:block;margin-left:auto;margin-right:auto}',
  '.alignright{float:right;margin:.5em 0 .5em 1em}',
  '.revealonline{display:none}',
  '.screen-reader-text{display:none !important}',
  '.acym__featured__event__email{background:#f4f4f4;border:1px solid #d1d5db;padding:.875rem !important;margin-bottom:1rem}',
  '.acym__featured__event__email__highlight{font-weight:bold;color:#00a3fe !important;margin-bottom:.5rem !important}',
].join('');

/** Writes the `<style>` of the head: whole at-rules, then the rules that can't be inlined. Similar adjacent rules are merged. */
export function writeHeadStyle(items: readonly CssItem[], remaining: readonly SingleRule[]): string {
  return writeItems(items.filter(isSentWhole)) + writeRules(remaining);
}

function isSentWhole(item: CssItem): boolean {
  if (item.kind === 'style') return false;
  if (item.kind === 'statement') return true;
  if (item.name !== 'font-face') return item.name !== 'media';
  const has = (name: string): boolean =>
    item.kind === 'declarations' && item.declarations.some(({ property }) => property === name);
  return has('font-family') && has('src');
}

interface RuleBlock {
  readonly selectors: Set<string>;
  /** Only the last part ends with a semicolon. */
  readonly parts: string[];
}

function writeRules(rules: readonly SingleRule[]): string {
  const groups: { readonly media: string; readonly blocks: RuleBlock[] }[] = [];
  for (const { media, selector, declarations: block } of rules) {
    if (groups.at(-1)?.media !== media) groups.push({ media, blocks: [] });
    const blocks = groups.at(-1)?.blocks ?? [];
    const last = blocks.at(-1);
    if (last?.parts.length === 1 && last.parts[0] === block) last.selectors.add(selector);
    else if (last?.selectors.size === 1 && last.selectors.has(selector))
      last.parts.push((last.parts.pop() ?? '').trimEnd().replace(/(?<!;);+$/, ''), block);
    else blocks.push({ selectors: new Set([selector]), parts: [block] });
  }
  return groups
    .map(({ media, blocks }) => {
      const css = blocks.map(({ selectors, parts }) => `${[...selectors].join(',')}{${parts.join(';')}}`).join('');
      return media === '' ? css : `${media}{${css}}`;
    })
    .join('');
}

/** Removes the classes that no rule in the head uses. The service ignores the `headers` field here. */
export function pruneClasses({ roots }: EmailDocument, usedClasses: ReadonlySet<string>): void {
  for (const element of collectElements(roots)) {
    const names = element.attributes.get('class');
    if (names === undefined) continue;
    const remaining = [...new Set((names ?? '').split(/[ \t\n\v\f\r]+/))].filter((name) => usedClasses.has(name));
    if (remaining.length > 0) element.attributes.set('class', remaining.join(' '));
    else element.attributes.delete('class');
  }
}
