import type { Query } from '../model.ts';
import type { Mailer } from '../mailer.ts';
import type { Store } from '../store.ts';

export interface RouteContext {
  readonly query: Query;
  /** The JSON object of the body; empty where there was none, or none that could be read. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly store: Store;
  readonly mailer: Mailer;
}

export interface RouteResult {
  readonly status: number;
  readonly body: unknown;
}

export interface RouteHandler {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The message of its row with status 500 in the error table; `<detail>` stands for the cause. */
  readonly failure: string;
  run(call: RouteContext): RouteResult;
}

/** Routes by the operation's name. */
export type RouteHandlers = Readonly<Record<string, RouteHandler>>;

export const ok = (body: unknown, status = 200): RouteResult => ({ status, body });
export const okMessage = (message: string): RouteResult => ok({ message });
export const fail = (status: number, message: string): RouteResult => ({ status, body: { message } });

/** The value as text, where it is one. */
export const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A whole number above zero, given as a number or in digits. */
export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

/** The ids in an array of numbers or digits; undefined where the value is no array. */
export function readIdList(value: unknown): number[] | undefined {
  return Array.isArray(value) ? value.flatMap((entry: unknown) => readNumber(entry) ?? []) : undefined;
}

/** `1` or `0` for a flag given as number, text or boolean; undefined where it was not given. */
export function readFlag(value: unknown): 0 | 1 | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return value === true || Number(value) === 1 ? 1 : 0;
}

export const readObject = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** Whether `text` holds `part`, case aside: the service's LIKE. */
export const containsIgnoreCase = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

/** The given mail fields of a request, those alone. */
export function pickTexts<K extends string>(
  body: Readonly<Record<string, unknown>>,
  names: readonly K[],
): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  for (const name of names) {
    const text = readText(body[name]);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}
