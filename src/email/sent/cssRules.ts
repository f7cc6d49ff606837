import { attempt, CssReader, fail } from './cssReader.ts';
import { readString, readUrl, readValue, writeString } from './cssValues.ts';
import { phpTrim } from '../html/stripTags.ts';

interface CssDeclaration {
  /** Lowercase, except for custom properties. */
  readonly property: string;
  /** In the service's notation. */
  readonly value: string;
  readonly isImportant: boolean;
}

export interface CssStyleRule {
  readonly kind: 'style';
  readonly selectors: readonly string[];
  readonly declarations: readonly CssDeclaration[];
}

/** An at-rule with rules (`@media`, `@supports`, `@keyframes`, …) or declarations (`@font-face`, `@page` and every unsupported one). */
interface CssAtRule {
  readonly kind: 'atRule';
  readonly name: string;
  readonly condition: string;
  readonly items: readonly CssItem[];
  readonly declarations: readonly CssDeclaration[];
}

/** `@namespace …;`. Imports and character sets are never sent. */
interface CssStatement {
  readonly kind: 'statement';
  readonly text: string;
}

export type CssItem = CssStyleRule | CssAtRule | CssStatement;

/** What contains the rules being read. */
type CssRuleContext = 'document' | 'group' | 'keyframes';

/** At-rules that contain rules, with any vendor prefix. */
const groupNamePattern = /^(?:-\w+-)?(?:media|document|supports|region-style|font-feature-values)$/i;
const keyframesNamePattern = /^(?:-\w+-)?keyframes$/i;

