import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { createRendering, samplePeople, type NamedPerson, type Rendering } from '../../../email/tags/index.ts';
import { showError } from '../../ui/messages.ts';
import { PICK_SUBSCRIBER, type ViewerChoices } from '../protocol.ts';
import { pickSubscriber } from './subscriberPick.ts';
import { TeamPeople } from './teamPeople.ts';

/** Whom a preview is looked at as. Kept in memory alone: a subscriber that was picked is gone with the preview. */
export class ViewerSelection implements vscode.Disposable {
  readonly #connections: Connections;
  #body: vscode.Uri;
  readonly #onChange: () => void;
  readonly #team: TeamPeople;
  #pickedSubscriber: NamedPerson | undefined;
  #personId = '';

  /** `changed`: others can be chosen, or somebody else was. */
  constructor(connections: Connections, body: vscode.Uri, onChange: () => void) {
    this.#connections = connections;
    this.#body = body;
    this.#onChange = onChange;
    this.#team = new TeamPeople(onChange);
  }

  /** Another email is looked at: as the same person, but never as a subscriber of another service. */
  setBody(body: vscode.Uri): void {
    if (body.authority !== this.#body.authority) this.#pickedSubscriber = undefined;
    this.#body = body;
  }

  get choices(): ViewerChoices {
    const { scheme, authority } = this.#body;
    const connection = scheme === 'mailing' ? this.#connections.get(authority) : undefined;
    return {
      tags: connection?.tags ?? 'acymailing',
      people: [...this.#team.all, ...(this.#pickedSubscriber ? [this.#pickedSubscriber] : [])],
      personId: this.#selectedPerson ? this.#personId : '',
      canPick: connection !== undefined,
    };
  }

  /** For whom tags are replaced; undefined where they are shown themselves. */
  get rendering(): Rendering | undefined {
    return this.#selectedPerson && createRendering(this.#selectedPerson.person);
  }

  /** Everybody whom it can be looked at as, and whether it is. */
  get people(): readonly (NamedPerson & { readonly isSelected: boolean })[] {
    return this.#allPeople.map((person) => ({ ...person, isSelected: person.id === this.#personId }));
  }

  /** The user has chosen somebody, or to pick somebody. */
  async choose(personId: string): Promise<void> {
    if (personId === PICK_SUBSCRIBER) await this.#pick();
    else this.#personId = personId;
    this.#onChange();
  }

  dispose(): void {
    this.#team.dispose();
  }

  get #selectedPerson(): NamedPerson | undefined {
    return this.#allPeople.find(({ id }) => id === this.#personId);
  }

  get #allPeople(): readonly NamedPerson[] {
    return [...samplePeople, ...this.#team.all, ...(this.#pickedSubscriber ? [this.#pickedSubscriber] : [])];
  }

  async #pick(): Promise<void> {
    try {
      const picked = await pickSubscriber(this.#connections, this.#body.authority);
      if (!picked) return;
      this.#pickedSubscriber = picked;
      this.#personId = picked.id;
    } catch (error) {
      void showError(error, { title: 'The subscribers can’t be read', connection: this.#body.authority });
    }
  }
}
