import { GMAIL_CLIP, messageSize } from '../../../email/compose/compose.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import { spliced } from '../../../email/html/changes.ts';
import type { Change } from '../../../email/html/changes.ts';
import { refusalOf, shownLength } from '../../../email/html/limits.ts';
import { lenses } from '../../../email/lenses/index.ts';
import type { LensName } from '../../../email/lenses/index.ts';
import { normalizeSiteUrl } from '../../../email/sent/urls.ts';
import { mapSentOffsets } from '../../../email/sent/offsetMap.ts';
import type { SentOffsetMap } from '../../../email/sent/offsetMap.ts';
import { findTextPartProblems, mapTextOffsets } from '../../../email/sent/textPartProblems.ts';
import { createTextPart } from '../../../email/sent/textPart.ts';
import { addTracking } from '../../../email/sent/tracking.ts';
import type { Part, SentBy, ToolbarState, ToPage, View } from '../protocol.ts';
import type { PartPlace } from './composed.ts';
import { LensGrid } from './grid.ts';
import type { GridEvents } from './grid.ts';
import type { Renderer, RenderSettings, Texts } from './renderer.ts';
import { TextView } from './textView.ts';
import type { ReplaceTags } from './viewer.ts';

interface SentTexts {
  readonly html: string;
  readonly text: string;
  readonly by: SentBy;
}

/** What of the email is to be shown, and through what. */
type Chosen = Pick<ToolbarState, 'view' | 'lens' | 'grid'>;

const nowhere: SentOffsetMap = { toBody: () => undefined, toSent: () => undefined };

/** An email as it was written and as it is sent: which of them is shown, and where in the source a place of it comes from. */
export class Views {
  readonly text: TextView;
  readonly grid: LensGrid;
  readonly #renderer: Renderer;
  #parts: { body: string; stylesheet: string } = { body: '', stylesheet: '' };
  #envelope: Envelope | undefined;
  #settings: RenderSettings = { scheme: 'light', remote: false };
  #sent: SentTexts | undefined;
  #by: SentBy | undefined;
  #view: View = 'authored';
  #lens: LensName | 'none' = 'none';
  #isGrid = false;
  #replace: ReplaceTags | undefined;
  #places: { readonly body: string; readonly html: string; readonly places: SentOffsetMap } | undefined;
  #tracked: { readonly html: string; readonly bytes: number } | undefined;
  #shownText = '';

