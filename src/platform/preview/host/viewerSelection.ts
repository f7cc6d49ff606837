import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { createRendering, samplePeople, type NamedPerson, type Rendering } from '../../../email/tags/index.ts';
import { showError } from '../../ui/messages.ts';
import { PICK_SUBSCRIBER, type ViewerChoices } from '../protocol.ts';
import { pickSubscriber } from './subscriberPick.ts';
import { TeamPeople } from './teamPeople.ts';

/** The person that a preview is shown as. Kept in memory only: a picked subscriber is discarded with the preview. */
export class ViewerSelection implements vscode.Disposable {
  readonly #connections: Connections;
  #body: vscode.Uri;
  readonly #onChange: () => void;
  readonly #team: TeamPeople;
  #pickedSubscriber: NamedPerson | undefined;
  #personId = '';

  /** `onChange`: the choices or the selected person changed. */
  constructor(connections: Connections, body: vscode.Uri, onChange: () => void) {
    this.#connections = connections;
    this.#body = body;
    this.#onChange = onChange;
    this.#team = new TeamPeople(onChange);
  }

  /** Sets the previewed email. The person stays selected, except for a subscriber of another service. */
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

  /** The person that tags are replaced for. Undefined if raw tags are shown. */
  get rendering(): Rendering | undefined {
    return this.#selectedPerson && createRendering(this.#selectedPerson.person);
  }

  /** All people to choose from, and which one is selected. */
  get people(): readonly (NamedPerson & { readonly isSelected: boolean })[] {
    return this.#allPeople.map((person) => ({ ...person, isSelected: person.id === this.#personId }));
  }

  /** Selects a person, or prompts for a subscriber. */
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
