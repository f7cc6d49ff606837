import { aboutField } from './customFields.ts';
import type { CustomField, Rendering, Stretch, Tag, TagFamily, TagLanguage, TagParameter, Where } from './model.ts';
import { parseTags } from './parse.ts';
import { renderTags } from './render.ts';
import { OpenTags } from './scan.ts';
import { sampleRendering } from './sample.ts';

export interface TagCompletion extends Stretch {
  readonly label: string;
  readonly kind: 'family' | 'field' | 'pair' | 'condition' | 'parameter' | 'value' | 'close';
  /** What replaces the stretch. */
  readonly text: string;
  /** The same as a snippet of VS Code, where the cursor has somewhere to go. */
  readonly snippet?: string;
  readonly description: string;
  /** What the tag then gives, for the person of the context. */
  readonly example?: string;
  /** Whether there is more to choose at the end of it. */
  readonly goesOn: boolean;
}

export interface CompletionContext {
  readonly where: Where;
  /** The site's custom fields, as far as they are known. */
  readonly fields?: readonly CustomField[];
  /** Whom examples are rendered for. Default: a typical person. */
  readonly to?: Rendering;
}

/** What may stand at an offset, after a `{`, a `:` or a `|`. Never throws; looks at no more than the line. */
export function completeTags(
  text: string,
  offset: number,
  language: TagLanguage,
  context: CompletionContext,
): TagCompletion[] {
  const place = placeAt(text, offset);
  if (!place) return [];
  const scene: Scene = {
    text,
    place,
    language,
    context,
    to: { ...(context.to ?? sampleRendering()), where: context.where },
  };
  if (place.isClosing) return closers(scene);
  if (place.family === undefined) return [...families(scene), ...pairs(scene), ...conditions(scene)];
  if (place.family === language.conditions?.name) return conditionFields(scene);
  return place.parameter === undefined && place.segment === 0 ? fields(scene) : parameters(scene);
}

interface Place {
  /** Offset of the opening brace. */
  readonly start: number;
  /** The name before the colon, in small letters; undefined: it is being written. */
  readonly family: string | undefined;
  readonly isClosing: boolean;
  /** 0: the id; from 1 on: a parameter. */
  readonly segment: number;
  /** The parameter whose value is being written. */
  readonly parameter: string | undefined;
  /** What is replaced, to the end of the word behind the offset. */
  readonly stretch: Stretch;
  /** Whether the brace that closes it stands behind it. */
  readonly isClosed: boolean;
}

interface Scene {
  readonly text: string;
  readonly place: Place;
  readonly language: TagLanguage;
  readonly context: CompletionContext;
  readonly to: Rendering;
}

const longestTag = 500;

function placeAt(text: string, offset: number): Place | undefined {
  const end = Math.max(0, Math.min(text.length, Math.trunc(offset) || 0));
  const line = text.slice(Math.max(0, end - longestTag), end);
  const open = line.lastIndexOf('{');
  const inner = open < 0 ? '' : line.slice(open + 1);
  if (open < 0 || /[}\n]|<|%7D/i.test(inner) || line[open - 1] === '{') return undefined;
  const isClosing = inner.startsWith('/');
  const [head = '', ...tail] = inner.split('|');
  const colon = head.indexOf(':');
  const name = (colon < 0 ? head : head.slice(0, colon)).trim().toLowerCase();
  const last = tail.at(-1);
  const valueColon = last?.indexOf(':') ?? -1;
  const written = isClosing ? inner.slice(1) : last === undefined ? head.slice(colon + 1) : last.slice(valueColon + 1);
  const behind = /^[^\s{}|:<>"';,=!~]*/.exec(text.slice(end, end + 100))?.[0].length ?? 0;
  return {
    start: end - line.length + open,
    family: colon >= 0 || tail.length > 0 ? name : undefined,
    isClosing,
    segment: tail.length,
    parameter: last !== undefined && valueColon >= 0 ? last.slice(0, valueColon).trim() : undefined,
    stretch: { start: end - written.trimStart().length, end: end + behind },
    isClosed: /^[^{}\n<]*\}/.test(text.slice(end + behind, end + behind + longestTag)),
  };
}

const escape = (text: string): string => text.replace(/[\\$}]/g, '\\$&');
const brace = ({ place }: Scene): string => (place.isClosed ? '' : '}');

