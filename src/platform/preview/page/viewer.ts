import * as l10n from '@vscode/l10n';
import type { Envelope } from '../../../email/compose/compose.ts';
import { createRendering, parseTags, readTagLanguage, renderTags, samplePeople } from '../../../email/tags/index.ts';
import type { MailData, NamedPerson, Rendered, Rendering, TagLanguage } from '../../../email/tags/index.ts';
import type { ViewerChoices } from '../protocol.ts';

export type ReplaceTags = (text: string, where: 'body' | 'subject' | 'preheader') => Rendered;

export interface ConditionBranch {
  readonly condition: string;
  readonly isShown: boolean;
  /** The user's choice, in place of the result for the selected person. */
  readonly override: boolean | undefined;
}

const MAX_BRANCHES = 50;

/** The person that the email is shown as, and the user's choices for its conditions. */
export class Viewer {
  #choices: ViewerChoices = { tags: 'acymailing', people: [], personId: '', canPick: false };
  #language = readTagLanguage('acymailing');
  #rendering: Rendering | undefined;
  #mailFacts: MailData = {};
  readonly #overrides = new Map<string, boolean>();
  readonly #conditions = new Map<string, boolean>();

  get language(): TagLanguage {
    return this.#language;
  }

  /** The people to choose from. */
  get people(): readonly NamedPerson[] {
    return this.#language.steps.length === 0 ? [] : [...samplePeople(), ...this.#choices.people];
  }

  get personId(): string {
    return this.#rendering ? this.#choices.personId : '';
  }

  get canPick(): boolean {
    return this.#choices.canPick;
  }

  /** Updates the choices and the selected person. */
  set(choices: ViewerChoices): void {
    if (choices.personId !== this.#choices.personId) this.#overrides.clear();
    this.#choices = choices;
    this.#language = readTagLanguage(choices.tags);
    const { personId } = choices;
    const selected = this.people.find(({ id }) => id === personId);
    this.#rendering = selected && {
      ...createRendering(selected.person, this.#mailFacts),
      link: createGeneratedLink,
      decide: (condition, own) => this.#decide(condition, own),
    };
  }

  /** Sets the values of tags that refer to the email. */
  setEnvelope(envelope: Envelope | undefined): void {
    this.#mailFacts = { ...envelope };
    if (this.#rendering) this.#rendering = { ...this.#rendering, mail: { ...this.#rendering.mail, ...envelope } };
  }

  /** The rendering for tags. Without a selected person, that of a typical person. */
  get rendering(): Rendering {
    return this.#rendering ?? { ...createRendering(samplePeople()[0]?.person ?? {}), link: createGeneratedLink };
  }

  /** Undefined if raw tags are shown. */
  get replace(): ReplaceTags | undefined {
    if (!this.#rendering) return undefined;
    return (text, where) => {
      if (where === 'body') this.#conditions.clear();
      return renderTags(text, this.#language, { ...this.rendering, where });
    };
  }

  /** The conditions of the last rendered body. */
  get branches(): readonly ConditionBranch[] {
    if (!this.#rendering) return [];
    return [...this.#conditions].map(([condition, isShownForPerson]) => {
      const override = this.#overrides.get(condition);
      return { condition, isShown: override ?? isShownForPerson, override };
    });
  }

  /** Overrides a condition. `undefined` uses the person's result. */
  choose(condition: string, shown: boolean | undefined): void {
    if (shown === undefined) this.#overrides.delete(condition);
    else this.#overrides.set(condition, shown);
  }

  #decide(condition: string, own: boolean): boolean {
    if (this.#conditions.size < MAX_BRANCHES) this.#conditions.set(condition, own);
    return this.#overrides.get(condition) ?? own;
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

function describeGeneratedLink(href: string, { pairs }: TagLanguage): string {
  const task = decodeURIComponent(href.slice(GENERATED_LINK_PREFIX.length).replace(/%(?![\da-f]{2})/gi, '%25'));
  const [name = '', ...rest] = task.split(' ');
  const pair = pairs.find((each) => each.task === name);
  return l10n.t`${[pair?.title ?? name, ...rest].join(' ')}: the service creates this URL for each recipient`;
}
