import { make } from '../../webview/dom.ts';
import { shownText } from '../../../email/compose/fieldText.ts';
import type { ChoiceElement } from '../../webview/toolkit.ts';
import { asPick } from '../protocol.ts';
import type { Viewer } from './viewer.ts';

/** Whom the email is looked at as: a list to choose from. */
export class AsPicker {
  readonly element = make('label', { class: 'as', hidden: '' }, 'As');
  readonly #list = make('vscode-dropdown', {
    'aria-label': 'As whom',
    title: 'Whom the tags are replaced for',
  }) as ChoiceElement;
  #known = '';

  constructor(choose: (as: string) => void) {
    this.element.append(this.#list);
    this.#list.addEventListener('change', () => {
      // Shown again before the choice is known: the change was none of the user's.
      if (this.#list.value !== this.#shown) choose(this.#list.value);
    });
  }

  #shown = '';

  show({ people, as, canPick }: Viewer): void {
    this.element.hidden = people.length === 0;
    const options = [
      ['', 'The tags themselves'],
      ...people.map(({ id, title }) => [id, shownText(title)]),
      ...(canPick ? [[asPick, 'A subscriber…']] : []),
    ];
    this.#shown = as;
    const known = JSON.stringify(options);
    if (known !== this.#known)
      this.#list.replaceChildren(...options.map(([value = '', label = '']) => make('vscode-option', { value }, label)));
    this.#known = known;
    this.#list.value = as;
  }
}
