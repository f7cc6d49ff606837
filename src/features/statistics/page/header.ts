import { make } from '../../../platform/webview/dom.ts';
import { iconButton, makeButton } from '../../../platform/webview/toolkit.ts';
import type { CampaignCard } from '../model.ts';
import type { FromPage } from '../protocol.ts';

/** How fresh is what is shown. */
export interface Freshness {
  readonly isReading: boolean;
  /** When what is shown was read. */
  readonly at?: string | undefined;
}

/** Which campaigns are shown, from when that is, and what can be done. */
export class Header {
  readonly element: HTMLElement;
  readonly #post: (message: FromPage) => void;
  readonly #name = make('h1', {});
  readonly #about = make('p', { class: 'quiet about' });
  readonly #as = make('span', {});
  readonly #watch = make('span', { class: 'watch' });
  readonly #cancel: HTMLElement;
  readonly #busy = make('div', { class: 'busy', hidden: '' }, make('i', {}));
  readonly #stopped = make('p', { class: 'stopped', role: 'status' });
  readonly #refresh: HTMLElement;
  readonly #open: HTMLElement;
  readonly #fresh: HTMLElement;

  constructor(post: (message: FromPage) => void) {
    this.#post = post;
    this.#cancel = make('button', { type: 'button', class: 'link', hidden: '' }, 'Cancel');
    this.#cancel.addEventListener('click', () => this.#post({ type: 'cancel' }));
    this.#refresh = iconButton('refresh', 'Refresh', () => this.#post({ type: 'refresh' }));
    this.#open = iconButton('openEditor', 'Open in Editor', () => this.#post({ type: 'openInEditor' }));
    this.#fresh = make('p', { class: 'quiet fresh' }, this.#as, this.#cancel, this.#watch);
    this.element = make(
      'header',
      { class: 'head' },
      make('div', { class: 'who' }, this.#name, this.#about, this.#fresh),
      make(
        'div',
        { class: 'tools' },
        makeButton('Choose…', () => this.#post({ type: 'choose' })),
        makeButton('Compare…', () => this.#post({ type: 'compare' })),
        this.#refresh,
        this.#open,
      ),
      this.#stopped,
      this.#busy,
    );
  }

  show(cards: readonly CampaignCard[], wide: boolean): void {
    const [card] = cards;
    this.element.hidden = card === undefined;
    this.#open.hidden = wide;
    if (!card) return;
    const services = [...new Set(cards.map(({ service }) => service))].join(', ');
    const isOne = cards.length === 1;
    this.#name.textContent = isOne ? card.name : `${cards.length} campaigns compared`;
    this.#name.title = isOne ? card.name : cards.map(({ name }) => name).join('\n');
    this.#about.textContent = [...(isOne ? [card.state] : []), services].filter(Boolean).join(' · ');
    this.#about.title = this.#about.textContent;
  }

  showFreshness({ isReading, at }: Freshness): void {
    this.#busy.hidden = !isReading;
    this.#cancel.hidden = !isReading;
    this.#as.textContent = isReading
      ? at === undefined
        ? 'Reading…'
        : `as of ${at} · reading again…`
      : at === undefined
        ? ''
        : `as of ${at}`;
    this.#showLine();
  }

  /** @param seconds between readings; 0 for none. `message`: why it was given up */
  showWatch(seconds: number, message?: string): void {
    this.#watch.textContent = seconds > 0 ? `watching every ${seconds} s` : '';
    this.#stopped.textContent = message ?? '';
    this.#stopped.hidden = message === undefined;
    this.#showLine();
  }

  #showLine(): void {
    this.#fresh.hidden = [this.#as, this.#watch].every((part) => part.textContent === '');
  }
}
