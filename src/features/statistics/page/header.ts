import { t } from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import { make } from '../../../ui/page/dom.ts';
import { iconButton, makeButton } from '../../../ui/page/toolkit.ts';
import { joinParts } from '../../../service/format.ts';
import type { CampaignCard } from '../model.ts';
import type { FromPage } from '../protocol.ts';

/** Creates the page's header: the campaigns, the time of the last read, and buttons. */
export function createHeader(post: (message: FromPage) => void) {
  const heading = make('h1');
  const about = make('p.quiet.about');
  const readTime = make('span');
  const cancel = make('button.link', { type: 'button', hidden: '' }, t('Cancel'));
  const busy = make('div.busy', { hidden: '' }, make('i'));
  cancel.addEventListener('click', () => post({ type: 'cancel' }));
  const freshness = make('p.quiet.fresh', readTime, cancel);
  const element = make(
    'header.head',
    { hidden: '' },
    make('div.who', heading, about, freshness),
    // The view has the same actions in its title.
    make(
      'div.tools.in-editor',
      makeButton(t('Choose…'), () => post({ type: 'choose' })),
      makeButton(t('Compare…'), () => post({ type: 'compare' })),
      iconButton('refresh', t('Refresh'), () => post({ type: 'refresh' })),
    ),
    busy,
  );
  return {
    element,
    show: (cards: readonly CampaignCard[]) => {
      const [card, ...others] = cards;
      element.hidden = card === undefined;
      if (!card) return;
      const services = [...new Set(cards.map(({ service }) => service))].join(', ');
      const isOne = others.length === 0;
      heading.textContent = isOne ? card.name : t`${formatNumber(cards.length)} campaigns compared`;
      heading.title = cards.map(({ name }) => name).join('\n');
      about.textContent = about.title = joinParts([isOne && card.state, services]);
    },
    /** `readAt`: formatted time of the last read. */
    showFreshness: (isReading: boolean, readAt: string | undefined) => {
      busy.hidden = cancel.hidden = !isReading;
      const progress = readAt === undefined ? t('Loading…') : t('refreshing…');
      readTime.textContent = joinParts([readAt && t`as of ${readAt}`, isReading && progress]);
    },
  };
}