  /** `reveal`: the user points at a place of the text part, or of a lens in the grid. */
  constructor(renderer: Renderer, reveal: (place: PartPlace) => void, links: Pick<GridEvents, 'hover' | 'choose'>) {
    this.#renderer = renderer;
    this.grid = new LensGrid({
      ...links,
      point: (own, node, at) => {
        const place = this.#inBody(own.placeOf(node, at));
        if (place) reveal(place);
      },
    });
    this.text = new TextView((offset) => {
      const found = mapTextOffsets(this.#parts.body, this.#shownText)(offset);
      if (found !== undefined) reveal({ part: 'body', offset: found });
    });
  }

  /** Whether the text part is shown, in place of the email. */
  get isText(): boolean {
    return this.#view === 'text' && this.#sent !== undefined;
  }

  /** Whether several lenses are shown side by side, in place of the email. */
  get isGrid(): boolean {
    return this.#isGrid && this.#showsSent;
  }

  /** What is to be said of what is shown; undefined where it is what it seems. */
  get note(): string | undefined {
    if (this.#view === 'authored') return undefined;
    if (this.#by && !this.#sent) return 'What is sent could not be worked out: the email is shown as it was written.';
    if (this.isGrid) return 'Approximations, each with its source in its tooltip.';
    const lens = this.#lensNow && lenses[this.#lensNow];
    if (lens) return `${lens.note} An approximation: ${lens.source}, ${lens.date}.`;
    if (this.#by?.isAssumed) return 'This file belongs to no service: it is shown as AcyMailing 11 would send it.';
    if (this.#by?.profile !== 'documented') return undefined;
    return this.#view === 'text'
      ? 'The service’s document doesn’t tell what it makes of an email: nothing is known of a text part.'
      : 'The service’s document doesn’t tell what it makes of an email: stylesheet and body are shown as they are stored.';
  }

  /** An email from the beginning: what is sent of it is not known yet. */
  show(texts: Texts, chosen: Chosen, settings: RenderSettings): void {
    this.#choose(chosen);
    this.#parts = { body: texts.body, stylesheet: texts.stylesheet };
    this.#envelope = texts.envelope;
    this.#settings = settings;
    this.#sent = undefined;
    this.#by = undefined;
    this.#render();
    this.#showGrid();
  }

  set(chosen: Chosen, settings: RenderSettings): void {
    const isOther = this.#view !== chosen.view || this.#lens !== chosen.lens;
    this.#choose(chosen);
    this.#settings = settings;
    if (isOther) this.#render();
    else this.#renderer.set(settings);
    this.#showGrid();
  }

  length(part: Part): number {
    return this.#parts[part].length;
  }

  change(part: Part, changes: readonly Change[]): void {
    this.#parts[part] = changes.reduce(spliced, this.#parts[part]);
    if (!this.#showsSent) this.#renderer.change(part, changes);
  }

  setText(part: Part, text: string): void {
    this.#parts[part] = text;
    if (!this.#showsSent) this.#renderer.setText(part, text);
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

  setSent({ by, html, text }: Extract<ToPage, { type: 'sent' }>): void {
    const before = this.#sent;
    this.#by = by;
    this.#sent = html &&
      text && { by, html: spliced(before?.html ?? '', html), text: spliced(before?.text ?? '', text) };
    if (this.#view === 'authored') return;
    if (before && this.#sent && this.#view === 'sent') this.#renderer.setText('body', this.#sent.html);
    else if (!before || !this.#sent) this.#render();
    this.#showText();
    this.#showGrid();
  }

  /** The shown element at an offset of the body. */
  elementAt(offset: number): Element | undefined {
    const at = this.#showsSent ? this.#placesNow.toSent(offset) : offset;
    return at === undefined ? undefined : this.#renderer.elementAt(at);
  }

  /** Where a shown node comes from; `at` counts characters of a text node. */
  placeOf(node: Node, at: number): PartPlace | undefined {
    const place = this.#renderer.placeOf(node, at);
    return this.#showsSent ? this.#inBody(place) : place;
  }

  /** The place of the body that a place of what is sent comes from. */
  #inBody(place: PartPlace | undefined): PartPlace | undefined {
    if (!place) return undefined;
    const offset = this.#placesNow.toBody(place.offset);
    return offset === undefined ? undefined : { part: 'body', offset };
  }

  /** Bytes of the HTML that a client gets, with its links counted; of what was written, where it is not known what is sent. */
  get bytes(): number {
    if (!this.#sent) return messageSize(this.#renderer.html);
    const { html } = this.#sent;
    if (this.#tracked?.html !== html) this.#tracked = { html, bytes: messageSize(this.#track(html)) };
    return this.#tracked.bytes;
  }

  /** The shown element at which Gmail stops; undefined where it shows everything. */
  get clipped(): Element | undefined {
    if (this.bytes <= GMAIL_CLIP) return undefined;
    if (!this.#sent) return this.#renderer.elementAtComposed(clipOffset(this.#renderer.html));
    const at = this.#clipOfSent(this.#sent.html);
    const shown = this.#showsSent ? at : this.#placesNow.toBody(at);
    return shown === undefined ? undefined : this.#renderer.elementAt(shown);
  }

  #choose({ view, lens, grid }: Chosen): void {
    this.#view = view;
    this.#lens = lens;
    this.#isGrid = grid;
  }

  get #showsSent(): boolean {
    return this.#view === 'sent' && this.#sent !== undefined;
  }

  get #lensNow(): LensName | undefined {
    return this.#showsSent && this.#lens !== 'none' ? this.#lens : undefined;
  }

  get #placesNow(): SentOffsetMap {
    const { body } = this.#parts;
    const html = this.#sent?.html ?? '';
    if (this.#places?.body !== body || this.#places.html !== html) {
      const isReadable = [body, html].every(
        (text) => shownLength(text) === text.length && refusalOf(text) === undefined,
      );
      this.#places = { body, html, places: isReadable ? mapSentOffsets(body, html) : nowhere };
    }
    return this.#places.places;
  }

  #render(): void {
    const envelope = this.#envelope ? { envelope: this.#envelope } : {};
    const texts =
      this.#showsSent && this.#sent ? { body: this.#sent.html, stylesheet: '', isWhole: true } : this.#parts;
    this.#renderer.show({ ...texts, ...envelope }, this.#settings, this.#lensNow);
    this.#showText();
  }

  #showGrid(): void {
    const envelope = this.#envelope ? { envelope: this.#envelope } : {};
    const mail = this.#sent && { html: this.#sent.html, settings: this.#settings, replace: this.#replace, ...envelope };
    this.grid.show(this.isGrid ? mail : undefined);
  }

  #showText(): void {
    if (!this.isText || !this.#sent) return;
    const { html, text, by } = this.#sent;
    const site = normalizeSiteUrl(by.site);
    const seen = this.#replace ? this.#replace(html, 'body').text : html;
    this.#shownText = this.#replace && by.profile === 'acymailing' ? createTextPart(seen, site) : text;
    this.text.show(this.#shownText, findTextPartProblems(seen, site, this.#shownText));
  }

  #track(html: string): string {
    const site = this.#sent?.by.profile === 'acymailing' ? normalizeSiteUrl(this.#sent.by.site) : undefined;
    return site === undefined ? html : addTracking(html, site);
  }

  /** The offset at which what is sent has so many bytes that Gmail stops, its links counted. */
  #clipOfSent(html: string): number {
    const fits = (length: number): boolean => messageSize(this.#track(html.slice(0, length))) <= GMAIL_CLIP;
    let [low, high] = [0, GMAIL_CLIP];
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

/** The offset of the character that Gmail's last byte belongs to. */
function clipOffset(html: string): number {
  return new TextEncoder().encodeInto(html, new Uint8Array(GMAIL_CLIP)).read;
}
