import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import { make } from '../../../platform/webview/dom.ts';
import { iconButton, makeButton } from '../../../platform/webview/toolkit.ts';
import type { CampaignCard } from '../model.ts';
import type { FromPage } from '../protocol.ts';

/** The page's header: the campaigns, the time of the last read, and buttons. */
export class StatisticsHeader {
  readonly element: HTMLElement;
  readonly #name = make('h1', {});
  readonly #about = make('p', { class: 'quiet about' });
  readonly #readTime = make('span', {});
  readonly #interval = make('span', { class: 'watch' });
  readonly #cancel = make('button', { type: 'button', class: 'link', hidden: '' }, l10n.t('Cancel'));
  readonly #busy = make('div', { class: 'busy', hidden: '' }, make('i', {}));
  readonly #stoppedMessage = make('p', { class: 'stopped', role: 'status' });

  constructor(post: (message: FromPage) => void) {
    this.#cancel.addEventListener('click', () => post({ type: 'cancel' }));
    const freshness = make('p', { class: 'quiet fresh' }, this.#readTime, this.#cancel, this.#interval);
    const openInEditor = iconButton('openEditor', l10n.t('Open in Editor'), () => post({ type: 'openInEditor' }));
    openInEditor.classList.add('open');
    this.element = make(
      'header',
      { class: 'head', hidden: '' },
      make('div', { class: 'who' }, this.#name, this.#about, freshness),
      make(
        'div',
        { class: 'tools' },
        makeButton(l10n.t('Choose…'), () => post({ type: 'choose' })),
        makeButton(l10n.t('Compare…'), () => post({ type: 'compare' })),
        iconButton('refresh', l10n.t('Refresh'), () => post({ type: 'refresh' })),
        openInEditor,
      ),
      this.#stoppedMessage,
      this.#busy,
    );
  }

  show(cards: readonly CampaignCard[]): void {
    const [card, ...others] = cards;
    this.element.hidden = card === undefined;
    if (!card) return;
    const services = [...new Set(cards.map(({ service }) => service))].join(', ');
    const isOne = others.length === 0;
    this.#name.textContent = isOne ? card.name : l10n.t`${formatNumber(cards.length)} campaigns compared`;
    this.#name.title = cards.map(({ name }) => name).join('\n');
    this.#about.textContent = this.#about.title = [isOne && card.state, services].filter(Boolean).join(' · ');
  }

  /** `readAt`: formatted time of the last read. */
  showFreshness(isReading: boolean, readAt: string | undefined): void {
    this.#busy.hidden = this.#cancel.hidden = !isReading;
    const progress = readAt === undefined ? l10n.t('Loading…') : l10n.t('refreshing…');
    this.#readTime.textContent = [readAt && l10n.t`as of ${readAt}`, isReading && progress].filter(Boolean).join(' · ');
  }

  /**
   * @param seconds interval of automatic reads; 0 for none
   * @param message why automatic reads were stopped
   */
  showInterval(seconds: number, message: string = ''): void {
    this.#interval.textContent = seconds > 0 ? l10n.t`refreshes every ${formatNumber(seconds)} s` : '';
    this.#stoppedMessage.textContent = message;
    this.#stoppedMessage.hidden = message === '';
  }
}