function gives({ language, to }: Scene, tag: string): string {
  const { text } = renderTags(tag, language, to);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function families(scene: Scene): TagCompletion[] {
  const { language, place, context } = scene;
  return language.families
    .filter((family) => family.where.includes(context.where))
    .map((family): TagCompletion => ({
      ...place.stretch,
      label: family.name,
      kind: 'family',
      text: `${family.name}:`,
      description: `${family.title}. ${family.about}`,
      example: `${family.example} → ${family.exampleGives}`,
      goesOn: true,
    }));
}

/**
 * How the other half ends that is put in, too; undefined: it is there already. Editors put a closing brace behind an opening one by
 * themselves: that one then is the other half's.
 */
function endOfOther(scene: Scene, names: readonly string[]): '}' | '' | undefined {
  const { place, text } = scene;
  if (!place.isClosed) return '}';
  return text[place.stretch.end] !== '}' || isHalf(scene, names) ? undefined : '';
}

/** Whether a closing half stands behind the place that belongs to none before it. */
function isHalf({ text, place, language }: Scene, names: readonly string[]): boolean {
  const loose = (part: string, ...kinds: readonly Tag['kind'][]): number =>
    parseTags(part, language).filter(
      ({ partner, kind, family }) => partner === undefined && kinds.includes(kind) && names.includes(family),
    ).length;
  const after = loose(text.slice(place.stretch.end, place.stretch.end + reach), 'close', 'endIf');
  return after > 0 && after > loose(text.slice(Math.max(0, place.start - reach), place.start), 'open', 'if');
}

/** How far from a place halves are looked for that belong to others. */
const reach = 20_000;

/** Both halves: with nothing between in the quotes of an attribute, where the bare address is wanted; else with a text. */
function pairs(scene: Scene): TagCompletion[] {
  const { language, place, context, text } = scene;
  const isInTag =
    new OpenTags(text.slice(Math.max(0, place.start - 2000), place.start), '[a-z][a-z0-9]*').before(2000) >= 0;
  const namesOf = (wanted: string): string[] =>
    language.pairs.filter(({ group }) => group === wanted).map(({ name }) => name);
  const groups = new Set(language.pairs.map(({ group }) => group));
  const ends = new Map([...groups].map((group) => [group, endOfOther(scene, namesOf(group))]));
  return (
    language.pairs
      // A link in a subject would be read as its markup.
      .filter(({ where, task }) => where.includes(context.where) && (task === undefined || context.where === 'body'))
      .map((pair): TagCompletion => {
        const head =
          pair.group === 'info'
            ? `${pair.name}:site_name`
            : pair.name === 'subscribe'
              ? `${pair.name}|lists:1`
              : pair.name;
        const opening = pair.name === 'subscribe' ? `${pair.name}|lists:\${1:1}` : head;
        const content = isInTag ? '' : pair.text;
        const end = ends.get(pair.group);
        const stop = content === '' ? '' : `\${2:${escape(content)}}`;
        const other = `{/${pair.name}${end}`;
        return {
          ...place.stretch,
          label: pair.name,
          kind: 'pair',
          text: end === undefined ? head : `${head}}${content}${other}`,
          snippet: end === undefined ? opening : `${opening}\\}${stop}${escape(other)}`,
          description: `${pair.title}. ${pair.about}`,
          example: gives(scene, `{${head}}${content}{/${pair.name}}`),
          goesOn: false,
        };
      })
  );
}

function conditions(scene: Scene): TagCompletion[] {
  const {
    language: { conditions: known },
    place,
    context,
  } = scene;
  if (!known?.where.includes(context.where)) return [];
  const label = context.fields?.[0]?.label ?? 'name';
  const text = `${known.name}:`;
  const end = endOfOther(scene, [known.name]);
  const parts = `\${1:${escape(label)}}\${2|=,!=,<,>,~,!~|}\${3:value}`;
  const snippet = end === undefined ? text : `${text}${parts}\\}$0${escape(`{/${known.name}${end}`)}`;
  return [
    {
      ...place.stretch,
      label: known.name,
      kind: 'condition',
      text,
      snippet,
      description: known.about,
      example: known.example,
      goesOn: end === undefined,
    },
  ];
}

const familyOf = ({ language, place }: Scene): TagFamily | undefined =>
  language.families.find(({ name, aliases }) => [name, ...aliases].includes(place.family ?? ''));

function fields(scene: Scene): TagCompletion[] {
  const { place, context } = scene;
  const family = familyOf(scene);
  if (!family) return [];
  const custom = family.open.includes('customFields') ? (context.fields ?? []) : [];
  const names = [...custom.map((field) => ({ id: field.namekey, title: aboutField(field) })), ...family.ids];
  return names.map(({ id, title }, index): TagCompletion => ({
    ...place.stretch,
    label: id,
    kind: 'field',
    text: `${id}${brace(scene)}`,
    description: title,
    // What a person of whom nothing is known has in a custom field is not known either.
    ...(index < custom.length && !hasField(scene, id) ? {} : { example: gives(scene, `{${family.name}:${id}}`) }),
    goesOn: false,
  }));
}

const hasField = ({ to }: Scene, id: string): boolean =>
  Array.isArray(to.person.fields) && to.person.fields.some((field) => field?.namekey === id);

/** Fields of conditions: custom ones by their label. Behind a whole one, the operators. */
function conditionFields(scene: Scene): TagCompletion[] {
  const { language, place, context, text } = scene;
  const written = text.slice(place.stretch.start, place.stretch.end);
  if (/[=!<>~]/.test(written)) return [];
  const columns = language.families.find(({ source }) => source === 'subscriber')?.ids ?? [];
  const names = [...(context.fields ?? []).map(({ label }) => ({ id: label, title: 'Custom field' })), ...columns];
  const isWhole =
    names.some(({ id }) => id === written) && !/^(?:[=!<>~]|&[lg]t;)/i.test(text.slice(place.stretch.end));
  const operators = isWhole ? (language.conditions?.operators ?? []) : [];
  return [
    ...operators.map(({ sign, title }): TagCompletion => ({
      start: place.stretch.end,
      end: place.stretch.end,
      label: sign,
      kind: 'value',
      text: sign,
      description: title,
      goesOn: false,
    })),
    ...names.map(({ id, title }): TagCompletion => ({
      ...place.stretch,
      label: id,
      kind: 'field',
      text: id,
      description: title,
      goesOn: true,
    })),
  ];
}

function parameters(scene: Scene): TagCompletion[] {
  const { language, place, text } = scene;
  const family = familyOf(scene);
  const pair = language.pairs.find(({ name }) => name === place.family);
  const acting = new Set(family?.parameters ?? pair?.parameters ?? []);
  const known = language.parameters.filter(({ name }) => acting.has(name));
  const before = text.slice(place.start, place.stretch.start);
  const example = (end: string): { example?: string } => (family ? { example: gives(scene, `${before}${end}}`) } : {});
  if (place.parameter !== undefined) {
    const values = known.find(({ name }) => name === place.parameter)?.values ?? [];
    return values.map(({ value, title }): TagCompletion => ({
      ...place.stretch,
      label: value,
      kind: 'value',
      text: `${value}${brace(scene)}`,
      description: title,
      ...example(value),
      goesOn: false,
    }));
  }
  const offered = new Set([...before.matchAll(/\|\s*([a-z]+)/gi)].map(([, name]) => name));
  return known
    .filter(({ name }) => !offered.has(name))
    .map((parameter): TagCompletion => ({
      ...place.stretch,
      label: parameter.name,
      kind: 'parameter',
      text: writtenOf(parameter, scene),
      description: parameter.title,
      ...example(parameter.example),
      goesOn: parameter.value === 'always',
    }));
}

const writtenOf = ({ name, value }: TagParameter, scene: Scene): string =>
  value === 'always' ? `${name}:` : `${name}${brace(scene)}`;

/** The halves that are open before the place, the nearest first. */
function closers(scene: Scene): TagCompletion[] {
  const { text, place, language } = scene;
  const from = Math.max(0, place.start - 20_000);
  const open = parseTags(text.slice(from, place.start), language).filter(
    ({ kind, partner }) => partner === undefined && (kind === 'open' || kind === 'if'),
  );
  const names = [...new Set(open.reverse().map(({ family }) => family))];
  return names.map((name): TagCompletion => ({
    ...place.stretch,
    label: `/${name}`,
    kind: 'close',
    text: `${name}${brace(scene)}`,
    description: `Closes {${name}}.`,
    goesOn: false,
  }));
}
