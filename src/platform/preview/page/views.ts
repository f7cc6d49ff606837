import { GMAIL_CLIP_BYTES, countUtf8Bytes } from '../../../email/compose/compose.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import { applyChange } from '../../../email/html/text.ts';
import type { Change } from '../../../email/html/text.ts';
import { getDisplayRefusal, getDisplayLength } from '../../../email/html/limits.ts';
import { lenses } from '../../../email/lenses/index.ts';
import type { LensName } from '../../../email/lenses/index.ts';
import { normalizeSiteUrl, addTracking } from '../../../email/sent/replacements.ts';
import { mapSentOffsets, mapTextOffsets } from '../../../email/sent/offsetMap.ts';
import type { SentOffsetMap } from '../../../email/sent/offsetMap.ts';
import { findTextPartProblems, createTextPart } from '../../../email/sent/textPart.ts';
import type { Part, SendingService, ToolbarState, ToPage } from '../protocol.ts';
import type { PartPosition } from './composedHtml.ts';
import { LensGrid } from './grid.ts';
import type { GridEvents } from './grid.ts';
import type { Renderer, RenderSettings, Texts } from './renderer.ts';
import { TextView } from './textView.ts';
import type { ReplaceTags } from './viewer.ts';

interface SentTexts {
  readonly html: string;
  readonly text: string;
  readonly service: SendingService;
}

/** The selected view and lens. */
type ViewSelection = Pick<ToolbarState, 'view' | 'lens' | 'grid'>;

const emptyOffsetMap: SentOffsetMap = { toBody: () => undefined, toSent: () => undefined };

/** Switches between the authored and the sent version of an email, and maps their positions. */
export class Views {
  readonly text: TextView;
  readonly grid: LensGrid;
  readonly #renderer: Renderer;
  #parts: { body: string; stylesheet: string } = { body: '', stylesheet: '' };
  #envelope: Envelope | undefined;
  #settings: RenderSettings = { scheme: 'light', remote: false };
  #sent: SentTexts | undefined;
  #service: SendingService | undefined;
  #view: ToolbarState['view'] = 'authored';
  #lens: LensName | 'none' = 'none';
  #isGrid = false;
  #replace: ReplaceTags | undefined;
  #cachedOffsets: { readonly body: string; readonly html: string; readonly places: SentOffsetMap } | undefined;
  #trackedSize: { readonly html: string; readonly bytes: number } | undefined;
  #shownText = '';

