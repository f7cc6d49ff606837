import { getOpenableLink } from '../../../email/compose/safety.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { isGeneratedLink } from './tagLinks.ts';

/** Shows the target of a hovered link. After a click it stays, with actions. */
export class LinkBar {
  readonly element = make('footer', { class: 'links', hidden: '' });
  readonly #targetElement = make('span', { class: 'target' });
  readonly #open = make('vscode-button', { class: 'open' }, 'Open Link');
  readonly #copy = make('vscode-button', { appearance: 'secondary' }, 'Copy');
  readonly #close = make(
    'vscode-button',
    { appearance: 'icon', 'aria-label': 'Close' },
    icon(['M4 4l8 8', 'M12 4l-8 8']),
  );
  readonly #describeTarget: (link: string) => string | undefined;
  #selected: string | undefined;

  /** `describeTarget` describes the target of a link with merge tags. */
  constructor(
    open: (link: string) => void,
    copy: (link: string) => void,
    describeTarget: (link: string) => string | undefined,
  ) {
    this.#describeTarget = describeTarget;
    const actions = make('span', { class: 'actions' }, this.#open, this.#copy, this.#close);
    this.element.append(icon(icons.link), this.#targetElement, actions);
    this.#targetElement.setAttribute('role', 'status');
    this.#open.addEventListener('click', () => this.#selected !== undefined && open(this.#selected));
    this.#copy.addEventListener('click', () => this.#selected !== undefined && copy(this.#selected));
    this.#close.addEventListener('click', () => this.choose(undefined));
  }

  hover(link: string | undefined): void {
    this.#show(link ?? this.#selected);
  }

  choose(link: string | undefined): void {
    this.#selected = link;
    this.#show(link);
  }

  #show(link: string | undefined): void {
    this.element.hidden = link === undefined;
    this.element.classList.toggle('chosen', link !== undefined && link === this.#selected);
    const isGenerated = isGeneratedLink(link ?? '');
    const texts = [
      isGenerated ? undefined : toDisplayText(link ?? ''),
      toDisplayText(this.#describeTarget(link ?? '') ?? ''),
    ].filter(Boolean);
    this.#targetElement.textContent = texts.join(' ') || '(empty link)';
    this.#open.hidden = isGenerated || getOpenableLink(link ?? '') === undefined;
    this.#copy.hidden = isGenerated;
  }
}
