import { t } from '@vscode/l10n';
import { getOpenableLink } from '../../../email/compose/safety.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { icon, make } from '../../../ui/page/dom.ts';
import { icons } from '../../../ui/page/icons.ts';
import { iconButton, makeButton } from '../../../ui/page/toolkit.ts';
import type { FromPage } from '../protocol.ts';
import { describeLinkTarget, isGeneratedLink, type Viewer } from './viewer.ts';

/** Shows the target of a hovered link. After a click it stays, with actions. */
export function createLinkBar(viewer: Viewer, post: (message: FromPage) => void) {
  const element = make('footer.links', { hidden: '' });
  const targetText = make('span.target', { role: 'status' });
  let selected: string | undefined;
  /** The link in the email that gets the focus back. */
  let origin: HTMLElement | null | undefined;

  const act = (type: 'openLink' | 'copyLink') => () => post({ type, href: selected ?? '' });
  const open = makeButton(t('Open Link'), act('openLink'), { class: 'open', appearance: 'primary' });
  const copy = makeButton(t('Copy Link'), act('copyLink'));
  const close = iconButton('cancel', t('Close'), () => choose(undefined));
  const actions = make('span.actions', open, copy, close);
  element.append(icon(icons.link), targetText, actions);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    choose(undefined);
  });

  function hover(link: string | undefined) {
    show(link ?? selected);
  }

  /** Moves the focus to the actions after a key, and back to the email when they close. */
  function choose(link: string | undefined, focused?: HTMLElement | null) {
    const hadFocus = element.contains(document.activeElement);
    selected = link;
    show(link);
    if (focused) [open, copy, close].find(({ hidden }) => !hidden)?.focus();
    else if (hadFocus) origin?.focus();
    origin = focused;
  }

  function show(link: string | undefined) {
    element.hidden = link === undefined;
    if (link === undefined) return;
    element.classList.toggle('chosen', link === selected);
    const isGenerated = isGeneratedLink(link);
    const target = describeLinkTarget(link, viewer.language, viewer.getRendering()) ?? '';
    const texts = [isGenerated ? '' : toDisplayText(link), toDisplayText(target)].filter(Boolean);
    targetText.textContent = texts.join(' ') || t('(empty link)');
    open.hidden = isGenerated || getOpenableLink(link) === undefined;
    copy.hidden = isGenerated;
  }

  return { element, hover, choose };
}
