import { make } from '../../webview/dom.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import type { ChoiceElement } from '../../webview/toolkit.ts';
import { PICK_SUBSCRIBER } from '../model.ts';
import type { Viewer } from './viewer.ts';

/** A dropdown of the people that the email can be previewed as. */
export class PersonPicker {
  readonly element = make('label', { class: 'as', hidden: '' }, 'As');
  readonly #list = make('vscode-dropdown', {
    'aria-label': 'As whom',
    title: 'Whom the tags are replaced for',
  }) as ChoiceElement;
  #optionsKey = '';

  constructor(choose: (as: string) => void) {
    this.element.append(this.#list);
    this.#list.addEventListener('change', () => {
      // The dropdown also fires when its value is set by script.
      if (this.#list.value !== this.#selectedId) choose(this.#list.value);
    });
  }

  #selectedId = '';

  show({ people, personId, canPick }: Viewer): void {
    this.element.hidden = people.length === 0;
    const options = [
      ['', 'The tags themselves'],
      ...people.map(({ id, title }) => [id, toDisplayText(title)]),
      ...(canPick ? [[PICK_SUBSCRIBER, 'A subscriber…']] : []),
    ];
    this.#selectedId = personId;
    const optionsKey = JSON.stringify(options);
    if (optionsKey !== this.#optionsKey)
      this.#list.replaceChildren(...options.map(([value = '', label = '']) => make('vscode-option', { value }, label)));
    this.#optionsKey = optionsKey;
    this.#list.value = personId;
  }
}
