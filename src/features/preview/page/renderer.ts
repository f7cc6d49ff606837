import { t } from '@vscode/l10n';
import { getDisplayRefusal, getDisplayLength, getStyleDisplayLength } from '../../../email/html/limits.ts';
import { getStyleRefusal } from '../../../email/html/nesting.ts';
import { parseSource } from '../../../email/html/sourceMap.ts';
import { formatNumber } from '../../../l10n.ts';
import { escapeHtml, type Envelope } from '../../../email/compose/compose.ts';
import { ComposedHtml, type PartPosition } from './composedHtml.ts';
import { Debouncer } from '../../../ui/async.ts';
import { getFramePolicy, openFrame, prepareDocument, serializeDoctype, type MailFrame } from './frame.ts';
import { editInPlace } from './inPlace.ts';
import { listenTo, type FrameEvents } from './interaction.ts';
import { patchTree } from './patch.ts';
import { insertPictures, type FindPicture } from './pictures.ts';
import type { Change } from '../../../email/html/text.ts';
import { applyLens, type LensName } from '../../../email/lenses/index.ts';
import { RenderedText } from './renderedText.ts';
import type { Part } from '../protocol.ts';
import { SchemeResolver, type Scheme } from './scheme.ts';
import type { ReplaceTags } from './viewer.ts';
import { SourceIndex } from './sourceIndex.ts';

/** An email, and how it is shown. */
export interface Mail {
  readonly body: string;
  readonly stylesheet: string;
  readonly envelope?: Envelope;
  /** The body is the complete sent document, so nothing is inserted into it. */
  readonly isWhole?: boolean;
  readonly scheme: Scheme;
  readonly remote: boolean;
  /** Base of relative addresses, and the folder that they may refer to. */
  readonly base?: string;
  readonly root?: string;
  /** Finds the pictures in that folder. */
  readonly picture?: FindPicture;
  /** Replaces tags for a person. Absent to show raw tags. */
  readonly replace?: ReplaceTags;
  readonly lens?: LensName;
}

/** No email yet. */
export const emptyMail: Mail = { body: '', stylesheet: '', scheme: 'light', remote: false };

/** Receives changes of the rendered email, and the user's actions in it. */
export interface RendererEvents extends Omit<FrameEvents, 'point'> {
  /** A click on something that comes from this position, if that is known. */
  point?(place: PartPosition | undefined): void;
  /** The shown email changed. */
  onRender?(): void;
  /** The email can't be shown, or only in part. `undefined` once it can. The last email that could be shown stays. */
  onProblem?(message: string | undefined): void;
  /** No change for a while: slow updates can run. */
  onIdle?(): void;
}

/** Characters shown of a text that can't be rendered as an email. */
const FALLBACK_TEXT_CHARS = 20_000;
/** Longer insertions are parsed again, after a check of their size. */
const MAX_IN_PLACE_CHARS = 1000;
/** Delay before the source index is rebuilt. */
const INDEX_DEBOUNCE_MS = 120;
/** Delay before a truncated email is rendered again. */
const LONG_RENDER_DEBOUNCE_MS = 400;

/**
 * Renders an email and applies changes of its texts. The frame always shows the composed text, unless that is refused: then it shows the last one
 * that wasn't. While there is an index, it maps the composed text to the nodes of the frame.
 */
export class Renderer {
  readonly #stage: HTMLElement;
  readonly #events: RendererEvents;
  readonly #schemeResolver = new SchemeResolver();
  readonly #idleDebouncer = new Debouncer(INDEX_DEBOUNCE_MS);
  readonly #renderDebouncer = new Debouncer(LONG_RENDER_DEBOUNCE_MS);
  #mail = emptyMail;
  /** Transformations of the body, each applied to the previous one: replaced tags, then the lens. */
  #layers: readonly RenderedText[] = [];
  #composed = new ComposedHtml(emptyMail);
  #index: SourceIndex | undefined;
  #frame: MailFrame | undefined;
  #frameKey = '';
  /** Set if a part is too long to be shown completely. */
  #truncation: string | undefined;
  #isRefused = false;

  constructor(stage: HTMLElement, events: RendererEvents = {}) {
    this.#stage = stage;
    this.#events = events;
  }

  get frame(): MailFrame | undefined {
    return this.#frame;
  }

