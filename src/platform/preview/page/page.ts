import { make } from '../../webview/dom.ts';
import type { Host } from '../../webview/host.ts';
import { firstWords, InboxLine } from '../../webview/inbox.ts';
import { dispatch, type Handlers } from '../../webview/messages.ts';
import { AsPicker } from './asPicker.ts';
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
import { leadsTo } from './tagLinks.ts';
import { Toolbar } from './toolbar.ts';
import { Viewer } from './viewer.ts';
import { Views } from './views.ts';

/** What outlives the page: VS Code gives it back after a restart, and to the extension to find the document again. */
export interface PageState {
  readonly document: string;
  /** The preview stays with this document, whatever is in front. */
  readonly locked?: boolean;
  readonly scroll: readonly [x: number, y: number];
  /** The clicks that were laid over it last, and which link of them was looked at. */
  readonly heat?: { readonly turn: number; readonly chosen?: string };
}

/** The preview's page: takes what the host sends, shows it, and tells what the user does. */
export class PreviewPage {
  readonly #host: Host<ToPage, FromPage, PageState>;
  readonly #inbox = new InboxLine();
  readonly #toolbar = new Toolbar((state) => this.#set(state));
  readonly #viewer = new Viewer();
  readonly #as = new AsPicker((as) => this.#host.post({ type: 'as', as }));
  readonly #found = new ProblemBadge(() => this.#host.post({ type: 'revealFound' }));
  readonly #branches = new BranchPanel((condition, shown) => {
    this.#viewer.choose(condition, shown);
    this.#look();
  });
  readonly #blocked = make('span', { title: 'Fetching them tells the sender that somebody looks.' });
  readonly #load = make('vscode-button', { appearance: 'secondary' }, 'Show');
  readonly #remote = make('div', { class: 'notice', role: 'status', hidden: '' }, this.#blocked, this.#load);
  readonly #leftOut = make('div', { class: 'notice', role: 'status', hidden: '' });
  readonly #unreadText = make('span', {});
  readonly #retry = make('vscode-button', { appearance: 'secondary' }, 'Try Again');
  readonly #unread = make(
    'div',
    { class: 'notice problem', role: 'status', hidden: '' },
    this.#unreadText,
    this.#retry,
  );
  readonly #unshown = make('div', { class: 'notice problem', role: 'status', hidden: '' });
  readonly #stage = new Stage();
  readonly #heat = new HeatMap(this.#stage.device, {
    changed: () => this.#place(),
    closed: () => this.#host.post({ type: 'heatClosed' }),
    chose: (chosen) => this.#keep({ heat: { turn: this.#heatTurn, chosen } }),
  });
  readonly #links = new LinkBar(
    (href) => this.#host.post({ type: 'openLink', href }),
    (href) => this.#host.post({ type: 'copyLink', href }),
    (href) => leadsTo(href, this.#viewer.language, this.#viewer.to),
  );
  readonly #pictures = new Pictures((paths) => this.#host.post({ type: 'pictures', paths }));
  readonly #note = make('div', { class: 'note', role: 'status', hidden: '' });
  readonly #renderer: Renderer;
  readonly #views: Views;
  readonly #handlers: Handlers<ToPage>;
  #document = '';
  #title = '';
  #local: Pick<RenderSettings, 'base' | 'root' | 'picture'> = {};
  #cursor: number | undefined;
  /** The cursor moved, and its element was not brought into view yet: its place may not be known before nobody types. */
  #unrevealed = false;
  #heatTurn = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #measuring: ReturnType<typeof setTimeout> | undefined;
  #placing = false;

  constructor(host: Host<ToPage, FromPage, PageState>) {
    this.#host = host;
    this.#renderer = new Renderer(this.#stage.device, {
      framed: (frame) => this.#framed(frame),
      rendered: () => this.#place(),
      problem: (message) => say(this.#unshown, message),
      settled: () => this.#settled(),
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
        this.#arrange();
        // Measuring takes a moment: it waits until nobody types.
        clearTimeout(this.#measuring);
        this.#measuring = setTimeout(() => this.#measure(), 120);
      },
      envelope: ({ envelope }) => {
        this.#viewer.describe(envelope);
        this.#views.setEnvelope(envelope);
        this.#describe();
      },
      pictures: ({ pictures }) => {
        this.#pictures.set(pictures);
        const { state } = this.#toolbar;
        this.#views.set(state, this.#settings(state));
      },
      locked: ({ locked }) => this.#keep({ locked }),
      viewers: (choices) => {
        this.#viewer.set(choices);
        this.#as.show(this.#viewer);
        this.#look();
      },
      cursor: ({ offset }) => {
        // Where the cursor stood before is of less interest than the clicks that the preview was opened for.
        this.#unrevealed = this.#cursor !== undefined || !this.#heat.isShown;
        this.#cursor = offset;
        this.#mark();
      },
      problem: ({ message }) => {
        say(this.#unreadText, message);
        this.#unread.hidden = message === undefined;
      },
      found: ({ errors, warnings }) => this.#found.show(errors, warnings),
      heat: ({ heat, turn }) => this.#showHeat(heat, turn),
    };
    this.#toolbar.add(this.#as.element);
    this.#toolbar.add(this.#found.element);
    this.#toolbar.element.append(this.#heat.chip);
    this.#retry.addEventListener('click', () => this.#host.post({ type: 'retry' }));
    this.#load.addEventListener('click', () => {
      const state = { ...this.#toolbar.state, remote: true };
      this.#toolbar.show(state);
      this.#set(state);
    });
  }

  get elements(): readonly HTMLElement[] {
    return [
      this.#inbox.element,
      this.#toolbar.element,
      this.#branches.element,
      this.#unread,
      this.#unshown,
      this.#remote,
      this.#leftOut,
      this.#note,
      this.#stage.element,
      this.#views.text.element,
      this.#views.grid.element,
      this.#heat.panel.element,
      this.#links.element,
    ];
  }

  start(): void {
    this.#host.listen((message) => dispatch(this.#handlers, message));
    this.#host.post({ type: 'ready' });
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
    const before = this.#host.state();
    const isOther = this.#document !== '' && this.#document !== document;
    this.#document = document;
    this.#title = title;
    const place = { ...(base === undefined ? {} : { base }), ...(root === undefined ? {} : { root }) };
    this.#pictures.begin(place);
    this.#local = base === undefined ? place : { ...place, picture: this.#pictures.find };
    this.#viewer.describe(envelope);
    this.#toolbar.show(toolbar);
    this.#stage.arrange(toolbar);
    const first = this.#renderer.frame === undefined;
    this.#views.show({ body, stylesheet, ...(envelope ? { envelope } : {}) }, toolbar, this.#settings(toolbar));
    this.#arrange();
    if (first && before?.document === document) this.#scrollTo(before.scroll);
    if (isOther) this.#beginAnew();
    if (before?.document !== document) this.#host.keep({ document, locked, scroll: [0, 0] });
    else if (before.locked !== locked) this.#keep({ locked });
    this.#describe();
  }

  /** What belonged to the email that was shown before. */
  #beginAnew(): void {
    this.#cursor = undefined;
    this.#mark();
    this.#links.choose(undefined);
    this.#heat.show(undefined, this.#renderer.frame);
    this.#scrollTo([0, 0]);
  }

  #framed(frame: MailFrame): void {
    listenTo(frame, {
      point: (node, at) => this.#point(node, at),
      hover: (link) => this.#links.hover(link),
      choose: (link) => this.#links.choose(link),
      follow: (link) => this.#follow(link),
      scroll: () => this.#scrolled(),
    });
    this.#heat.framed(frame);
  }

  #showHeat(heat: LinkHeat | undefined, turn: number): void {
    const before = this.#host.state()?.heat;
    const isNew = before?.turn !== turn;
    const chosen = isNew ? heat?.chosen : before.chosen;
    this.#heatTurn = turn;
    this.#heat.show(heat && { ...heat, ...(chosen === undefined ? {} : { chosen }) }, this.#renderer.frame);
    if (isNew) this.#heat.reveal();
    this.#keep({ heat: { turn, ...(chosen === undefined ? {} : { chosen }) } });
  }

  #keep(change: Partial<PageState>): void {
    this.#host.keep({ document: this.#document, scroll: [0, 0], ...this.#host.state(), ...change });
  }

  #scrollTo([x, y]: PageState['scroll']): void {
    this.#renderer.frame?.window.scrollTo(x, y);
  }

  #settings({ scheme, remote }: ToolbarState): RenderSettings {
    return { scheme, remote, ...this.#local };
  }

  #set(toolbar: ToolbarState): void {
    this.#stage.arrange(toolbar);
    this.#views.set(toolbar, this.#settings(toolbar));
    this.#arrange();
    this.#host.post({ type: 'toolbar', toolbar });
  }

  #point(node: Node, at: number): void {
    const place = this.#views.placeOf(node, at);
    if (place) this.#host.post({ type: 'reveal', ...place });
  }

  #follow(link: string): void {
    const frame = this.#renderer.frame;
    if (!link.startsWith('#') || !frame) return this.#host.post({ type: 'openLink', href: link });
    const name = decodeName(link.slice(1));
    (
      frame.document.getElementById(name) ??
      frame.document.getElementsByName(name)[0] ??
      frame.document.documentElement
    ).scrollIntoView();
  }

  #scrolled(): void {
    this.#heat.scrolled();
    this.#place();
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      const view = this.#renderer.frame?.window;
      if (view) this.#keep({ scroll: [view.scrollX, view.scrollY] });
    }, 200);
  }

  /** Marks follow the email once it was painted: measuring before would make the browser lay it out twice. */
  #place(): void {
    if (this.#placing) return;
    this.#placing = true;
    requestAnimationFrame(() => {
      setTimeout(() => {
        this.#placing = false;
        this.#stage.refresh();
        this.#heat.refresh();
      });
    });
  }

  #mark(): void {
    const element = this.#cursor === undefined ? undefined : this.#views.elementAt(this.#cursor);
    const marked = element && !/^(html|head|body)$/i.test(element.nodeName) ? element : undefined;
    this.#stage.mark(marked, this.#unrevealed);
    if (element) this.#unrevealed = false;
  }

  /** What takes time and can wait until nobody types. */
  #settled(): void {
    this.#mark();
    this.#describe();
    const { frame } = this.#renderer;
    this.#measure();
    const remote = frame && !this.#toolbar.state.remote ? countRemote(frame.document) : 0;
    this.#remote.hidden = remote === 0;
    say(this.#leftOut, frame && this.#pictures.leftOut(frame.document));
    this.#blocked.textContent = `${remote} remote ${remote === 1 ? 'image or font' : 'images or fonts'} blocked`;
  }

  /** Shows the email or its text part, and what is to be said of it. */
  #arrange(): void {
    const { isText, isGrid, note } = this.#views;
    this.#stage.element.hidden = isText || isGrid;
    this.#views.text.element.hidden = !isText;
    say(this.#note, note);
  }

  /** How large it is, and where Gmail stops. */
  #measure(): void {
    this.#toolbar.showSize(this.#views.bytes);
    this.#stage.clip(this.#views.clipped);
  }

  #look(): void {
    this.#views.setTags(this.#viewer.replace);
    if (this.#renderer.frame) this.#describe();
  }

  #describe(): void {
    const { frame, envelope } = this.#renderer;
    this.#toolbar.showSize(this.#views.bytes);
    this.#inbox.show(envelope, frame?.document.title || this.#title, frame ? firstWords(frame.document) : '');
    this.#branches.show(this.#viewer);
  }
}

function say(element: HTMLElement, message: string | undefined): void {
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
