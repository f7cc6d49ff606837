import { t } from '@vscode/l10n';
import type { Envelope } from '../../../email/compose/compose.ts';
import {
  createRendering,
  parseTags,
  readTagLanguage,
  renderTags,
  samplePeople,
  type MailData,
  type Rendered,
  type Rendering,
  type TagLanguage,
} from '../../../email/tags/index.ts';
import type { ViewerChoices } from '../protocol.ts';

export type ReplaceTags = (text: string, where: 'body' | 'subject' | 'preheader') => Rendered;

export interface ConditionBranch {
  readonly condition: string;
  readonly isShown: boolean;
  /** The user's choice, in place of the result for the selected person. */
  readonly override: boolean | undefined;
}

const MAX_BRANCHES = 50;

export type Viewer = ReturnType<typeof createViewer>;

/** Holds the person that the email is shown as, and the user's choices for its conditions. */
export function createViewer() {
  let choices: ViewerChoices = { tags: 'acymailing', people: [], personId: '', canPick: false };
  let language = readTagLanguage('acymailing');
  let person: Rendering['person'] | undefined;
  let mail: MailData = {};
  const overrides = new Map<string, boolean>();
  const conditions = new Map<string, boolean>();

  const getPeople = () => (language.steps.length === 0 ? [] : [...samplePeople(), ...choices.people]);

  /** Returns the rendering for tags. Without a selected person, that of a typical person. */
  const getRendering = (): Rendering => ({
    ...createRendering(person ?? samplePeople()[0]?.person ?? {}, mail),
    posts: choices.posts,
    link: createGeneratedLink,
    decide,
  });

  /** Updates the choices and the selected person. Returns whether anything changed: the host repeats them with each email. */
  function set(updated: ViewerChoices) {
    const isChanged = JSON.stringify(updated) !== JSON.stringify(choices);
    if (updated.personId !== choices.personId) overrides.clear();
    choices = updated;
    language = readTagLanguage(choices.tags);
    person = getPeople().find(({ id }) => id === choices.personId)?.person;
    return isChanged;
  }

  function decide(condition: string, own: boolean) {
    if (conditions.size < MAX_BRANCHES) conditions.set(condition, own);
    return overrides.get(condition) ?? own;
  }

  return {
    set,
    getRendering,
    get language() {
      return language;
    },
    /** The people to choose from. */
    get people() {
      return getPeople();
    },
    get personId() {
      return person ? choices.personId : '';
    },
    get canPick() {
      return choices.canPick;
    },
    /** Sets the values of tags that refer to the email. */
    setEnvelope(envelope: Envelope | undefined) {
      mail = { ...envelope };
    },
    /** Returns how tags are replaced. Undefined if raw tags are shown. */
    getReplacement(): ReplaceTags | undefined {
      if (!person) return undefined;
      const rendering = getRendering();
      return (text, where) => {
        if (where === 'body') conditions.clear();
        return renderTags(text, language, { ...rendering, mail: { ...rendering.mail, ...mail }, where });
      };
    },
    /** The conditions of the last rendered body. */
    get branches(): readonly ConditionBranch[] {
      if (!person) return [];
      return [...conditions].map(([condition, isShownForPerson]) => {
        const override = overrides.get(condition);
        return { condition, isShown: override ?? isShownForPerson, override };
      });
    },
    /** Overrides a condition. `undefined` uses the person's result. */
    choose(condition: string, shown: boolean | undefined) {
      if (shown === undefined) overrides.delete(condition);
      else overrides.set(condition, shown);
    },
  };
}

/** Prefix of placeholders for addresses that the service generates. The domain never resolves. */
const GENERATED_LINK_PREFIX = 'https://service.invalid/';

/** Returns a placeholder for a generated address, recognized by `describeLinkTarget`. */
export const createGeneratedLink = (task: string): string => `${GENERATED_LINK_PREFIX}${encodeURIComponent(task)}`;

/** Describes the target of a link with tags, or returns undefined if it has none. */
export function describeLinkTarget(href: string, language: TagLanguage, rendering: Rendering): string | undefined {
  if (isGeneratedLink(href)) return describeGeneratedLink(href, language);
  if (!parseTags(href, language).some(({ kind }) => kind !== 'unknown')) return undefined;
  const { text } = renderTags(href, language, { ...rendering, where: 'body' });
  return isGeneratedLink(text) ? describeGeneratedLink(text, language) : `→ ${text}`;
}

/** Returns whether an address is a placeholder for a generated one, which can't be opened. */
export const isGeneratedLink = (href: string): boolean => href.startsWith(GENERATED_LINK_PREFIX);

function describeGeneratedLink(href: string, { pairs }: TagLanguage) {
  const task = decodeURIComponent(href.slice(GENERATED_LINK_PREFIX.length).replace(/%(?![\da-f]{2})/gi, '%25'));
  const [name = '', ...rest] = task.split(' ');
  const pair = pairs.find((each) => each.task === name);
  return t`${[pair?.title ?? name, ...rest].join(' ')}: the service creates this URL for each recipient`;
}
