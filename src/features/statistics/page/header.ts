import { make } from '../../../platform/webview/dom.ts';
import { iconButton, makeButton } from '../../../platform/webview/toolkit.ts';
import type { CampaignCard } from '../model.ts';
import type { FromPage } from '../protocol.ts';

/** The page's header: the campaigns, the time of the last read, and buttons. */
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

  /** `readAt`: formatted time of the last read. */
  showFreshness(isReading: boolean, readAt: string | undefined): void {
    this.#busy.hidden = !isReading;
    this.#cancel.hidden = !isReading;
    const progress = readAt === undefined ? 'Reading…' : 'reading again…';
    this.#readTime.textContent = [readAt && `as of ${readAt}`, isReading && progress].filter(Boolean).join(' · ');
    this.#updateFreshness();
  }

  /**
   * @param seconds interval of automatic reads; 0 for none
   * @param message why automatic reads were stopped
   */
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
