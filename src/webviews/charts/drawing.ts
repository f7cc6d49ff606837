/** A place of a chart with a value. */
export interface Mark {
  /** In px, in the drawing. */
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Draws a chart into an element of a width, and tells where its values stand. */
export interface Drawing {
  height(width: number): number;
  draw(plot: HTMLElement, width: number, done: (marks: readonly Mark[]) => void): void;
}
