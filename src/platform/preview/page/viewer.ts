import type { Envelope } from '../../../email/compose/compose.ts';
import { readTagLanguage, createRendering, renderTags, samplePeople } from '../../../email/tags/index.ts';
import type { MailData, NamedPerson, Rendered, Rendering, TagLanguage } from '../../../email/tags/index.ts';
import type { ViewerChoices } from '../protocol.ts';
import { madeLink } from './tagLinks.ts';

/** Replaces the tags of a part of the email. */
export type ReplaceTags = (text: string, where: 'body' | 'subject' | 'preheader') => Rendered;

/** A condition of the email. */
export interface Branch {
  readonly condition: string;
  /** What it comes to for the person. */
  readonly own: boolean;
  /** What was chosen in place of that. */
  readonly chosen: boolean | undefined;
}

/** Conditions that can be chosen from, at most. */
const mostBranches = 50;

/** Whom the email is looked at as, and which branches of its conditions. */
export class Viewer {
  #choices: ViewerChoices = { tags: 'acymailing', people: [], as: '', canPick: false };
  #language = readTagLanguage('acymailing');
  #to: Rendering | undefined;
  #mail: MailData = {};
  readonly #chosen = new Map<string, boolean>();
  readonly #found = new Map<string, boolean>();

  get language(): TagLanguage {
    return this.#language;
  }

  /** Whom one can look at it as. */
  get people(): readonly NamedPerson[] {
    return this.#language.steps.length === 0 ? [] : [...samplePeople, ...this.#choices.people];
  }

  get as(): string {
    return this.#to ? this.#choices.as : '';
  }

  get canPick(): boolean {
    return this.#choices.canPick;
  }

  /** Takes over what there is to choose from, and who was chosen. */
  set(choices: ViewerChoices): void {
    if (choices.as !== this.#choices.as) this.#chosen.clear();
    this.#choices = choices;
    this.#language = readTagLanguage(choices.tags);
    const { as } = choices;
    const found = this.people.find(({ id }) => id === as);
    this.#to = found && {
      ...createRendering(found.person, this.#mail),
      link: madeLink,
      decide: (condition, own) => this.#decide(condition, own),
    };
  }

  /** What tags may say of the email itself. */
  describe(envelope: Envelope | undefined): void {
    this.#mail = { ...envelope };
    if (this.#to) this.#to = { ...this.#to, mail: { ...this.#to.mail, ...envelope } };
  }

  /** Whom tags are replaced for. Nobody was chosen: a typical person, for what is said of tags. */
  get to(): Rendering {
    return this.#to ?? { ...createRendering(samplePeople[0]?.person ?? {}), link: madeLink };
  }

  /** Undefined where the tags are shown themselves. */
  get replace(): ReplaceTags | undefined {
    if (!this.#to) return undefined;
    return (text, where) => {
      if (where === 'body') this.#found.clear();
      return renderTags(text, this.#language, { ...this.to, where });
    };
  }

  /** The conditions of what was replaced last. */
  get branches(): readonly Branch[] {
    if (!this.#to) return [];
    return [...this.#found].map(([condition, own]) => ({ condition, own, chosen: this.#chosen.get(condition) }));
  }

  /** Shows or hides what stands in a condition, whoever looks; undefined: as the person sees it. */
  choose(condition: string, shown: boolean | undefined): void {
    if (shown === undefined) this.#chosen.delete(condition);
    else this.#chosen.set(condition, shown);
  }

  #decide(condition: string, own: boolean): boolean {
    if (this.#found.size < mostBranches) this.#found.set(condition, own);
    return this.#chosen.get(condition) ?? own;
  }
}
