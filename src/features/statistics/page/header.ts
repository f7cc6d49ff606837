import { t } from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import { make } from '../../../ui/page/dom.ts';
import type { Channel } from '../../../ui/page/channel.ts';
import { iconButton, makeButton } from '../../../ui/page/toolkit.ts';
import { joinParts } from '../../../service/format.ts';
import type { CampaignCard } from '../model.ts';
import type { FromPage, ToPage } from '../protocol.ts';

/** The page's header: the campaigns, the time of the last read, and buttons. */
export class PageHeader {
  readonly #heading = make('h1');
  readonly #about = make('p.quiet.about');
  readonly #readTime = make('span');
  readonly #cancel = make('button.link', { type: 'button', hidden: '' }, t('Cancel'));
  readonly #busy = make('div.busy', { hidden: '' }, make('i'));
  readonly element: HTMLElement;

  constructor(channel: Pick<Channel<ToPage, FromPage>, 'post'>) {
    this.#cancel.addEventListener('click', () => channel.post({ type: 'cancel' }));
    this.element = make(
      'header.head',
      { hidden: '' },
      make('div.who', this.#heading, this.#about, make('p.quiet.fresh', this.#readTime, this.#cancel)),
      // The view has the same actions in its title.
      make(
        'div.tools.in-editor',
        makeButton(t('Choose…'), () => channel.post({ type: 'choose' })),
        makeButton(t('Compare…'), () => channel.post({ type: 'compare' })),
        iconButton('refresh', t('Refresh'), () => channel.post({ type: 'refresh' })),
      ),
      this.#busy,
    );
  }

  show(cards: readonly CampaignCard[]): void {
    const [card, ...others] = cards;
    this.element.hidden = card === undefined;
    if (!card) return;
    const services = [...new Set(cards.map(({ service }) => service))].join(', ');
    const isOne = others.length === 0;
    this.#heading.textContent = isOne ? card.name : t`${formatNumber(cards.length)} campaigns compared`;
    this.#heading.title = cards.map(({ name }) => name).join('\n');
    this.#about.textContent = this.#about.title = joinParts([isOne && card.state, services]);
  }

  /** `readAt`: formatted time of the last read. */
  showFreshness(isReading: boolean, readAt: string | undefined): void {
    this.#busy.hidden = this.#cancel.hidden = !isReading;
    const progress = readAt === undefined ? t('Loading…') : t('refreshing…');
    this.#readTime.textContent = joinParts([readAt && t`as of ${readAt}`, isReading && progress]);
  }
}
