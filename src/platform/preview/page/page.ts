import { make } from '../../webview/dom.ts';
import type { Host } from '../../webview/host.ts';
import { getSnippet, InboxLine } from '../../webview/inbox.ts';
import type { MessageHandlers } from '../../webview/messages.ts';
import { PersonPicker } from './personPicker.ts';
import { BranchPanel } from './branchPanel.ts';
import { HeatMap } from './heat.ts';
import { listenTo } from './interaction.ts';
import { LinkBar } from './linkBar.ts';
import type { MailFrame } from './frame.ts';
import type { FromPage, LinkHeat, ToPage, ToolbarState } from '../protocol.ts';
import { Pictures } from './pictures.ts';
import { ProblemBadge } from './problemBadge.ts';
import { countRemote } from './remote.ts';
import { Renderer } from './renderer.ts';
import type { RenderSettings } from './renderer.ts';
import { Stage } from './stage.ts';
import { describeLinkTarget } from './tagLinks.ts';
import { Toolbar } from './toolbar.ts';
import { Viewer } from './viewer.ts';
import { Views } from './views.ts';

/** The state that VS Code stores for the page and passes to the extension after a restart. */
export interface PreviewPageState {
  readonly document: string;
  /** Whether the preview is locked to this document. */
  readonly locked?: boolean;
  readonly scroll: readonly [x: number, y: number];
  /** The last heat map, and its selected link. */
  readonly heat?: { readonly turn: number; readonly chosen?: string };
}

