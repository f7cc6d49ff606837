import { holds } from './conditions.ts';
import { cuts } from './cuts.ts';
import { Draft } from './draft.ts';
import type { Edit } from './draft.ts';
import { widen } from './editorSpans.ts';
import type { Rendered, Rendering, TagFamily, TagLanguage, TagPair, TagStep } from './model.ts';
import { readParameters } from './parameters.ts';
import { isSet, markupFree, plainOf, textOf, toInteger } from './php.ts';
import { findConditions, findPairs, findTags, OpenTags } from './scan.ts';
import type { FoundPair } from './scan.ts';
import { translate, valueOf } from './values.ts';
import type { Scene } from './values.ts';

/** What the service makes of the tags in a part of an email for one person. Never throws; linear in the text's length. */
export function renderTags(text: string, language: TagLanguage, to: Rendering): Rendered {
  if (language.steps.length === 0) return finished(Draft.of(text));
  const scene: Scene = { to, language, choices: new Map() };
  const draft = language.steps.reduce(
    (before, step) => passes[step.kind](before, step, scene),
    kept(text, to, language),
  );
  return finished(draft);
}

const finished = (draft: Draft): Rendered => ({ text: draft.text, pieces: draft.pieces() });

/** The subject and the preheader lose their markup, and the blanks around them, when they are saved. */
function kept(text: string, { where }: Rendering, { conditions }: TagLanguage): Draft {
  if (!conditions || (where !== 'subject' && where !== 'preheader')) return Draft.of(text);
  const stretches = markupFree(text);
  const isBlank = (at: number): boolean => ' \t\n\r\v\0'.includes(text[at] ?? 'x');
  for (let first = stretches[0]; first && isBlank(first[0]); first = stretches[0]) {
    while (first[0] < first[1] && isBlank(first[0])) first[0] += 1;
    if (first[0] < first[1]) break;
    stretches.shift();
  }
  for (let last = stretches.at(-1); last && isBlank(last[1] - 1); last = stretches.at(-1)) {
    while (last[0] < last[1] && isBlank(last[1] - 1)) last[1] -= 1;
    if (last[0] < last[1]) break;
    stretches.pop();
  }
  return Draft.of(text, stretches);
}

const passes: Readonly<Record<TagStep['kind'], (draft: Draft, step: TagStep, scene: Scene) => Draft>> = {
  pairs: (draft, step, scene) => (step.kind === 'pairs' ? replacePairs(draft, step.group, scene) : draft),
  family: (draft, step, scene) => {
    const family =
      step.kind === 'family' ? scene.language.families.find(({ name }) => name === step.family) : undefined;
    return family?.where.includes(scene.to.where) ? replaceFamily(draft, family, scene) : draft;
  },
  cuts: (draft, _step, { to }) => (to.where === 'body' ? draft.replace(cuts(draft)) : draft),
  conditions: (draft, _step, scene) => replaceConditions(draft, scene),
};

/** In a part without markup these come as plain text. */
const plainSources: ReadonlySet<TagFamily['source']> = new Set(['list', 'choice', 'translation', 'site']);
const isMarkup = ({ where }: Rendering): boolean => where === 'body' || where === 'headers';

function replaceFamily(draft: Draft, family: TagFamily, scene: Scene): Draft {
  const { text } = draft;
  const values = new Map<string, string | undefined>();
  const edits: Edit[] = [];
  for (const { start, end, inner } of findTags(text, [family.name, ...family.aliases])) {
    const written = text.slice(start, end);
    if (!values.has(written)) {
      const value = valueOf({ family, parameters: readParameters(inner), written, text }, scene);
      values.set(
        written,
        value !== undefined && plainSources.has(family.source) && !isMarkup(scene.to) ? plainOf(value) : value,
      );
    }
    const value = values.get(written);
    if (value !== undefined) edits.push({ start, end, parts: [value] });
  }
  return draft.replace(widen(text, edits));
}

