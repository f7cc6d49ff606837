import type { MailFrame } from './frame.ts';
import type { LinkBar } from './linkBar.ts';

/** Receives the user's actions in the email. */
export interface FrameEvents {
  /** A click on a node. `at` is the offset in a text node. */
  point?(node: Node, at: number): void;
  /** Follows the links that the user hovers, focuses, clicks, or presses a key on. */
  readonly links?: LinkBar;
  /** Opens a link. */
  follow?(link: string): void;
  scroll?(): void;
}

/** `button` of a mouse event. */
const RIGHT_BUTTON = 2;

export const linkSelector = 'a[*|href], area[href]';

/** Returns a link's unresolved address. */
export function getHref(link: Element): string | undefined {
  return link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? undefined;
}

function findHref(target: EventTarget | null) {
  const link = target && 'closest' in target ? (target as Element).closest(linkSelector) : null;
  return link ? getHref(link) : undefined;
}

/** Returns the text position under the pointer. If the element under the pointer is not the text's parent, the pointer is beside the text. */
function getTextPosition(frame: MailFrame, event: MouseEvent) {
  const target = event.target as Element;
  const caret = frame.document.caretPositionFromPoint(event.clientX, event.clientY);
  if (caret?.offsetNode.nodeType === Node.TEXT_NODE && caret.offsetNode.parentNode === target)
    return { node: caret.offsetNode, at: caret.offset };
  return { node: target, at: 0 };
}

/** Handles the email's events from this page, because the email has no scripts. Links, forms and drops have no default action. */
export function listenTo(frame: MailFrame, { links, ...events }: FrameEvents): void {
  const { document } = frame;
  const on = <K extends keyof DocumentEventMap>(name: K, handler: (event: DocumentEventMap[K]) => void) => {
    document.addEventListener(name, handler, true);
  };
  const findFocused = () => document.querySelector<HTMLElement>(':focus');
  on('click', (event) => {
    event.preventDefault();
    const link = findHref(event.target);
    if (link !== undefined && (event.ctrlKey || event.metaKey)) return events.follow?.(link);
    // A key moves the focus to the actions of the link, and not to its source.
    if (event.detail === 0) return link === undefined ? undefined : links?.choose(link, findFocused());
    if (link !== undefined) links?.choose(link);
    // A click that ends a selection is not a click on a node.
    if (document.getSelection()?.isCollapsed === false) return;
    const { node, at } = getTextPosition(frame, event);
    events.point?.(node, at);
  });
  on('auxclick', (event) => {
    event.preventDefault();
    const link = findHref(event.target);
    if (event.button === 1 && link !== undefined) events.follow?.(link);
  });
  on('contextmenu', (event) => {
    const link = findHref(event.target);
    if (link === undefined) return;
    event.preventDefault();
    links?.choose(link, event.button === RIGHT_BUTTON ? undefined : findFocused());
  });
  for (const name of ['submit', 'dragstart', 'dragover', 'drop'] as const) on(name, (event) => event.preventDefault());
  on('mouseover', (event) => links?.hover(findHref(event.target)));
  on('focusin', (event) => links?.hover(findHref(event.target)));
  on('focusout', () => links?.hover(undefined));
  document.documentElement.addEventListener('mouseleave', () => links?.hover(undefined));
  // On the window, an element with the ID `addEventListener` would hide the method.
  document.addEventListener('scroll', () => events.scroll?.(), { passive: true });
  // Forwards keys to the webview, where VS Code listens. Otherwise no shortcut would work while the email has the focus.
  on('keydown', (event) => {
    if (!window.dispatchEvent(new KeyboardEvent('keydown', event))) event.preventDefault();
  });
}