  /** `reveal` is called for clicks in the text part and in the grid. */
  constructor(renderer: Renderer, reveal: (place: PartPosition) => void, links: Pick<GridEvents, 'hover' | 'choose'>) {
    this.#renderer = renderer;
    this.grid = new LensGrid({
      ...links,
      point: (own, node, at) => {
        const place = this.#toBody(own.findSource(node, at));
        if (place) reveal(place);
      },
    });
    this.text = new TextView((offset) => {
      const found = mapTextOffsets(this.#parts.body, this.#shownText)(offset);
      if (found !== undefined) reveal({ part: 'body', offset: found });
    });
  }

  /** Whether the text part is shown instead of the email. */
  get isText(): boolean {
    return this.#view === 'text' && this.#sent !== undefined;
  }

  /** Whether several lenses are shown side by side instead of the email. */
  get isGrid(): boolean {
    return this.#isGrid && this.#isShowingSent;
  }

  /** A note about the limits of the current view, if any. */
  get note(): string | undefined {
    if (this.#view === 'authored') return undefined;
    if (this.#service && !this.#sent)
      return 'What is sent could not be worked out: the email is shown as it was written.';
    if (this.isGrid) return 'Approximations, each with its source in its tooltip.';
    const lens = this.#activeLens && lenses[this.#activeLens];
    if (lens) return `${lens.note} An approximation: ${lens.source}, ${lens.date}.`;
    if (this.#service?.isAssumed) return 'This file belongs to no service: it is shown as AcyMailing 11 would send it.';
    if (this.#service?.profile !== 'documented') return undefined;
    return this.#view === 'text'
      ? 'The service’s document doesn’t tell what it makes of an email: nothing is known of a text part.'
      : 'The service’s document doesn’t tell what it makes of an email: stylesheet and body are shown as they are stored.';
  }

  /** Shows another email, whose sent version isn't composed yet. */
  show(texts: Texts, chosen: ViewSelection, settings: RenderSettings): void {
    this.#setSelection(chosen);
    this.#parts = { body: texts.body, stylesheet: texts.stylesheet };
    this.#envelope = texts.envelope;
    this.#settings = settings;
    this.#sent = undefined;
    this.#service = undefined;
    this.#render();
    this.#showGrid();
  }

  set(chosen: ViewSelection, settings: RenderSettings): void {
    const hasChanged = this.#view !== chosen.view || this.#lens !== chosen.lens;
    this.#setSelection(chosen);
    this.#settings = settings;
    if (hasChanged) this.#render();
    else this.#renderer.set(settings);
    this.#showGrid();
  }

  length(part: Part): number {
    return this.#parts[part].length;
  }

  change(part: Part, changes: readonly Change[]): void {
    this.#parts[part] = changes.reduce(applyChange, this.#parts[part]);
    if (!this.#isShowingSent) this.#renderer.change(part, changes);
  }

  setText(part: Part, text: string): void {
    this.#parts[part] = text;
    if (!this.#isShowingSent) this.#renderer.setText(part, text);
  }

  setEnvelope(envelope: Envelope | undefined): void {
    this.#envelope = envelope;
    this.#renderer.setEnvelope(envelope);
  }

  setTags(replace: ReplaceTags | undefined): void {
    this.#replace = replace;
    this.#renderer.setTags(replace);
    this.#showText();
    this.#showGrid();
  }

  setSent({ service, html, text }: Extract<ToPage, { type: 'sent' }>): void {
    const before = this.#sent;
    this.#service = service;
    this.#sent = html &&
      text && { service, html: applyChange(before?.html ?? '', html), text: applyChange(before?.text ?? '', text) };
    if (this.#view === 'authored') return;
    if (before && this.#sent && this.#view === 'sent') this.#renderer.setText('body', this.#sent.html);
    else if (!before || !this.#sent) this.#render();
    this.#showText();
    this.#showGrid();
  }

  /** Returns the shown element at an offset of the body. */
  elementAt(offset: number): Element | undefined {
    const at = this.#isShowingSent ? this.#offsets.toSent(offset) : offset;
    return at === undefined ? undefined : this.#renderer.elementAt(at);
  }

  /** Returns the source position of a node. `at` is the offset in a text node. */
  findSource(node: Node, at: number): PartPosition | undefined {
    const place = this.#renderer.findSource(node, at);
    return this.#isShowingSent ? this.#toBody(place) : place;
  }

  /** Converts a position in the sent version to one in the body. */
  #toBody(place: PartPosition | undefined): PartPosition | undefined {
    if (!place) return undefined;
    const offset = this.#offsets.toBody(place.offset);
    return offset === undefined ? undefined : { part: 'body', offset };
  }

  /** Size of the sent HTML in bytes, including tracked links. Without a sent version, the size of the authored HTML. */
  get bytes(): number {
    if (!this.#sent) return countUtf8Bytes(this.#renderer.html);
    const { html } = this.#sent;
    if (this.#trackedSize?.html !== html) this.#trackedSize = { html, bytes: countUtf8Bytes(this.#addTracking(html)) };
    return this.#trackedSize.bytes;
  }

  /** The shown element at which Gmail clips the message, if it does. */
  get clipped(): Element | undefined {
    if (this.bytes <= GMAIL_CLIP_BYTES) return undefined;
    if (!this.#sent) return this.#renderer.elementAtComposed(getClipOffset(this.#renderer.html));
    const at = this.#findSentClipOffset(this.#sent.html);
    const shown = this.#isShowingSent ? at : this.#offsets.toBody(at);
    return shown === undefined ? undefined : this.#renderer.elementAt(shown);
  }

  #setSelection({ view, lens, grid }: ViewSelection): void {
    this.#view = view;
    this.#lens = lens;
    this.#isGrid = grid;
  }

  get #isShowingSent(): boolean {
    return this.#view === 'sent' && this.#sent !== undefined;
  }

  get #activeLens(): LensName | undefined {
    return this.#isShowingSent && this.#lens !== 'none' ? this.#lens : undefined;
  }

  get #offsets(): SentOffsetMap {
    const { body } = this.#parts;
    const html = this.#sent?.html ?? '';
    if (this.#cachedOffsets?.body !== body || this.#cachedOffsets.html !== html) {
      const isReadable = [body, html].every(
        (text) => getDisplayLength(text) === text.length && getDisplayRefusal(text) === undefined,
      );
      this.#cachedOffsets = { body, html, places: isReadable ? mapSentOffsets(body, html) : emptyOffsetMap };
    }
    return this.#cachedOffsets.places;
  }

  #render(): void {
    const envelope = this.#envelope ? { envelope: this.#envelope } : {};
    const texts =
      this.#isShowingSent && this.#sent ? { body: this.#sent.html, stylesheet: '', isWhole: true } : this.#parts;
    this.#renderer.show({ ...texts, ...envelope }, this.#settings, this.#activeLens);
    this.#showText();
  }

  #showGrid(): void {
    const envelope = this.#envelope ? { envelope: this.#envelope } : {};
    const mail = this.#sent && { html: this.#sent.html, settings: this.#settings, replace: this.#replace, ...envelope };
    this.grid.show(this.isGrid ? mail : undefined);
  }

  #showText(): void {
    if (!this.isText || !this.#sent) return;
    const { html, text, service } = this.#sent;
    const site = normalizeSiteUrl(service.site);
    const renderedHtml = this.#replace ? this.#replace(html, 'body').text : html;
    this.#shownText = this.#replace && service.profile === 'acymailing' ? createTextPart(renderedHtml, site) : text;
    this.text.show(this.#shownText, findTextPartProblems(renderedHtml, site, this.#shownText));
  }

  #addTracking(html: string): string {
    const site = this.#sent?.service.profile === 'acymailing' ? normalizeSiteUrl(this.#sent.service.site) : undefined;
    return site === undefined ? html : addTracking(html, site);
  }

  /** Returns the offset in the sent HTML at which Gmail clips, including tracked links. */
  #findSentClipOffset(html: string): number {
    const fits = (length: number): boolean =>
      countUtf8Bytes(this.#addTracking(html.slice(0, length))) <= GMAIL_CLIP_BYTES;
    let [low, high] = [0, GMAIL_CLIP_BYTES];
    while (high < html.length && fits(high)) [low, high] = [high, 2 * high];
    high = Math.min(high, html.length);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fits(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the offset of the last character within Gmail's limit. */
function getClipOffset(html: string): number {
  return new TextEncoder().encodeInto(html, new Uint8Array(GMAIL_CLIP_BYTES)).read;
}
