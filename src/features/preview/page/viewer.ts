import { t } from '@vscode/l10n';
import type { Envelope } from '../../../email/compose/compose.ts';
import {
  createRendering,
  parseTags,
  readTagLanguage,
  renderTags,
  samplePeople,
  type MailData,
  type NamedPerson,
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

/** The person that the email is shown as, and the user's choices for its conditions: other people get none of them. */
export class Viewer {
  #choices: ViewerChoices = { tags: 'acymailing', people: [], personId: '', canPick: false };
  #language = readTagLanguage('acymailing');
  #person: Rendering['person'] | undefined;
  #mail: MailData = {};
  readonly #overrides = new Map<string, boolean>();
  /** The conditions of the last rendered body, and their results for the person. */
  readonly #conditions = new Map<string, boolean>();

  get language(): TagLanguage {
    return this.#language;
  }

  /** The people to choose from. */
  get people(): readonly NamedPerson[] {
    return this.#language.steps.length === 0 ? [] : [...samplePeople(), ...this.#choices.people];
  }

  get personId(): string {
    return this.#person ? this.#choices.personId : '';
  }

  get canPick(): boolean {
    return this.#choices.canPick;
  }

  /** The rendering for tags. Without a selected person, that of a typical person. */
  get rendering(): Rendering {
    return {
      ...createRendering(this.#person ?? samplePeople()[0]?.person ?? {}, this.#mail),
      posts: this.#choices.posts,
      link: createGeneratedLink,
      decide: (condition, own) => {
        if (this.#conditions.size < MAX_BRANCHES) this.#conditions.set(condition, own);
        return this.#overrides.get(condition) ?? own;
      },
    };
  }

  /** How tags are replaced. Undefined if raw tags are shown. */
  get replacement(): ReplaceTags | undefined {
    if (!this.#person) return undefined;
    const { rendering } = this;
    return (text, where) => {
      if (where === 'body') this.#conditions.clear();
      return renderTags(text, this.#language, { ...rendering, mail: { ...rendering.mail, ...this.#mail }, where });
    };
  }

  get branches(): readonly ConditionBranch[] {
    if (!this.#person) return [];
    return Array.from(this.#conditions, ([condition, isShownForPerson]) => {
      const override = this.#overrides.get(condition);
      return { condition, isShown: override ?? isShownForPerson, override };
    });
  }

  /** Updates the choices and the selected person. Returns whether anything changed: the extension repeats them with each email. */
  set(choices: ViewerChoices): boolean {
    const isChanged = JSON.stringify(choices) !== JSON.stringify(this.#choices);
    if (choices.personId !== this.#choices.personId) this.#overrides.clear();
    this.#choices = choices;
    this.#language = readTagLanguage(choices.tags);
    this.#person = this.people.find(({ id }) => id === choices.personId)?.person;
    return isChanged;
  }

  /** Sets the values of tags that refer to the email. */
  setEnvelope(envelope: Envelope | undefined): void {
    this.#mail = { ...envelope };
  }

  /** Overrides a condition. `undefined` uses the person's result. */
  choose(condition: string, shown: boolean | undefined): void {
    if (shown === undefined) this.#overrides.delete(condition);
    else this.#overrides.set(condition, shown);
  }
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
