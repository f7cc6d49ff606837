import { openableLink } from '../../../email/compose/safety.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { shownText } from '../../../email/compose/fieldText.ts';
import { isMade } from './tagLinks.ts';

/** Where a link leads: shown while the pointer is on it, and kept with what can be done once it was chosen. */
export class LinkBar {
  readonly element = make('footer', { class: 'links', hidden: '' });
  readonly #target = make('span', { class: 'target' });
  readonly #open = make('vscode-button', { class: 'open' }, 'Open Link');
  readonly #copy = make('vscode-button', { appearance: 'secondary' }, 'Copy');
  readonly #close = make(
    'vscode-button',
    { appearance: 'icon', 'aria-label': 'Close' },
    icon(['M4 4l8 8', 'M12 4l-8 8']),
  );
  readonly #leadsTo: (link: string) => string | undefined;
  #chosen: string | undefined;

  /** `leadsTo`: where a link made of tags would lead, in words. */
  constructor(
    open: (link: string) => void,
    copy: (link: string) => void,
    leadsTo: (link: string) => string | undefined,
  ) {
    this.#leadsTo = leadsTo;
    const actions = make('span', { class: 'actions' }, this.#open, this.#copy, this.#close);
    this.element.append(icon(icons.link), this.#target, actions);
    this.#target.setAttribute('role', 'status');
    this.#open.addEventListener('click', () => this.#chosen !== undefined && open(this.#chosen));
    this.#copy.addEventListener('click', () => this.#chosen !== undefined && copy(this.#chosen));
    this.#close.addEventListener('click', () => this.choose(undefined));
  }

  hover(link: string | undefined): void {
    this.#show(link ?? this.#chosen);
  }

  choose(link: string | undefined): void {
    this.#chosen = link;
    this.#show(link);
  }

  #show(link: string | undefined): void {
    this.element.hidden = link === undefined;
    this.element.classList.toggle('chosen', link !== undefined && link === this.#chosen);
    const made = isMade(link ?? '');
    const words = [made ? undefined : shownText(link ?? ''), shownText(this.#leadsTo(link ?? '') ?? '')].filter(
      Boolean,
    );
    this.#target.textContent = words.join(' ') || '(empty link)';
    this.#open.hidden = made || openableLink(link ?? '') === undefined;
    this.#copy.hidden = made;
  }
}