function replacePairs(draft: Draft, group: string, scene: Scene): Draft {
  const { to, language } = scene;
  if (!language.pairs.some((pair) => pair.group === group && pair.where.includes(to.where))) return draft;
  const edits = findPairs(draft.text, language, group).map((found): Edit => {
    const content = { start: found.contentStart, end: found.contentEnd };
    return {
      start: found.start,
      end: found.end,
      parts: group === 'info' ? infoParts(draft.text, content) : linkParts(draft.text, found, group, scene),
    };
  });
  return draft.replace(widen(draft.text, mergeLinks(draft.text, edits)));
}

/** A link put into the opening tag of another link: the two become one. */
function mergeLinks(text: string, edits: readonly Edit[]): Edit[] {
  const links = new OpenTags(text, 'a');
  let done = 0;
  return edits.map((edit) => {
    const start = links.before(edit.start);
    const isMerged = start >= done && edit.parts.some((part) => typeof part === 'string' && part.startsWith('<a '));
    done = edit.end;
    return isMerged ? { ...edit, start } : edit;
  });
}

type Parts = Edit['parts'];
type Stretch = Exclude<Parts[number], string>;

function linkParts(text: string, found: FoundPair, group: string, { to, language }: Scene): Parts {
  const parameters = readParameters(found.inner);
  const pairs = language.pairs.filter((pair) => pair.group === group);
  const id = textOf(parameters.get('id'));
  // A name in other letters than the service's own unsubscribes from all.
  const pair = pairs.find(({ name }) => name === id) ?? pairs.find(({ name }) => name === 'unsubscribeall') ?? pairs[0];
  if (pair?.name === 'subscribe' && !isSet(parameters.get('lists')))
    return [translate('ACYM_EXPORT_SELECT_LIST', language)];
  const address = to.link(pair ? taskOf(pair, pair.name === id ? parameters : new Map()) : id);
  const content: Stretch = { start: found.contentStart, end: found.contentEnd };
  return isSet(text.slice(content.start, content.end)) ? [`<a href="${address}">`, content, '</a>'] : [address];
}

function taskOf({ task = '', parameters: known }: TagPair, parameters: ReturnType<typeof readParameters>): string {
  const lists = known.includes('lists')
    ? ` lists=${textOf(parameters.get('lists')).split(',').map(toInteger).join(',')}`
    : '';
  const redirect =
    known.includes('redirect') && isSet(parameters.get('redirect'))
      ? ` redirect=${textOf(parameters.get('redirect'))}`
      : '';
  return `${task}${lists}${redirect}`;
}

const address =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,200}(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,200}){0,20}@(?:[a-z0-9-]{1,200}\.){1,20}[a-z0-9]{2,20}$/i;
/** A pair that stands for its content. The service asks a web address before it makes a link of it: here it stays text. */
function infoParts(text: string, content: Stretch): Parts {
  const { start, end } = content;
  const inner = end - start > 2000 ? '' : text.slice(start, end);
  if (address.test(inner)) return [`<a href="mailto:${inner}">`, content, '</a>'];
  return start < end ? ['', content, ''] : [''];
}

function replaceConditions(draft: Draft, { to, language }: Scene): Draft {
  const { conditions } = language;
  if (!conditions?.where.includes(to.where)) return draft;
  const subscriber = language.families.find(({ source }) => source === 'subscriber');
  let result = draft;
  for (let level = 0; level < conditions.levels; level += 1) {
    const { text } = result;
    const edits = findConditions(text, conditions.name).map((found): Edit => {
      const content = { start: found.contentStart, end: found.contentEnd };
      const own = holds(found.inner, to.person, subscriber);
      const shown = to.decide?.(found.inner, own) ?? own;
      const inner = shown && !isMarkup(to) ? text.slice(content.start, content.end) : '';
      const plain = plainOf(inner);
      const parts: Parts =
        !shown || content.start === content.end ? [''] : plain === inner || isMarkup(to) ? ['', content, ''] : [plain];
      return { start: found.start, end: found.end, parts };
    });
    if (edits.length === 0) break;
    result = result.replace(widen(text, edits));
  }
  return result;
}
