import type { Envelope } from '../../../email/compose/compose.ts';
import { readTagLanguage, createRendering, renderTags, samplePeople } from '../../../email/tags/index.ts';
import type { MailData, NamedPerson, Rendered, Rendering, TagLanguage } from '../../../email/tags/index.ts';
import type { ViewerChoices } from '../protocol.ts';
import { createGeneratedLink } from './tagLinks.ts';

/** Replaces the tags of a part of the email. */
export type ReplaceTags = (text: string, where: 'body' | 'subject' | 'preheader') => Rendered;

/** A condition of the email. */
export interface ConditionBranch {
  readonly condition: string;
  /** What it comes to for the person. */
  readonly isShownForPerson: boolean;
  /** What was chosen in place of that. */
  readonly override: boolean | undefined;
}

/** Conditions that can be chosen from, at most. */
const MAX_BRANCHES = 50;

/** Whom the email is looked at as, and which branches of its conditions. */
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

  /** Whom one can look at it as. */
  get people(): readonly NamedPerson[] {
    return this.#language.steps.length === 0 ? [] : [...samplePeople, ...this.#choices.people];
  }

  get personId(): string {
    return this.#rendering ? this.#choices.personId : '';
  }

  get canPick(): boolean {
    return this.#choices.canPick;
  }

  /** Takes over what there is to choose from, and who was chosen. */
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

  /** What tags may say of the email itself. */
  setEnvelope(envelope: Envelope | undefined): void {
    this.#mailFacts = { ...envelope };
    if (this.#rendering) this.#rendering = { ...this.#rendering, mail: { ...this.#rendering.mail, ...envelope } };
  }

  /** Whom tags are replaced for. Nobody was chosen: a typical person, for what is said of tags. */
  get rendering(): Rendering {
    return this.#rendering ?? { ...createRendering(samplePeople[0]?.person ?? {}), link: createGeneratedLink };
  }

  /** Undefined where the tags are shown themselves. */
  get replace(): ReplaceTags | undefined {
    if (!this.#rendering) return undefined;
    return (text, where) => {
      if (where === 'body') this.#conditions.clear();
      return renderTags(text, this.#language, { ...this.rendering, where });
    };
  }

  /** The conditions of what was replaced last. */
  get branches(): readonly ConditionBranch[] {
    if (!this.#rendering) return [];
    return [...this.#conditions].map(([condition, isShownForPerson]) => ({
      condition,
      isShownForPerson,
      override: this.#overrides.get(condition),
    }));
  }

  /** Shows or hides what stands in a condition, whoever looks; undefined: as the person sees it. */
  choose(condition: string, shown: boolean | undefined): void {
    if (shown === undefined) this.#overrides.delete(condition);
    else this.#overrides.set(condition, shown);
  }

  #decide(condition: string, own: boolean): boolean {
    if (this.#conditions.size < MAX_BRANCHES) this.#conditions.set(condition, own);
    return this.#overrides.get(condition) ?? own;
  }
}
