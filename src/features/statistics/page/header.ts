import { make } from '../../../platform/webview/dom.ts';
import { iconButton, makeButton } from '../../../platform/webview/toolkit.ts';
import type { CampaignCard } from '../model.ts';
import type { FromPage } from '../protocol.ts';

/** How fresh is what is shown. */
export interface Freshness {
  readonly isReading: boolean;
  /** When what is shown was read. */
  readonly readAt?: string | undefined;
}

/** Which campaigns are shown, from when that is, and what can be done. */
export class StatisticsHeader {
  readonly element: HTMLElement;
  readonly #post: (message: FromPage) => void;
  readonly #name = make('h1', {});
  readonly #about = make('p', { class: 'quiet about' });
  readonly #readTime = make('span', {});
  readonly #interval = make('span', { class: 'watch' });
  readonly #cancel: HTMLElement;
  readonly #busy = make('div', { class: 'busy', hidden: '' }, make('i', {}));
  readonly #stoppedMessage = make('p', { class: 'stopped', role: 'status' });
  readonly #refresh: HTMLElement;
  readonly #open: HTMLElement;
  readonly #freshness: HTMLElement;

  constructor(post: (message: FromPage) => void) {
    this.#post = post;
    this.#cancel = make('button', { type: 'button', class: 'link', hidden: '' }, 'Cancel');
    this.#cancel.addEventListener('click', () => this.#post({ type: 'cancel' }));
    this.#refresh = iconButton('refresh', 'Refresh', () => this.#post({ type: 'refresh' }));
    this.#open = iconButton('openEditor', 'Open in Editor', () => this.#post({ type: 'openInEditor' }));
    this.#freshness = make('p', { class: 'quiet fresh' }, this.#readTime, this.#cancel, this.#interval);
    this.element = make(
      'header',
      { class: 'head' },
      make('div', { class: 'who' }, this.#name, this.#about, this.#freshness),
      make(
        'div',
        { class: 'tools' },
        makeButton('Choose…', () => this.#post({ type: 'choose' })),
        makeButton('Compare…', () => this.#post({ type: 'compare' })),
        this.#refresh,
        this.#open,
      ),
      this.#stoppedMessage,
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

  showFreshness({ isReading, readAt: at }: Freshness): void {
    this.#busy.hidden = !isReading;
    this.#cancel.hidden = !isReading;
    this.#readTime.textContent = isReading
      ? at === undefined
        ? 'Reading…'
        : `as of ${at} · reading again…`
      : at === undefined
        ? ''
        : `as of ${at}`;
    this.#updateFreshness();
  }

  /** @param seconds between readings; 0 for none. `message`: why it was given up */
  showInterval(seconds: number, message?: string): void {
    this.#interval.textContent = seconds > 0 ? `watching every ${seconds} s` : '';
    this.#stoppedMessage.textContent = message ?? '';
    this.#stoppedMessage.hidden = message === undefined;
    this.#updateFreshness();
  }

  #updateFreshness(): void {
    this.#freshness.hidden = [this.#readTime, this.#interval].every((part) => part.textContent === '');
  }
}
