import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { createRendering, samplePeople, type NamedPerson, type Rendering } from '../../../email/tags/index.ts';
import { showError } from '../../ui/messages.ts';
import { asPick, type ViewerChoices } from '../protocol.ts';
import { pickSubscriber } from './subscriberPick.ts';
import { TeamPeople } from './teamPeople.ts';

/** Whom a preview is looked at as. Kept in memory alone: a subscriber that was picked is gone with the preview. */
export class Viewers implements vscode.Disposable {
  readonly #connections: Connections;
  #body: vscode.Uri;
  readonly #changed: () => void;
  readonly #team: TeamPeople;
  #picked: NamedPerson | undefined;
  #as = '';

  /** `changed`: others can be chosen, or somebody else was. */
  constructor(connections: Connections, body: vscode.Uri, changed: () => void) {
    this.#connections = connections;
    this.#body = body;
    this.#changed = changed;
    this.#team = new TeamPeople(changed);
  }

  /** Another email is looked at: as the same person, but never as a subscriber of another service. */
  see(body: vscode.Uri): void {
    if (body.authority !== this.#body.authority) this.#picked = undefined;
    this.#body = body;
  }

  get choices(): ViewerChoices {
    const { scheme, authority } = this.#body;
    const connection = scheme === 'mailing' ? this.#connections.get(authority) : undefined;
    return {
      tags: connection?.tags ?? 'acymailing',
      people: [...this.#team.all, ...(this.#picked ? [this.#picked] : [])],
      as: this.#person ? this.#as : '',
      canPick: connection !== undefined,
    };
  }

  /** For whom tags are replaced; undefined where they are shown themselves. */
  get rendering(): Rendering | undefined {
    return this.#person && createRendering(this.#person.person);
  }

  /** Everybody whom it can be looked at as, and whether it is. */
  get persons(): readonly (NamedPerson & { readonly isShown: boolean })[] {
    return this.#all.map((person) => ({ ...person, isShown: person.id === this.#as }));
  }

  /** The user has chosen somebody, or to pick somebody. */
  async choose(as: string): Promise<void> {
    if (as === asPick) await this.#pick();
    else this.#as = as;
    this.#changed();
  }

  dispose(): void {
    this.#team.dispose();
  }

  get #person(): NamedPerson | undefined {
    return this.#all.find(({ id }) => id === this.#as);
  }

  get #all(): readonly NamedPerson[] {
    return [...samplePeople, ...this.#team.all, ...(this.#picked ? [this.#picked] : [])];
  }

  async #pick(): Promise<void> {
    try {
      const picked = await pickSubscriber(this.#connections, this.#body.authority);
      if (!picked) return;
      this.#picked = picked;
      this.#as = picked.id;
    } catch (error) {
      void showError(error, { title: 'The subscribers can’t be read', connection: this.#body.authority });
    }
  }
}
