import type { Envelope } from '../../../email/compose/compose.ts';
import { readTagLanguage, createRendering, renderTags, samplePeople } from '../../../email/tags/index.ts';
import type { MailData, NamedPerson, Rendered, Rendering, TagLanguage } from '../../../email/tags/index.ts';
import type { ViewerChoices } from '../protocol.ts';
import { createGeneratedLink } from './tagLinks.ts';

export type ReplaceTags = (text: string, where: 'body' | 'subject' | 'preheader') => Rendered;

export interface ConditionBranch {
  readonly condition: string;
  /** The result for the selected person. */
  readonly isShownForPerson: boolean;
  /** The user's choice instead, if any. */
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
    return this.#language.steps.length === 0 ? [] : [...samplePeople, ...this.#choices.people];
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
    return this.#rendering ?? { ...createRendering(samplePeople[0]?.person ?? {}), link: createGeneratedLink };
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
    return [...this.#conditions].map(([condition, isShownForPerson]) => ({
      condition,
      isShownForPerson,
      override: this.#overrides.get(condition),
    }));
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
