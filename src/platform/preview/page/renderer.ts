import { getDisplayRefusal, getDisplayLength, getStyleDisplayLength } from '../../../email/html/limits.ts';
import { getStyleRefusal } from '../../../email/html/nesting.ts';
import { parseSource } from '../../../email/html/sourceMap.ts';
import { escapeHtml } from '../../../email/compose/compose.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import { ComposedHtml } from './composedHtml.ts';
import type { PartPosition } from './composedHtml.ts';
import { getFramePolicy, serializeDoctype, openFrame } from './frame.ts';
import type { MailFrame } from './frame.ts';
import { editInPlace } from './inPlace.ts';
import { patchTree } from './patch.ts';
import { insertPictures } from './pictures.ts';
import type { FindPicture } from './pictures.ts';
import { prepareDocument } from './prepare.ts';
import { findChange, applyChange } from '../../../email/html/text.ts';
import type { Change } from '../../../email/html/text.ts';
import { applyLens } from '../../../email/lenses/index.ts';
import type { LensName } from '../../../email/lenses/index.ts';
import { RenderedText } from './renderedText.ts';
import type { Part } from '../protocol.ts';
import { SchemeResolver } from './scheme.ts';
import type { Scheme } from './scheme.ts';
import type { ReplaceTags } from './viewer.ts';
import { SourceIndex } from './sourceIndex.ts';

export interface Texts {
  readonly body: string;
  readonly stylesheet: string;
  readonly envelope?: Envelope;
  /** The body is the complete sent document, so nothing is inserted into it. */
  readonly isWhole?: boolean;
}

export interface RenderSettings {
  readonly scheme: Scheme;
  readonly remote: boolean;
  /** Base of relative addresses, and the folder that they may refer to. */
  readonly base?: string;
  readonly root?: string;
  /** Finds the pictures in that folder. */
  readonly picture?: FindPicture;
}

/** Receives changes of the rendered email. */
export interface RendererEvents {
  /** A new frame was opened, without event listeners. */
  onFrame(frame: MailFrame): void;
  /** The shown email changed. */
  onRender(): void;
  /** The email can't be shown, or only a part of it. `undefined` once it can. The last email that could be shown stays. */
  onProblem(message: string | undefined): void;
  /** No change for a while: slow updates can run. */
  onIdle(): void;
}

/** Characters shown of a text that can't be rendered as an email. */
const FALLBACK_TEXT_CHARS = 20_000;
/** Longer insertions are parsed again, after a check of their size. */
const MAX_IN_PLACE_CHARS = 1000;
/** Delay before the source index is rebuilt. */
const INDEX_DEBOUNCE_MS = 120;
/** Delay before incrementally updated layers are rendered again, long enough for slow typing. */
const REFRESH_DEBOUNCE_MS = 1000;
/** Delay before a truncated email is rendered again. */
const LONG_RENDER_DEBOUNCE_MS = 400;

/** Renders an email and applies changes of its texts. */
export class Renderer {
  readonly #stage: HTMLElement;
  readonly #events: RendererEvents;
  readonly #schemeResolver = new SchemeResolver();
  #texts: { body: string; stylesheet: string; envelope?: Envelope; isWhole?: boolean } = { body: '', stylesheet: '' };
  /** Replaces tags if a person is selected. */
  #replace: ReplaceTags | undefined;
  #lens: LensName | undefined;
  /** Transformations of the body, each applied to the previous one: replaced tags, then the lens. */
  #layers: readonly RenderedText[] = [];
  #settings: RenderSettings = { scheme: 'light', remote: false };
  #composed = new ComposedHtml(this.#texts);
  #index: SourceIndex | undefined;
  #frame: MailFrame | undefined;
  #frameKey = '';
  /** The part that is too long to be shown completely. */
  #truncatedPart: Part | undefined;
  /** Whether the current text can't be shown, and the last one that could is. */
  #isRefused = false;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #renderTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(stage: HTMLElement, events: RendererEvents) {
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
    const { envelope } = this.#texts;
    if (!envelope || !this.#replace) return envelope;
    const { subject, preheader } = envelope;
    return {
      ...envelope,
      subject: this.#replace(subject, 'subject').text,
      preheader: this.#replace(preheader, 'preheader').text,
    };
  }

  length(part: Part): number {
    return this.#texts[part].length;
  }

  /** Shows an email, optionally through a lens. */
  show(texts: Texts, settings: RenderSettings, lens?: LensName): void {
    this.#texts = { ...texts };
    this.#lens = lens;
    this.#settings = settings;
    this.#createLayers();
    this.#render();
  }

