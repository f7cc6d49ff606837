import { t } from '../../l10n.ts';
import { findFirstIndex, findRangeAt, mergeRanges, type Range } from '../html/text.ts';
import { findRawElements } from '../html/stripTags.ts';
import type { CustomField, TagLanguage, TagLocation } from './model.ts';
import { parseTags } from './parse.ts';
import { findTagProblems, type ProblemOptions } from './problems.ts';
import { createFixes, createProblem, type TagProblem } from './tagProblem.ts';

/** Tags of other services: `*|FNAME|*`, `{{first_name}}`, `{% if … %}`, `[[name]]`, `%%name%%` and `{$name}`. */
const foreignTag =
  /\*\|[^|*\n<>]{1,60}\|\*|\{\{\{?[^{}\n<]{1,120}\}\}\}?|\{%[^{}\n<]{1,120}%\}|\[\[[a-z_][\w.-]{0,60}\]\]|%%=?[a-z_][^%\n<>]{0,60}%%|\{\$[a-z_][\w.]{0,60}\}/giu;

/** Tags of AcyMailing, and the names of the same in other services. */
const equivalentTags = new Map(
  Object.entries({
    '{subscriber:name|part:first}': 'fname firstname vorname prenom',
    '{subscriber:name|part:last}': 'lname lastname surname nachname',
    '{subscriber:name}': 'name fullname',
    '{subscriber:email}': 'email mail emailaddress emailaddr',
    '{unsubscribe}{/unsubscribe}': 'unsub unsubscribe unsubscribelink unsubscribeurl unsubscriptionlink unsubcenterurl',
    '{readonline}{/readonline}': 'archive webversion webview viewinbrowser viewonline viewemailurl mirror mirrorlink',
    '{modify_profile}{/modify_profile}': 'updateprofile updatepreferences managepreferences profilecenterurl',
    '{date:Y}': 'currentyear',
  }).flatMap(([tag, names]) => names.split(' ').map((name) => [name, tag] as const)),
);

/** Further tags are reported once these are replaced. */
const MAX_TAGS = 200;

/** Finds tags of other services, in text order: leftovers of an email that was made for one of them. `unread`: ranges without tags, such as comments. */
export function findForeignTags(
  text: string,
  language: TagLanguage,
  where: TagLocation,
  { fields, tags = parseTags(text, language) }: ProblemOptions = {},
  unread: readonly Range[] = [],
): readonly TagProblem[] {
  if (language.families.length === 0) return [];
  const ignored = mergeRanges([...findRawElements(text), ...unread]);
  const found = [...text.matchAll(foreignTag)].slice(0, MAX_TAGS).flatMap(({ 0: source, index: start }) => {
    const end = start + source.length;
    const own = tags[findFirstIndex(tags, (tag) => tag.start > start)];
    const hasOwn = own && own.start < end && (own.kind === 'value' || own.partner !== undefined);
    if (hasOwn || findRangeAt(ignored, start)) return [];
    const tag = findEquivalent(source, fields) ?? '';
    return { start, end, source, tag: findTagProblems(tag, language, where, { fields }).length === 0 ? tag : '' };
  });
  // Tags without an equivalent make one finding.
  const { source: example = '' } = found.find(({ tag }) => tag === '') ?? {};
  return found.map(({ source, tag, ...range }) => {
    const name = (tag === '' ? example : source).slice(0, 60);
    const message = t`"${name}" is a merge tag of another service. Recipients will see it as typed.`;
    return createProblem('tag-unrecognized', range, message, ...createFixes(range, tag));
  });
}

/** Returns the tag that outputs the same, with the same default. */
function findEquivalent(source: string, fields: readonly CustomField[] = []) {
  const inner = source.replace(/^[*|{%$[\s]+|[*|}%\]\s]+$/gu, '');
  const [, written = '', fallback = ''] =
    /^(?:\w+\.)*([a-z_]+)\s*(?:\|\s*default\s*[:=]?\s*\(?["']?(\w+)["']?\)?)?$/iu.exec(inner) ?? [];
  const name = written.toLowerCase();
  const tag =
    equivalentTags.get(name.replaceAll('_', '')) ??
    (fields.some(({ namekey }) => namekey === name) ? `{subscriber:${name}}` : undefined);
  return fallback === '' ? tag : tag?.replace(/^(\{subscriber:.*)\}$/u, `$1|default:${fallback}}`);
}
