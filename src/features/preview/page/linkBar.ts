import { t } from '@vscode/l10n';
import { getOpenableLink } from '../../../email/compose/safety.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { icon, make } from '../../../ui/page/dom.ts';
import { icons } from '../../../ui/page/icons.ts';
import { iconButton, makeButton } from '../../../ui/page/toolkit.ts';
import type { FromPage } from '../protocol.ts';
import { describeLinkTarget, isGeneratedLink, type Viewer } from './viewer.ts';

/** Shows the target of a hovered link. After a click it stays, with actions. */
export class LinkBar {
  readonly #viewer: Viewer;
  readonly #target = make('span.target', { role: 'status' });
  readonly #open: HTMLElement;
  readonly #copy: HTMLElement;
  readonly #close = iconButton('cancel', t('Close'), () => this.choose(undefined));
  readonly element: HTMLElement;
  #selected: string | undefined;
  /** The link in the email that gets the focus back. */
  #origin: HTMLElement | null | undefined;

  constructor(viewer: Viewer, post: (message: FromPage) => void) {
    const act = (type: 'openLink' | 'copyLink') => () => post({ type, href: this.#selected ?? '' });
    this.#viewer = viewer;
    this.#open = makeButton(t('Open Link'), act('openLink'), { class: 'open', appearance: 'primary' });
    this.#copy = makeButton(t('Copy Link'), act('copyLink'));
    const actions = make('span.actions', this.#open, this.#copy, this.#close);
    this.element = make('footer.links', { hidden: '' }, icon(icons.link), this.#target, actions);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.choose(undefined);
    });
  }

  hover(link: string | undefined): void {
    this.#show(link ?? this.#selected);
  }

  /** Selects a link. Moves the focus to the actions after a key, and back to the email when they close. */
  choose(link: string | undefined, focused?: HTMLElement | null): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.#selected = link;
    this.#show(link);
    if (focused) [this.#open, this.#copy, this.#close].find(({ hidden }) => !hidden)?.focus();
    else if (hadFocus) this.#origin?.focus();
    this.#origin = focused;
  }

  #show(link: string | undefined) {
    this.element.hidden = link === undefined;
    if (link === undefined) return;
    this.element.classList.toggle('chosen', link === this.#selected);
    const isGenerated = isGeneratedLink(link);
    const target = describeLinkTarget(link, this.#viewer.language, this.#viewer.rendering) ?? '';
    const texts = [isGenerated ? '' : toDisplayText(link), toDisplayText(target)].filter(Boolean);
    this.#target.textContent = texts.join(' ') || t('(empty link)');
    this.#open.hidden = isGenerated || getOpenableLink(link) === undefined;
    this.#copy.hidden = isGenerated;
  }
}