  /** The composed document, truncated if it is too long. */
  get html(): string {
    return this.#composed.html;
  }

  /** Subject, preheader and sender, with replaced tags if the body has them. */
  get envelope(): Envelope | undefined {
    const { envelope, replace } = this.#mail;
    if (!envelope || !replace) return envelope;
    return {
      ...envelope,
      subject: replace(envelope.subject, 'subject').text,
      preheader: replace(envelope.preheader, 'preheader').text,
    };
  }

  show(mail: Mail): void {
    const { body, replace, lens } = mail;
    const tags = replace && new RenderedText(body, (text) => replace(text, 'body'));
    const shown = lens && new RenderedText(tags?.text ?? body, (text) => applyLens(lens, text), false);
    this.#mail = mail;
    this.#layers = [tags, shown].filter((layer) => layer !== undefined);
    this.#render();
  }

  /** Removes the frame, so that nothing of the email is visible, whatever follows. */
  clear(): void {
    for (const each of [this.#idleDebouncer, this.#renderDebouncer]) each.dispose();
    this.#frame?.element.remove();
    this.#frame = this.#index = undefined;
    this.#mail = emptyMail;
    this.#layers = [];
    this.#composed = new ComposedHtml(emptyMail);
  }

  /** Applies changes of a part. `mail` is the shown email after them. */
  change(mail: Mail, part: Part, changes: readonly Change[]): void {
    let isInPlace = true;
    for (const each of changes) {
      const shown = part === 'body' ? this.#layers.reduce((made, layer) => layer.change(made), each) : each;
      isInPlace = isInPlace && this.#editInPlace(part, shown);
    }
    this.#mail = mail;
    if (isInPlace) {
      if (part === 'stylesheet') this.#applyScheme();
      this.#handleRendered();
    } else if (this.#truncation === undefined) {
      this.#render();
    } else {
      this.#renderDebouncer.run(() => this.#render());
    }
  }

  /** Returns the element at an offset of the body. */
  elementAt(offset: number): Element | undefined {
    const shown = this.#layers.reduce((place, layer) => layer.toRendered(place), offset);
    const at = this.#composed.toComposed('body', shown);
    return at === undefined ? undefined : this.elementAtComposed(at);
  }

  /** Returns the element at an offset of the composed text. */
  elementAtComposed(at: number): Element | undefined {
    const node = this.#index?.find(at)?.node;
    return (node?.nodeType === Node.ELEMENT_NODE ? (node as Element) : node?.parentElement) ?? undefined;
  }

  /** Returns the source position of a node. `at` is the offset in a text node. */
  findSource(node: Node, at = 0): PartPosition | undefined {
    this.#buildIndex();
    const entry = this.#index?.findNearest(node);
    if (!entry) return undefined;
    const { start, end } = entry.range;
    const isText = entry.node === node && node.nodeType === Node.TEXT_NODE;
    const place = this.#composed.toPart(isText ? start + toRawOffset(this.html.slice(start, end), at) : start);
    if (place?.part !== 'body') return place;
    return { part: 'body', offset: this.#layers.reduceRight((offset, layer) => layer.toSource(offset), place.offset) };
  }

  #editInPlace(part: Part, { offset, length, text }: Change) {
    // A large paste may exceed what a browser can handle, so it is checked as a whole.
    if (!this.#index || this.#truncation !== undefined || text.length > MAX_IN_PLACE_CHARS) return false;
    const range = this.#composed.toComposedRange(part, offset, length);
    if (!range || !editInPlace(this.#index, this.html, { ...range, text })) return false;
    this.#composed.replace(part, range, text);
    // An empty stylesheet is not sent, so the document must be composed again.
    return part !== 'stylesheet' || text.trim() !== '';
  }

  /** Composes as much of the email as the browser can handle. */
  #compose() {
    const { body: source, stylesheet, isWhole } = this.#mail;
    const body = this.#layers.at(-1)?.text ?? source;
    const [bodyLength, styleLength] = [getDisplayLength(body), getStyleDisplayLength(stylesheet)];
    this.#truncation =
      formatTruncation('body', body.length, bodyLength) ??
      formatTruncation('stylesheet', stylesheet.length, styleLength);
    return new ComposedHtml({
      body: body.slice(0, bodyLength),
      stylesheet: stylesheet.slice(0, styleLength),
      envelope: this.envelope,
      isWhole,
    });
  }

  #render() {
    this.#renderDebouncer.dispose();
    this.#index = undefined;
    try {
      this.#composed = this.#compose();
      const tags = getDisplayRefusal(this.html);
      const fresh = tags === undefined ? prepareDocument(this.html, this.#mail) : undefined;
      const refusal = tags ?? (fresh && findStyleRefusal(fresh));
      this.#isRefused = refusal !== undefined;
      if (fresh && !this.#isRefused) {
        this.#draw(fresh);
      } else if (!this.#frame) {
        const text = escapeHtml(this.#mail.body.slice(0, FALLBACK_TEXT_CHARS));
        this.#draw(prepareDocument(`<pre>${text}</pre>`, this.#mail));
      }
      this.#events.onProblem?.(refusal ?? this.#truncation);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#events.onProblem?.(t`Couldn't show the email: ${reason}`);
    }
    this.#handleRendered();
  }

  #draw(fresh: Document) {
    const { picture, remote, root, base } = this.#mail;
    if (picture) insertPictures(fresh, picture);
    const doctype = serializeDoctype(fresh);
    const policy = getFramePolicy(remote, root ?? base);
    const key = `${doctype}\n${policy}`;
    const old = this.#frame;
    const isNew = !old || this.#frameKey !== key;
    const frame = isNew ? openFrame(this.#stage, doctype, policy) : old;
    this.#frame = frame;
    this.#frameKey = key;
    patchTree(frame.document.documentElement, fresh.documentElement);
    this.#applyScheme();
    if (!isNew) return;
    if (old) frame.window.scrollTo(old.window.scrollX, old.window.scrollY);
    old?.element.remove();
    const events = this.#events;
    listenTo(frame, { ...events, point: (node, at) => events.point?.(this.findSource(node, at)) });
  }

  #applyScheme() {
    if (this.#frame) this.#schemeResolver.apply(this.#frame.document, this.#mail.scheme);
  }

  #handleRendered() {
    this.#idleDebouncer.run(() => runWhenIdle(() => this.#verify()));
    this.#events.onRender?.();
  }

  /** Composes the email again in case an edit in place moved the position where a part is inserted. */
  #verify() {
    if (!this.#frame) return;
    if (this.#index && this.#compose().html !== this.html) this.#render();
    // An edit in place may have added pictures.
    const { picture } = this.#mail;
    if (picture && insertPictures(this.#frame.document, picture)) this.#applyScheme();
    this.#buildIndex();
    this.#events.onIdle?.();
  }

  #buildIndex() {
    if (this.#frame && !this.#isRefused) this.#index ??= new SourceIndex(parseSource(this.html), this.#frame.document);
  }
}

const runWhenIdle = (work: () => void) => requestIdleCallback(work, { timeout: 500 });

/** Returns why the styles of a document can't be shown, or undefined if they can. */
function findStyleRefusal(document: Document) {
  for (const element of document.querySelectorAll('style, [style], [media]')) {
    const content = element.localName === 'style' ? element.textContent : '';
    for (const text of [content, element.getAttribute('style'), element.getAttribute('media')]) {
      const refusal = text && getStyleRefusal(text);
      if (refusal) return refusal;
    }
  }
  return undefined;
}

function formatTruncation(part: Part, length: number, shown: number) {
  if (shown === length) return undefined;
  const size = formatNumber(Math.round((length / 1024 / 1024) * 10) / 10);
  const shownSize = formatNumber(Math.floor(shown / 1024));
  return part === 'body'
    ? t`The body is ${size} MB. The preview shows its first ${shownSize} KB.`
    : t`The stylesheet is ${size} MB. The preview shows its first ${shownSize} KB.`;
}

/** Converts an offset in decoded text to one in its source. A character reference with a number above 0xFFFF is two UTF-16 units. */
function toRawOffset(raw: string, at: number) {
  const token = /&#(?:x([\da-f]+)|(\d+));?|&[a-z][\da-z]*;?|\r\n|[^]/giy;
  let end = 0;
  for (let count = 0; count < at; end = token.lastIndex) {
    const match = token.exec(raw);
    if (!match) break;
    const [, hex, digits] = match;
    count += Number(hex ? `0x${hex}` : (digits ?? 0)) > 0xffff ? 2 : 1;
  }
  return end;
}
