import { make } from '../dom.ts';

/** Returns the index of the mark nearest to a coordinate, or -1 if there is none. */
export function findNearest(marks: readonly Mark[], place: number, along: 'x' | 'y'): number {
  let best = -1;
  marks.forEach((mark, index) => {
    const other = marks[best];
    if (!other || Math.abs(mark[along] - place) < Math.abs(other[along] - place)) best = index;
  });
  return best;
}

/** Shows the value near the pointer, or selected with the arrow keys. */
export class ValueReadout {
  readonly elements: readonly HTMLElement[];
  readonly #plot: HTMLElement;
  readonly #line = make('div', { class: 'crosshair', hidden: '' });
  readonly #dot = make('div', { class: 'spot', hidden: '' });
  readonly #tip = make('div', { class: 'tip', hidden: '' });
  readonly #spoken = make('div', { class: 'heard', role: 'status' });
  #marks: readonly Mark[] = [];
  #along: 'x' | 'y' = 'x';
  #index = -1;

  constructor(plot: HTMLElement) {
    this.#plot = plot;
    this.elements = [this.#line, this.#dot, this.#tip, this.#spoken];
    plot.addEventListener('pointermove', (event) => {
      const { left, top } = plot.getBoundingClientRect();
      this.#show(
        findNearest(this.#marks, this.#along === 'x' ? event.clientX - left : event.clientY - top, this.#along),
      );
    });
    plot.addEventListener('pointerleave', () => this.#show(-1));
    plot.addEventListener('blur', () => this.#show(-1));
    plot.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Sets the values of a drawn chart. The shown one stays shown. */
  show(marks: readonly Mark[], along: 'x' | 'y'): void {
    this.#marks = marks;
    this.#along = along;
    this.#show(this.#index);
  }

  #handleKey(event: KeyboardEvent): void {
    const last = this.#marks.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(last, this.#index + 1),
      ArrowDown: Math.min(last, this.#index + 1),
      ArrowLeft: Math.max(0, this.#index - 1),
      ArrowUp: Math.max(0, this.#index - 1),
      Home: 0,
      End: last,
      Escape: -1,
    };
    const to = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (to === undefined || last < 0) return;
    event.preventDefault();
    this.#show(to);
    const mark = this.#marks[to];
    this.#spoken.textContent = mark ? [mark.title, ...mark.lines].join(', ') : '';
  }

  #show(at: number): void {
    const mark = this.#marks[at];
    this.#index = mark ? at : -1;
    for (const element of [this.#tip, this.#dot]) element.hidden = !mark;
    this.#line.hidden = !mark || this.#along === 'y';
    if (!mark) return;
    this.#tip.replaceChildren(make('strong', {}, mark.title), ...mark.lines.map((line) => make('span', {}, line)));
    this.#line.style.transform = `translateX(${mark.x}px)`;
    this.#dot.style.transform = `translate(${mark.x}px, ${mark.y}px)`;
    const plotWidth = this.#plot.clientWidth;
    const { offsetWidth, offsetHeight } = this.#tip;
    const beside = mark.x + 12 + offsetWidth > plotWidth ? mark.x - 12 - offsetWidth : mark.x + 12;
    this.#tip.style.left = `${Math.max(0, Math.min(plotWidth - offsetWidth, beside))}px`;
    this.#tip.style.top = `${mark.y - offsetHeight - 8 < 0 ? mark.y + 12 : mark.y - offsetHeight - 8}px`;
  }
}

/** A value and its position in a chart. */
export interface Mark {
  /** In pixels. */
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Draws a chart into an element, and passes the positions of its values to `done`. */
export interface Drawing {
  height(width: number): number;
  draw(plot: HTMLElement, width: number, done: (marks: readonly Mark[]) => void): void;
}