  /** Sets how tags are replaced. `undefined` shows raw tags. */
  setTags(replace: ReplaceTags | undefined): void {
    if (replace === this.#replace) return;
    this.#replace = replace;
    this.#createLayers();
    if (this.#frame) this.#render();
  }

  set(settings: RenderSettings): void {
    this.#settings = settings;
    this.#render();
  }

  setEnvelope(envelope: Envelope | undefined): void {
    const { envelope: _, ...texts } = this.#texts;
    this.#texts = { ...texts, ...(envelope ? { envelope } : {}) };
    // Tags in the body may refer to the subject.
    this.#refreshLayers();
    if (this.#compose(this.#getShownTexts()).html !== this.#composed.html) this.#render();
  }

  /** Replaces a part's text, and applies only the difference. */
  setText(part: Part, text: string): void {
    const old = this.#texts[part];
    if (old !== text) this.change(part, [findChange(old, text)]);
  }

  change(part: Part, changes: readonly Change[]): void {
    let inPlace = true;
    for (const change of changes) {
      const shown = part === 'body' ? this.#layers.reduce((made, layer) => layer.change(made), change) : change;
      const done: boolean = inPlace && this.#editInPlace(part, shown);
      this.#texts[part] = applyChange(this.#texts[part], change);
      inPlace = done;
    }
    if (!inPlace) return this.#truncatedPart ? this.#scheduleRender() : this.#render();
    if (part === 'stylesheet') this.#applyScheme();
    this.#scheduleIdle();
    this.#events.onRender();
  }

  /** Returns the element at an offset of the body. */
  elementAt(offset: number): Element | undefined {
    const at = this.#composed.toComposed(
      'body',
      this.#layers.reduce((place, layer) => layer.toRendered(place), offset),
    );
    return at === undefined ? undefined : this.elementAtComposed(at);
  }

  /** Returns the element at an offset of the composed text. */
  elementAtComposed(at: number): Element | undefined {
    const entry = this.#index?.find(at);
    const element = entry?.node.nodeType === Node.ELEMENT_NODE ? entry.node : entry?.node.parentNode;
    return element?.nodeType === Node.ELEMENT_NODE ? (element as Element) : undefined;
  }

  /** Returns the source position of a node. `at` is the offset in a text node. */
  findSource(node: Node, at = 0): PartPosition | undefined {
    this.#buildIndex();
    const entry = this.#index?.findNearest(node);
    if (!entry) return undefined;
    if (entry.node !== node || node.nodeType !== Node.TEXT_NODE) return this.#toSource(entry.range.start);
    const raw = this.#composed.html.slice(entry.range.start, entry.range.end);
    return this.#toSource(entry.range.start + toRawOffset(raw, at));
  }

  #createLayers(): void {
    const replace = this.#replace;
    const layers: RenderedText[] = [];
    if (replace) layers.push(new RenderedText(this.#texts.body, (text) => replace(text, 'body')));
    const lens = this.#lens;
    if (lens)
      layers.push(new RenderedText(layers.at(-1)?.text ?? this.#texts.body, (text) => applyLens(lens, text), false));
    this.#layers = layers;
  }

  #refreshLayers(): void {
    let text = this.#texts.body;
    for (const layer of this.#layers) {
      layer.refresh(text);
      text = layer.text;
    }
  }

  #compose(texts: Texts): ComposedHtml {
    return new ComposedHtml(texts, this.#texts.isWhole);
  }

  #toSource(at: number): PartPosition | undefined {
    const place = this.#composed.toPart(at);
    if (place?.part !== 'body') return place;
    return { part: 'body', offset: this.#layers.reduceRight((offset, layer) => layer.toSource(offset), place.offset) };
  }

  #editInPlace(part: Part, { offset, length, text }: Change): boolean {
    // A large paste may exceed what a browser can handle, so it is checked as a whole.
    const range =
      this.#index && !this.#truncatedPart && text.length <= MAX_IN_PLACE_CHARS
        ? this.#composed.toComposedRange(part, offset, length)
        : undefined;
    if (!range || !this.#index || !editInPlace(this.#index, this.#composed.html, { ...range, text })) return false;
    this.#composed.replace(part, range, text);
    // An empty stylesheet is not sent, so the document must be composed again.
    return part !== 'stylesheet' || this.#composed.html.slice(range.start, range.start + text.length).trim() !== '';
  }

  #getShownTexts(): Texts {
    const { stylesheet } = this.#texts;
    const body = this.#layers.at(-1)?.text ?? this.#texts.body;
    const [bodyLength, styleLength] = [getDisplayLength(body), getStyleDisplayLength(stylesheet)];
    this.#truncatedPart =
      bodyLength < body.length ? 'body' : styleLength < stylesheet.length ? 'stylesheet' : undefined;
    const { envelope } = this;
    return {
      body: body.slice(0, bodyLength),
      stylesheet: stylesheet.slice(0, styleLength),
      ...(envelope ? { envelope } : {}),
    };
  }

  #scheduleRender(): void {
    clearTimeout(this.#renderTimer);
    this.#renderTimer = setTimeout(() => this.#render(), LONG_RENDER_DEBOUNCE_MS);
  }

  #render(): void {
    clearTimeout(this.#renderTimer);
    this.#index = undefined;
    try {
      const texts = this.#getShownTexts();
      this.#composed = this.#compose(texts);
      const tags = getDisplayRefusal(this.#composed.html);
      const fresh = tags === undefined ? prepareDocument(this.#composed.html, this.#settings) : undefined;
      const refusal = tags ?? (fresh && findStyleRefusal(fresh));
      this.#isRefused = refusal !== undefined;
      if (fresh && !this.#isRefused) this.#draw(fresh);
      else if (!this.#frame)
        this.#draw(
          prepareDocument(`<pre>${escapeHtml(texts.body.slice(0, FALLBACK_TEXT_CHARS))}</pre>`, this.#settings),
        );
      this.#events.onProblem(
        refusal ??
          (this.#truncatedPart &&
            formatTruncation(
              this.#truncatedPart,
              this.#texts[this.#truncatedPart].length,
              texts[this.#truncatedPart].length,
            )),
      );
    } catch (error) {
      this.#events.onProblem(`The preview can’t show this: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#scheduleIdle();
    this.#events.onRender();
  }

  #draw(fresh: Document): void {
    if (this.#settings.picture) insertPictures(fresh, this.#settings.picture);
    const doctype = serializeDoctype(fresh);
    const policy = getFramePolicy(this.#settings.remote, this.#settings.root ?? this.#settings.base);
    const key = `${doctype}\n${policy}`;
    const old = this.#frame;
    if (!old || this.#frameKey !== key) {
      const frame = openFrame(this.#stage, doctype, policy);
      this.#frame = frame;
      this.#frameKey = key;
      patchTree(frame.document.documentElement, fresh.documentElement);
      this.#applyScheme();
      if (old) frame.window.scrollTo(old.window.scrollX, old.window.scrollY);
      old?.element.remove();
      this.#events.onFrame(frame);
    } else {
      patchTree(old.document.documentElement, fresh.documentElement);
      this.#applyScheme();
    }
  }

  #applyScheme(): void {
    if (this.#frame) this.#schemeResolver.apply(this.#frame.document, this.#settings.scheme);
  }

  #scheduleIdle(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#refreshTimer);
    this.#idleTimer = scheduleWhenIdle(INDEX_DEBOUNCE_MS, () => this.#verify());
    if (this.#layers.length === 0) return;
    this.#refreshTimer = scheduleWhenIdle(REFRESH_DEBOUNCE_MS, () => {
      this.#refreshLayers();
      this.#verify();
    });
  }

  /** Composes the email again in case an edit in place moved the position where a part is inserted. */
  #verify(): void {
    if (this.#index && this.#compose(this.#getShownTexts()).html !== this.#composed.html) this.#render();
    // An edit in place may have added pictures.
    const { picture } = this.#settings;
    if (picture && this.#frame && insertPictures(this.#frame.document, picture)) this.#applyScheme();
    this.#buildIndex();
    this.#events.onIdle();
  }

  #buildIndex(): void {
    if (this.#index || !this.#frame || this.#isRefused) return;
    this.#index = new SourceIndex(parseSource(this.#composed.html), this.#frame.document);
  }
}

/** Runs work after a delay, once the browser is idle. */
const scheduleWhenIdle = (ms: number, work: () => void): ReturnType<typeof setTimeout> =>
  setTimeout(() => requestIdleCallback(work, { timeout: 500 }), ms);

/** Returns why the styles of a document can't be shown, or undefined if they can. */
function findStyleRefusal(document: Document): string | undefined {
  for (const element of document.querySelectorAll('style, [style], [media]')) {
    const texts = [
      element.localName === 'style' ? element.textContent : '',
      element.getAttribute('style'),
      element.getAttribute('media'),
    ];
    for (const text of texts) {
      const refusal = text ? getStyleRefusal(text) : undefined;
      if (refusal) return refusal;
    }
  }
  return undefined;
}

function formatTruncation(part: Part, length: number, shown: number): string {
  return `The ${part} is ${(length / 1024 / 1024).toFixed(1)} MB long: the preview shows its first ${Math.floor(shown / 1024)} KB.`;
}

/** Converts an offset in decoded text to one in its source. A character reference is one character (seldom two). */
function toRawOffset(raw: string, at: number): number {
  const token = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);?|\r\n|[^]/giy;
  let count = 0;
  for (let match = token.exec(raw); match && count < at; match = token.exec(raw)) {
    count += 1;
    if (count === at) return token.lastIndex;
  }
  return at === 0 ? 0 : raw.length;
}
