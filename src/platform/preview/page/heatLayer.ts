import { make } from '../../webview/dom.ts';
import { placeBadges } from './heatBadges.ts';
import type { Badge, Size } from './heatBadges.ts';
import type { Box } from './heatBoxes.ts';

/** A link's colored boxes and badge. */
export interface Spot {
  readonly boxes: readonly Box[];
  /** Texts of the badge, longest first. The first that fits is shown. */
  readonly texts: readonly string[];
  /** Share of clicks relative to the most clicked link, 0 to 1. */
  readonly heat: number;
  readonly isSelected: boolean;
}

/** Number of colors from cold to hot. */
const LEVEL_COUNT = 4;

/** Returns the CSS class of a heat from 0 to 1. */
export function getLevelClass(heat: number): string {
  return `level${Math.min(LEVEL_COUNT - 1, Math.floor(heat * LEVEL_COUNT))}`;
}

/** Reuses elements, and updates only those that changed. */
class ElementPool {
  readonly #parent: HTMLElement;
  readonly #class: string;
  readonly #entries: { readonly element: HTMLElement; written: string }[] = [];

  constructor(parent: HTMLElement, className: string) {
    this.#parent = parent;
    this.#class = className;
  }

  render(items: readonly { readonly style: string; readonly classes: string; readonly text: string }[]): void {
    for (const [at, { style, classes, text }] of items.entries()) {
      const entry = (this.#entries[at] ??= { element: this.#parent.appendChild(make('div')), written: '' });
      const written = `${style}\n${classes}\n${text}`;
      if (entry.written === written) continue;
      entry.written = written;
      entry.element.className = `${this.#class} ${classes}`;
      entry.element.style.cssText = style;
      entry.element.textContent = text;
    }
    for (const { element } of this.#entries.splice(items.length)) element.remove();
  }
}

function toBoxStyle({ left, top, width, height }: Box): string {
  const [x, y, w, h] = [left, top, width, height].map((value) => Math.round(value * 10) / 10);
  return `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
}

/** The colors and numbers over the email. Hidden from screen readers, because the panel lists the same data. */
export class HeatLayer {
  readonly element = make('div', { class: 'heat', 'aria-hidden': 'true', hidden: '' });
  readonly #scrollLayer = make('div', { class: 'drift' });
  readonly #ruler = make('div', { class: 'badge ruler' });
  readonly #spots = new ElementPool(this.#scrollLayer, 'spot');
  readonly #badges = new ElementPool(this.#scrollLayer, 'badge');
  /** Sizes of texts in screen pixels, independent of the zoom. */
  readonly #sizes = new Map<string, Size>();

  constructor() {
    this.element.append(this.#scrollLayer, this.#ruler);
  }

  /** Follows the email's scrolling without measuring again. */
  scroll({ scrollX, scrollY }: Window): void {
    this.#scrollLayer.style.transform = `translate(${-scrollX}px, ${-scrollY}px)`;
  }

  /** `width` is the email's, in its own pixels. `scale` is the zoom. */
  draw(spots: readonly Spot[], width: number, scale: number): void {
    this.element.style.setProperty('--scale', String(scale));
    const shown = spots.filter(({ boxes }) => boxes.length > 0);
    this.#spots.render(
      shown.flatMap(({ boxes, heat, isSelected }) =>
        boxes.map((box) => ({
          style: `${toBoxStyle(box)};--heat:${heat.toFixed(2)}`,
          classes: getClasses(heat, isSelected),
          text: '',
        })),
      ),
    );
    // If there is not enough room, the most clicked links keep their badges.
    const ranked = shown.toSorted(
      (one, other) => Number(other.isSelected) - Number(one.isSelected) || other.heat - one.heat,
    );
    const places = placeBadges(
      ranked.map(({ boxes, texts }): Badge => ({
        boxes: boxes as Badge['boxes'],
        sizes: texts.map((text) => this.#measure(text, scale)),
      })),
      width,
    );
    this.#badges.render(
      ranked.flatMap(({ texts, heat, isSelected }, at) => {
        const place = places[at];
        return place
          ? [
              {
                style: `left:${Math.round(place.left)}px;top:${Math.round(place.top)}px`,
                classes: getClasses(heat, isSelected),
                text: texts[place.text] ?? '',
              },
            ]
          : [];
      }),
    );
  }

  clear(): void {
    this.#spots.render([]);
    this.#badges.render([]);
  }

  /** Returns the size of a text's badge in the email's own pixels. On the screen it is the same at any zoom. */
  #measure(text: string, scale: number): Size {
    let size = this.#sizes.get(text);
    if (!size) {
      this.#ruler.textContent = text;
      size = { width: this.#ruler.offsetWidth, height: this.#ruler.offsetHeight };
      this.#sizes.set(text, size);
    }
    return { width: size.width / scale, height: size.height / scale };
  }
}

function getClasses(heat: number, chosen: boolean): string {
  return `${getLevelClass(heat)}${chosen ? ' chosen' : ''}`;
}
