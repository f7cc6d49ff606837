import { t } from '@vscode/l10n';
import type { Token } from 'parse5';
import { escapeHtml } from '../../email/compose/compose.ts';
import { hasAllowedScheme } from '../../email/compose/safety.ts';
import { readTags } from '../../email/html/parseHtml.ts';
import type { Range } from '../../email/html/text.ts';

/** The values of a part's attributes in its text: `[[label]]`. */

/** The name of a part, a slot or an attribute. */
export const partName = /^[a-z0-9-]{1,60}$/;

/** A text, or the value of an attribute, that contains `[[attribute]]`. */
export interface Value extends Range {
  /** Where it is. `elsewhere`: where no escaping makes a value safe. */
  readonly where: 'text' | 'attribute' | 'url' | 'style' | 'elsewhere';
}

/** The check that reports a problem. */
export type PartRule = 'part-broken' | 'part-unknown' | 'slot-missing';

/** A part can't be applied. */
export class PartError extends Error {
  readonly rule: PartRule;

  constructor(message: string, rule: PartRule = 'part-broken') {
    super(message);
    this.rule = rule;
  }
}

const reference = /\[\[\s*([a-z0-9-]{1,60})\s*\]\]/g;
const urlAttribute =
  /^(?:(?:xlink:)?href|src(?:set)?|(?:form)?action|background|poster|cite|longdesc|data|codebase|ping)$/;
const urlSchemes = ['http', 'https', 'mailto', 'tel'];
const mergeTag = /(?:\{|%7B)(?:(?!%7[BD])[^{}])*(?:\}|%7D)/gi;
/** Values in stylesheets: colors, lengths and names. */
const styleValue = /^[\w\s#%.,+-]*$/;

/** Finds the values in a text between two tags. `element`: the element whose start tag is before it, as far as it matters. */
export function findTextValues(text: string, { start, end }: Range, element: string): readonly Value[] {
  return Array.from(text.slice(start, end).matchAll(reference), ({ 0: found, index }) => {
    const at = start + index;
    const isTagName = text.charAt(at - 1) === '<';
    const where = element === 'style' ? 'style' : element === 'script' || isTagName ? 'elsewhere' : 'text';
    return { where, start: at, end: at + found.length };
  });
}

/**
 * Finds the values in the attributes of a tag.
 * @param at the offset of the attributes, which is added to all others
 * @param isName whether the name of the tag contains one
 */
export function findValues(list: string, at: number, isName = false): readonly Value[] {
  const count = (text: string) => text.match(reference)?.length ?? 0;
  let others = count(list);
  const values: Value[] = [];
  for (const { name, start, end } of others > 0 ? (readAttributes(list) ?? []) : []) {
    const [before = ''] = /^[^][^=]*=\s*/.exec(list.slice(start, end)) ?? [];
    const found = before === '' ? 0 : count(list.slice(start + before.length, end));
    if (found === 0 || name.startsWith('on')) continue;
    others -= found;
    const where = urlAttribute.test(name) ? 'url' : 'attribute';
    values.push({ where, start: at + start + before.length, end: at + end });
  }
  return others > 0 || isName ? [{ where: 'elsewhere', start: at, end: at + list.length }] : values;
}

interface Attribute extends Range {
  readonly name: string;
  readonly value: string;
}

/** Reads attributes as HTML does. Returns undefined if the text consists of more or less than attributes. */
export function readAttributes(list: string): readonly Attribute[] | undefined {
  const tags: Token.TagToken[] = [];
  const ignore = () => undefined;
  readTags(`<p ${list}>`, { startTag: (tag) => void tags.push(tag), endTag: ignore, comment: ignore });
  const { attrs = [], location } = tags[0] ?? {};
  if (location?.endOffset !== list.length + 4) return undefined;
  return attrs.map(({ name, value }) => {
    const { startOffset = 3, endOffset = 3 } = location.attrs?.[name] ?? {};
    return { name, value, start: startOffset - 3, end: endOffset - 3 };
  });
}

/**
 * Replaces `[[attribute]]` in a value by the attributes of a part, escaped for where it is.
 * @throws `PartError` if an attribute is missing or not allowed there
 */
export function fillValue(source: string, where: Value['where'], attributes: Readonly<Record<string, string>>): string {
  const filled = source.replace(reference, (found, name: string) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (value === undefined) throw new PartError(t`The attribute "${name}" is missing.`);
    if (where === 'elsewhere' || (where === 'style' && !styleValue.test(value)))
      throw new PartError(t`The part's text contains ${found} where its value isn't allowed.`);
    const escaped = escapeHtml(value);
    return where === 'text' ? escaped.replaceAll('&quot;', '"') : escaped.replaceAll("'", '&#39;');
  });
  if (where !== 'attribute' && where !== 'url') return filled;
  const isComplete = /^["']/.test(filled) || /^[^\s"'=<>`]+$/.test(filled);
  const written = isComplete ? filled : `"${filled.replaceAll('"', '&quot;')}"`;
  const url = where === 'url' ? readAttributes(`a=${written}`)?.[0]?.value : '';
  // The service may replace a merge tag by nothing.
  if (url === undefined || [url, url.replace(mergeTag, '')].some((text) => !hasAllowedScheme(text, urlSchemes)))
    throw new PartError(t`This URL isn't allowed in a part: ${filled}. Use http, https, mailto or tel.`);
  return written;
}
