/** A hostile email. */
export interface HostileEmail {
  readonly id: string;
  /** A one-line description of the attack. */
  readonly description: string;
  readonly body: string;
  readonly stylesheet?: string;
}

/** A hostile text of a record: a name, an address, a date, a color. */
export interface HostileText {
  readonly id: string;
  /** A one-line description of the attack. */
  readonly description: string;
  readonly text: string;
}

/** A table row: id, description, body or text, and an optional stylesheet. */
export type Row = readonly [id: string, description: string, body: string, stylesheet?: string];

/** Script payload: sets a mark in every window that it reaches. Without quotes and spaces, so that it fits anywhere. */
export const PAYLOAD = '(self.ran=1,parent.ran=1,top.ran=1)';

/** Placeholder for the URL of the test's collector server, which records requests. */
export const COLLECTOR = 'http://collector.invalid';

export function createEmails(rows: readonly Row[]): readonly HostileEmail[] {
  return rows.map(([id, description, body, stylesheet]) => ({
    id,
    description,
    body,
    ...(stylesheet === undefined ? {} : { stylesheet }),
  }));
}

export function createTexts(rows: readonly Row[]): readonly HostileText[] {
  return rows.map(([id, description, text]) => ({ id, description, text }));
}