/** Valid parts of a selector: these characters, escapes and strings. Commas in keyframes are handled separately. */
const selectorPartPattern =
  /[a-zA-Z0-9\u00a0-\ud7ff\ue000-\uffff_^$|*=~[\]()\-\s.:#+>,]+|\\.|"(?:[^"\\\n]|\\.)*(?:"|$)|'(?:[^'\\\n]|\\.)*(?:'|$)/uy;
const percentagePattern = /^\s*\d+%\s*$/;

function isSelector(text: string, context: CssRuleContext) {
  if (context === 'keyframes' && (percentagePattern.test(text) || text.includes(',')))
    return percentagePattern.test(text);
  selectorPartPattern.lastIndex = 0;
  while (selectorPartPattern.lastIndex < text.length) if (!selectorPartPattern.test(text)) return false;
  return true;
}

/** Reads the rules of a stylesheet like the service's parser: invalid rules are lost, sometimes with the text that follows. */
export const readRules = (css: string): CssItem[] => readItems(new CssReader(css), 'document');

/** Reads items up to the end of their container. */
function readItems(reader: CssReader, context: CssRuleContext) {
  const items: CssItem[] = [];
  while (!reader.isAtEnd) {
    reader.skipSpace();
    const item = attempt(() => readItem(reader, context));
    if (item === 'end') break;
    if (item) items.push(item);
    else skipUnparsable(reader);
    reader.skipSpace();
  }
  return items;
}

/** If no character of a rule follows, the next item can only be an at-rule. */
function skipUnparsable(reader: CssReader) {
  if ([...'{}"\'(),'].some((character) => reader.occursAhead(character))) return;
  const next = reader.source.indexOf('@', reader.position);
  reader.position = next < 0 ? reader.source.length : next;
}

/** Returns undefined for a rule that isn't sent. */
function readItem(reader: CssReader, context: CssRuleContext): CssItem | 'end' | undefined {
  if (reader.next === '@') return readAtRule(reader);
  if (reader.next === '}' && context !== 'document') return 'end';
  const selectors = attempt(() => readSelectors(reader, context));
  if (selectors) return { kind: 'style', selectors, declarations: readDeclarationBlock(reader) };
  if (reader.next !== '}') reader.readUntil('}', { consume: true });
  return undefined;
}

function readAtRule(reader: CssReader): CssItem | 'end' | undefined {
  reader.expect('@');
  const name = reader.readIdentifier().toLowerCase();
  reader.skipSpace();
  if (name === 'import' || name === 'charset') {
    if (name === 'import') readUrl(reader);
    else readString(reader);
    reader.readUntil(';', { consume: true, allowEnd: true });
    return undefined;
  }
  if (name === 'namespace') return readNamespace(reader);
  const condition = phpTrim(reader.readUntil('{', { consume: true }));
  const base = { kind: 'atRule', name, condition, items: [], declarations: [] } as const;
  const isKeyframes = keyframesNamePattern.test(name);
  // Unbalanced parentheses end the whole list.
  if (!isKeyframes && countOccurrences(condition, '(') !== countOccurrences(condition, ')')) return 'end';
  if (!isKeyframes && !groupNamePattern.test(name)) return { ...base, declarations: readDeclarationBlock(reader) };
  const items = reader.readNested(() => readItems(reader, isKeyframes ? 'keyframes' : 'group'));
  if (reader.next === '}') reader.position += 1;
  return { ...base, items };
}

const countOccurrences = (text: string, character: string) => text.split(character).length - 1;

function readNamespace(reader: CssReader): CssItem {
  const first = readName(reader);
  reader.skipSpace();
  const second = reader.next === ';' ? undefined : readName(reader);
  reader.readUntil(';', { consume: true, allowEnd: true });
  const prefix = second && first.isWord ? `${first.text} ` : '';
  const url = second ?? first;
  if (url.isWord || (second && !first.isWord)) fail();
  return { kind: 'statement', text: `@namespace ${prefix}${url.text};` };
}

function readName(reader: CssReader) {
  reader.skipSpace();
  if (reader.isAtQuote) return { text: writeString(readString(reader)), isWord: false };
  return /^url\($/i.test(reader.source.slice(reader.position, reader.position + 4))
    ? { text: readUrl(reader), isWord: false }
    : { text: reader.readIdentifier(), isWord: true };
}

/** Reads up to `{`, or up to a `}` that ends a rule without declarations. */
function readSelectors(reader: CssReader, context: CssRuleContext) {
  const selectors: string[] = [];
  let selector = '';
  let quote: string | undefined;
  let brackets = 0;
  let isTaken = false;
  for (;;) {
    if (!isTaken) selector += reader.take();
    const part = reader.readUntil('{}\'"(),');
    selector += part;
    const character = reader.next;
    isTaken = false;
    if (character === '"' || character === "'") {
      if (quote === undefined) quote = character;
      else if (quote === character && !part.endsWith('\\')) quote = undefined;
    } else if (quote === undefined) {
      if (character === '{' || character === '}') break;
      if (character === '(') brackets += 1;
      if (character === ')' && (brackets -= 1) < 0) fail();
      if (character === ',' && brackets === 0) {
        selectors.push(selector);
        selector = '';
        reader.position += 1;
        isTaken = true;
      }
    }
  }
  selectors.push(selector);
  if (brackets !== 0 || !selectors.every((text) => isSelector(text, context))) fail();
  if (reader.next === '{') reader.position += 1;
  return selectors.map(phpTrim);
}

/** Reads declarations and their closing `}`. An invalid declaration is lost up to the next line, `;` or `}`. */
function readDeclarationBlock(reader: CssReader) {
  const declarations: CssDeclaration[] = [];
  reader.takeMatch(/;+/y);
  for (;;) {
    reader.skipSpace();
    if (reader.next === '}') break;
    const declaration = attempt(() => readDeclaration(reader));
    if (declaration) declarations.push(declaration);
    else if (attempt(() => reader.readUntil('\n;}')) === undefined) return declarations;
    else if (reader.next !== '}') {
      reader.position += 1;
      reader.takeMatch(/;+/y);
    }
  }
  reader.position += 1;
  return declarations;
}

function readDeclaration(reader: CssReader): CssDeclaration {
  const isCustom = reader.startsWith('--');
  const name = reader.readIdentifier();
  const property = isCustom ? name : name.toLowerCase();
  reader.skipSpace();
  reader.expect(':');
  const value = readValue(reader, property);
  reader.skipSpace();
  const isImportant = reader.next === '!';
  if (isImportant) {
    reader.expect('!');
    reader.skipSpace();
    reader.expect('important');
  }
  reader.skipSpace();
  reader.takeMatch(/;+/y);
  return { property, value, isImportant };
}

export function writeDeclaration({ property, value, isImportant }: CssDeclaration): string {
  return `${property}: ${value}${isImportant ? ' !important' : ''};`;
}

/** Writes at-rules that are sent whole in the service's layout, indented by `depth`. */
export function writeItems(items: readonly CssItem[], depth = 0): string {
  return items.map((item) => writeItem(item, depth)).join(`\n${'\t'.repeat(depth)}`);
}

function writeItem(item: CssItem, depth: number) {
  if (item.kind === 'statement') return item.text;
  const declarations = item.declarations.map(writeDeclaration).join('');
  if (item.kind === 'style') return `${item.selectors.join(', ')} {${declarations}}`;
  const { name, condition, items } = item;
  return `@${name}${condition && ` ${condition}`} {${writeItems(items, depth + 1)}${declarations}}`;
}
