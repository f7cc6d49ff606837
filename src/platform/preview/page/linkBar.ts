import { getOpenableLink } from '../../../email/compose/safety.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { icon, make } from '../../webview/dom.ts';
import { icons } from '../../webview/icons.ts';
import { iconButton, makeButton } from '../../webview/toolkit.ts';
import type { FromPage } from '../protocol.ts';
import { describeLinkTarget, isGeneratedLink, type Viewer } from './viewer.ts';

/** Shows the target of a hovered link. After a click it stays, with actions. */
export class LinkBar {
  readonly element = make('footer', { class: 'links', hidden: '' });
  readonly #viewer: Viewer;
  readonly #target = make('span', { class: 'target', role: 'status' });
  readonly #open: HTMLElement;
  readonly #copy: HTMLElement;
  #selected: string | undefined;

  constructor(viewer: Viewer, post: (message: FromPage) => void) {
    this.#viewer = viewer;
    const act = (type: 'openLink' | 'copyLink') => () => post({ type, href: this.#selected ?? '' });
    this.#open = makeButton('Open Link', act('openLink'), { class: 'open', appearance: 'primary' });
    this.#copy = makeButton('Copy', act('copyLink'));
    const close = iconButton('cancel', 'Close', () => this.choose(undefined));
    const actions = make('span', { class: 'actions' }, this.#open, this.#copy, close);
    this.element.append(icon(icons.link), this.#target, actions);
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
    if (link === undefined) return;
    this.element.classList.toggle('chosen', link === this.#selected);
    const isGenerated = isGeneratedLink(link);
    const target = describeLinkTarget(link, this.#viewer.language, this.#viewer.rendering) ?? '';
    const texts = [isGenerated ? '' : toDisplayText(link), toDisplayText(target)].filter(Boolean);
    this.#target.textContent = texts.join(' ') || '(empty link)';
    this.#open.hidden = isGenerated || getOpenableLink(link) === undefined;
    this.#copy.hidden = isGenerated;
  }
}
