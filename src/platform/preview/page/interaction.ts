import type { MailFrame } from './frame.ts';

/** What the user does in the email. */
export interface FrameEvents {
  /** Points at a node; `at` counts characters of a text node. */
  point(node: Node, at: number): void;
  /** Is at a link with the mouse or the keyboard; nothing when they leave it. */
  hover(link: string | undefined): void;
  /** Holds on to a link, to decide what to do with it. */
  choose(link: string): void;
  /** Wants a link opened. */
  follow(link: string): void;
  scroll(): void;
}

/** What is a link in an email. */
export const linkSelector = 'a[*|href], area[href]';

/** A link's address as the email has it. */
export function getHref(link: Element): string | undefined {
  return link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? undefined;
}

function findHref(target: EventTarget | null): string | undefined {
  const link = target && 'closest' in target ? (target as Element).closest(linkSelector) : null;
  return link ? getHref(link) : undefined;
}

/** The text position under the pointer: where the element under it is not its parent, the pointer is beside the text. */
function getTextPosition(frame: MailFrame, event: MouseEvent): { node: Node; at: number } {
  const target = event.target as Element;
  const caret = frame.document.caretPositionFromPoint(event.clientX, event.clientY);
  if (caret?.offsetNode.nodeType === Node.TEXT_NODE && caret.offsetNode.parentNode === target)
    return { node: caret.offsetNode, at: caret.offset };
  return { node: target, at: 0 };
}

const forwardedKeyProperties = [
  'key',
  'code',
  'keyCode',
  'location',
  'ctrlKey',
  'shiftKey',
  'altKey',
  'metaKey',
  'repeat',
] as const;

/** The email has no scripts: this page listens in its stead. Nothing in it acts by itself: no link, no form, no drop. */
export function listenTo(frame: MailFrame, events: FrameEvents): void {
  const { document, window: view } = frame;
  const on = <K extends keyof DocumentEventMap>(name: K, handler: (event: DocumentEventMap[K]) => void): void => {
    document.addEventListener(name, handler, true);
  };
  on('click', (event) => {
    event.preventDefault();
    const link = findHref(event.target);
    if (link !== undefined && (event.ctrlKey || event.metaKey)) return events.follow(link);
    if (link !== undefined) events.choose(link);
    // A click at the end of a drag selects text, and means nothing else.
    if (document.getSelection()?.isCollapsed === false) return;
    const { node, at } = getTextPosition(frame, event);
    events.point(node, at);
  });
  on('auxclick', (event) => {
    event.preventDefault();
    const link = findHref(event.target);
    if (event.button === 1 && link !== undefined) events.follow(link);
  });
  on('contextmenu', (event) => {
    const link = findHref(event.target);
    if (link === undefined) return;
    event.preventDefault();
    events.choose(link);
  });
  for (const name of ['submit', 'dragstart', 'dragover', 'drop'] as const) on(name, (event) => event.preventDefault());
  on('mouseover', (event) => events.hover(findHref(event.target)));
  on('focusin', (event) => events.hover(findHref(event.target)));
  on('focusout', () => events.hover(undefined));
  document.documentElement.addEventListener('mouseleave', () => events.hover(undefined));
  view.addEventListener('scroll', () => events.scroll(), { passive: true });
  // VS Code hears the keys of its webview, not of a frame in it: without this no shortcut would work once the email has the focus.
  on('keydown', (event) => {
    const copy = new KeyboardEvent('keydown', {
      bubbles: true,
      cancelable: true,
      ...Object.fromEntries(forwardedKeyProperties.map((key) => [key, event[key]])),
    });
    if (!window.dispatchEvent(copy)) event.preventDefault();
  });
}