/** Shows the host's messages and posts the user's actions. */
export class PreviewPage {
  readonly #host: Host<ToPage, FromPage, PreviewPageState>;
  readonly #inbox = new InboxLine();
  readonly #toolbar = new Toolbar((state) => this.#setToolbar(state));
  readonly #viewer = new Viewer();
  readonly #personPicker = new PersonPicker((personId) => this.#host.post({ type: 'selectPerson', personId }));
  readonly #problemBadge = new ProblemBadge(() => this.#host.post({ type: 'revealProblem' }));
  readonly #branches = new BranchPanel((condition, shown) => {
    this.#viewer.choose(condition, shown);
    this.#updateTags();
  });
  readonly #remoteText = make('span', { title: 'Fetching them tells the sender that somebody looks.' });
  readonly #loadRemoteButton = make('vscode-button', { appearance: 'secondary' }, 'Show');
  readonly #remoteNotice = make(
    'div',
    { class: 'notice', role: 'status', hidden: '' },
    this.#remoteText,
    this.#loadRemoteButton,
  );
  readonly #omittedPicturesNotice = make('div', { class: 'notice', role: 'status', hidden: '' });
  readonly #readFailureText = make('span', {});
  readonly #retryButton = make('vscode-button', { appearance: 'secondary' }, 'Try Again');
  readonly #readFailureNotice = make(
    'div',
    { class: 'notice problem', role: 'status', hidden: '' },
    this.#readFailureText,
    this.#retryButton,
  );
  readonly #renderNotice = make('div', { class: 'notice problem', role: 'status', hidden: '' });
  readonly #stage = new Stage();
  readonly #heat = new HeatMap(this.#stage.device, {
    onLayoutChange: () => this.#scheduleMarkUpdate(),
    onClose: () => this.#host.post({ type: 'heatClosed' }),
    onSelect: (chosen) => this.#saveState({ heat: { turn: this.#heatTurn, chosen } }),
  });
  readonly #links = new LinkBar(
    (href) => this.#host.post({ type: 'openLink', href }),
    (href) => this.#host.post({ type: 'copyLink', href }),
    (href) => describeLinkTarget(href, this.#viewer.language, this.#viewer.rendering),
  );
  readonly #pictures = new Pictures((paths) => this.#host.post({ type: 'pictures', paths }));
  readonly #note = make('div', { class: 'note', role: 'status', hidden: '' });
  readonly #renderer: Renderer;
  readonly #views: Views;
  readonly #handlers: MessageHandlers<ToPage>;
  #documentUri = '';
  #title = '';
  #localSettings: Pick<RenderSettings, 'base' | 'root' | 'picture'> = {};
  #cursor: number | undefined;
  /** Whether the element at the cursor must still be scrolled into view. Its position may be unknown while the user types. */
  #needsReveal = false;
  #heatTurn = 0;
  #scrollTimer: ReturnType<typeof setTimeout> | undefined;
  #measureTimer: ReturnType<typeof setTimeout> | undefined;
  #isMarkUpdateScheduled = false;

  constructor(host: Host<ToPage, FromPage, PreviewPageState>) {
    this.#host = host;
    this.#renderer = new Renderer(this.#stage.device, {
      onFrame: (frame) => this.#handleFrame(frame),
      onRender: () => this.#scheduleMarkUpdate(),
      onProblem: (message) => setNotice(this.#renderNotice, message),
      onIdle: () => this.#handleIdle(),
    });
    this.#views = new Views(this.#renderer, (place) => this.#host.post({ type: 'reveal', ...place }), this.#links);
    this.#handlers = {
      show: (message) => this.#show(message),
      change: ({ part, changes, length }) => {
        this.#views.change(part, changes);
        if (this.#views.length(part) !== length) this.#host.post({ type: 'resync', part });
      },
      text: ({ part, text }) => this.#views.setText(part, text),
      sent: (message) => {
        this.#views.setSent(message);
        this.#updateLayout();
        // Measuring is slow, so it waits until the user pauses.
        clearTimeout(this.#measureTimer);
        this.#measureTimer = setTimeout(() => this.#updateSize(), 120);
      },
      envelope: ({ envelope }) => {
        this.#viewer.setEnvelope(envelope);
        this.#views.setEnvelope(envelope);
        this.#updateDescription();
      },
      pictures: ({ pictures }) => {
        this.#pictures.set(pictures);
        const { state } = this.#toolbar;
        this.#views.set(state, this.#settings(state));
      },
      locked: ({ locked }) => this.#saveState({ locked }),
      viewers: (choices) => {
        this.#viewer.set(choices);
        this.#personPicker.show(this.#viewer);
        this.#updateTags();
      },
      cursor: ({ offset }) => {
        // If the preview was opened for its heat map, the first cursor position doesn't scroll it.
        this.#needsReveal = this.#cursor !== undefined || !this.#heat.isShown;
        this.#cursor = offset;
        this.#markCursor();
      },
      readFailure: ({ message }) => {
        setNotice(this.#readFailureText, message);
        this.#readFailureNotice.hidden = message === undefined;
      },
      problems: ({ errors, warnings }) => this.#problemBadge.show(errors, warnings),
      heat: ({ heat, heatId }) => this.#showHeat(heat, heatId),
    };
    this.#toolbar.addControl(this.#personPicker.element);
    this.#toolbar.addControl(this.#problemBadge.element);
    this.#toolbar.element.append(this.#heat.chip);
    this.#retryButton.addEventListener('click', () => this.#host.post({ type: 'retry' }));
    this.#loadRemoteButton.addEventListener('click', () => {
      const state = { ...this.#toolbar.state, remote: true };
      this.#toolbar.show(state);
      this.#setToolbar(state);
    });
  }

  get elements(): readonly HTMLElement[] {
    return [
      this.#inbox.element,
      this.#toolbar.element,
      this.#branches.element,
      this.#readFailureNotice,
      this.#renderNotice,
      this.#remoteNotice,
      this.#omittedPicturesNotice,
      this.#note,
      this.#stage.element,
      this.#views.text.element,
      this.#views.grid.element,
      this.#heat.panel.element,
      this.#links.element,
    ];
  }

  start(): void {
    this.#host.start(this.#handlers);
  }

  #show({
    document,
    title,
    locked,
    body,
    stylesheet,
    envelope,
    base,
    root,
    toolbar,
  }: Extract<ToPage, { type: 'show' }>): void {
    const before = this.#host.getState();
    const isAnotherDocument = this.#documentUri !== '' && this.#documentUri !== document;
    this.#documentUri = document;
    this.#title = title;
    const place = { ...(base === undefined ? {} : { base }), ...(root === undefined ? {} : { root }) };
    this.#pictures.reset(place);
    this.#localSettings = base === undefined ? place : { ...place, picture: this.#pictures.find };
    this.#viewer.setEnvelope(envelope);
    this.#toolbar.show(toolbar);
    this.#stage.arrange(toolbar);
    const isFirst = this.#renderer.frame === undefined;
    this.#views.show({ body, stylesheet, ...(envelope ? { envelope } : {}) }, toolbar, this.#settings(toolbar));
    this.#updateLayout();
    if (isFirst && before?.document === document) this.#scrollTo(before.scroll);
    if (isAnotherDocument) this.#reset();
    if (before?.document !== document) this.#host.setState({ document, locked, scroll: [0, 0] });
    else if (before.locked !== locked) this.#saveState({ locked });
    this.#updateDescription();
  }

  /** Resets the state of the previous email. */
  #reset(): void {
    this.#cursor = undefined;
    this.#markCursor();
    this.#links.choose(undefined);
    this.#heat.show(undefined, this.#renderer.frame);
    this.#scrollTo([0, 0]);
  }

  #handleFrame(frame: MailFrame): void {
    listenTo(frame, {
      point: (node, at) => this.#reveal(node, at),
      hover: (link) => this.#links.hover(link),
      choose: (link) => this.#links.choose(link),
      follow: (link) => this.#followLink(link),
      scroll: () => this.#handleScroll(),
    });
    this.#heat.setFrame(frame);
  }

  #showHeat(heat: LinkHeat | undefined, turn: number): void {
    const before = this.#host.getState()?.heat;
    const isNew = before?.turn !== turn;
    const selectedAddress = isNew ? heat?.selectedAddress : before.chosen;
    this.#heatTurn = turn;
    this.#heat.show(
      heat && { ...heat, ...(selectedAddress === undefined ? {} : { selectedAddress }) },
      this.#renderer.frame,
    );
    if (isNew) this.#heat.reveal();
    this.#saveState({ heat: { turn, ...(selectedAddress === undefined ? {} : { chosen: selectedAddress }) } });
  }

  #saveState(change: Partial<PreviewPageState>): void {
    this.#host.setState({ document: this.#documentUri, scroll: [0, 0], ...this.#host.getState(), ...change });
  }

  #scrollTo([x, y]: PreviewPageState['scroll']): void {
    this.#renderer.frame?.window.scrollTo(x, y);
  }

  #settings({ scheme, remote }: ToolbarState): RenderSettings {
    return { scheme, remote, ...this.#localSettings };
  }

  #setToolbar(toolbar: ToolbarState): void {
    this.#stage.arrange(toolbar);
    this.#views.set(toolbar, this.#settings(toolbar));
    this.#updateLayout();
    this.#host.post({ type: 'toolbar', toolbar });
  }

  #reveal(node: Node, at: number): void {
    const place = this.#views.findSource(node, at);
    if (place) this.#host.post({ type: 'reveal', ...place });
  }

  #followLink(link: string): void {
    const frame = this.#renderer.frame;
    if (!link.startsWith('#') || !frame) return this.#host.post({ type: 'openLink', href: link });
    const name = decodeName(link.slice(1));
    (
      frame.document.getElementById(name) ??
      frame.document.getElementsByName(name)[0] ??
      frame.document.documentElement
    ).scrollIntoView();
  }

  #handleScroll(): void {
    this.#heat.handleScroll();
    this.#scheduleMarkUpdate();
    clearTimeout(this.#scrollTimer);
    this.#scrollTimer = setTimeout(() => {
      const view = this.#renderer.frame?.window;
      if (view) this.#saveState({ scroll: [view.scrollX, view.scrollY] });
    }, 200);
  }

  /** Updates marks after the next paint: measuring earlier would force a second layout. */
  #scheduleMarkUpdate(): void {
    if (this.#isMarkUpdateScheduled) return;
    this.#isMarkUpdateScheduled = true;
    requestAnimationFrame(() => {
      setTimeout(() => {
        this.#isMarkUpdateScheduled = false;
        this.#stage.refresh();
        this.#heat.refresh();
      });
    });
  }

  #markCursor(): void {
    const element = this.#cursor === undefined ? undefined : this.#views.elementAt(this.#cursor);
    const marked = element && !/^(html|head|body)$/i.test(element.nodeName) ? element : undefined;
    this.#stage.setMark(marked, this.#needsReveal);
    if (element) this.#needsReveal = false;
  }

  /** Does the slow updates that wait until the user pauses. */
  #handleIdle(): void {
    this.#markCursor();
    this.#updateDescription();
    const { frame } = this.#renderer;
    this.#updateSize();
    const remote = frame && !this.#toolbar.state.remote ? countRemote(frame.document) : 0;
    this.#remoteNotice.hidden = remote === 0;
    setNotice(this.#omittedPicturesNotice, frame && this.#pictures.describeOmitted(frame.document));
    this.#remoteText.textContent = `${remote} remote ${remote === 1 ? 'image or font' : 'images or fonts'} blocked`;
  }

  /** Shows either the email or its text part, and the note. */
  #updateLayout(): void {
    const { isText, isGrid, note } = this.#views;
    this.#stage.element.hidden = isText || isGrid;
    this.#views.text.element.hidden = !isText;
    setNotice(this.#note, note);
  }

  /** Updates the message size and the position where Gmail clips. */
  #updateSize(): void {
    this.#toolbar.showSize(this.#views.bytes);
    this.#stage.setClip(this.#views.clipped);
  }

  #updateTags(): void {
    this.#views.setTags(this.#viewer.replace);
    if (this.#renderer.frame) this.#updateDescription();
  }

  #updateDescription(): void {
    const { frame, envelope } = this.#renderer;
    this.#toolbar.showSize(this.#views.bytes);
    this.#inbox.show(envelope, frame?.document.title || this.#title, frame ? getSnippet(frame.document) : '');
    this.#branches.show(this.#viewer);
  }
}

function setNotice(element: HTMLElement, message: string | undefined): void {
  element.hidden = message === undefined;
  element.textContent = message ?? '';
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
