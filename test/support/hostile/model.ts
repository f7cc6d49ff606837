/** An email that tries something. */
export interface HostileMail {
  readonly id: string;
  /** What it tries, in a line. */
  readonly why: string;
  readonly body: string;
  readonly stylesheet?: string;
}

/** A text of a record that tries something: a name, an address, a date, a colour. */
export interface HostileText {
  readonly id: string;
  /** What it tries, in a line. */
  readonly why: string;
  readonly text: string;
}

/** A row of a table: id, what it tries, and the body (or text) that does, with a stylesheet where that is part of it. */
export type Row = readonly [id: string, why: string, body: string, stylesheet?: string];

/** What a payload runs when it can: a mark in every window it reaches. Without quotes and spaces, so that it fits anywhere. */
export const RUN = '(self.ran=1,parent.ran=1,top.ran=1)';

/** Where everything that is fetched is to arrive. Tests put the address of their own collector in its place. */
export const COLLECTOR = 'http://collector.invalid';

export function mails(rows: readonly Row[]): readonly HostileMail[] {
  return rows.map(([id, why, body, stylesheet]) => ({
    id,
    why,
    body,
    ...(stylesheet === undefined ? {} : { stylesheet }),
  }));
}

export function texts(rows: readonly Row[]): readonly HostileText[] {
  return rows.map(([id, why, text]) => ({ id, why, text }));
}
