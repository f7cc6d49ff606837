import { Dispatcher } from 'undici';
import fc from 'fast-check';
import type { Json } from '../../../src/service/client/shapes.ts';

const seed = Number(process.env['MAILING_STUDIO_FUZZ_SEED'] ?? 20_261_120);
/** Multiplies the number of runs. Soak runs set MAILING_STUDIO_FUZZ_RUNS. */
const factor = Number(process.env['MAILING_STUDIO_FUZZ_RUNS'] ?? 1);

export const isSoak = factor > 1;

/** Returns options with a fixed seed. A failure reports the seed, the path and the smallest example. */
export function createRunOptions(numRuns: number): {
  readonly seed: number;
  readonly numRuns: number;
  readonly verbose: 1;
} {
  return { seed, numRuns: Math.max(1, Math.round(numRuns * factor)), verbose: 1 };
}

/** Longer in soak runs. */
export const TIMEOUT_MS = 180_000 * Math.max(1, factor);

/** Names with a meaning in JavaScript or in responses. */
const specialNames = [
  'id',
  'name',
  'subject',
  'body',
  'message',
  'error',
  'errors',
  'success',
  'listIds',
  'listId',
  'templateId',
  'campaignId',
  'followUpId',
  'mailId',
  'mails',
  'mail_id',
  'trigger',
  'condition',
  'lists',
  'segments',
  'sending_params',
  'sending_type',
  'start_date',
  'loop_mail_skip',
  'email',
  'users',
  'notFound',
  'siteName',
  'status',
  'stylesheet',
  'drag_editor',
  'settings',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
  '0',
  '5',
  '6',
];

/** Any code point, also lone surrogates. The unit `binary` of fast-check first maps them all, which takes a second. */
export const anyCodePoint = fc.nat({ max: 0x10_ffff }).map(
  (point) => String.fromCodePoint(point),
  (text) => String(text).codePointAt(0) ?? 0,
);

/** Any text: ASCII, graphemes, lone surrogates, control characters, and texts of services. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: anyCodePoint }),
  fc.constantFrom(
    'User not found: a@x.example, b@x.example',
    'List not found: 9',
    'error',
    '[1,2]',
    '3,5',
    '5',
    '6',
    '-1',
    '0',
    '1e3',
    '0x5',
    ' 5 ',
    '\u202Eabc',
    '\0',
    '<b>x</b>',
    '2026-11-20 08:24:55',
    '2026-02-30',
  ),
);

const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...specialNames) }, { weight: 1, arbitrary: anyText });

/** Any JSON, as text, so that it can contain `__proto__` and duplicate names. */
export const anyJson: fc.Arbitrary<string> = fc.letrec<{ value: string; scalar: string; list: string; object: string }>(
  (tie) => ({
    value: fc.oneof({ maxDepth: 5, depthSize: 'small' }, tie('scalar'), tie('list'), tie('object')),
    scalar: fc.oneof(
      anyText.map((text) => JSON.stringify(text)),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.integer().map(String),
      fc.constantFrom(
        'null',
        'true',
        'false',
        '5',
        '"5"',
        '6',
        '"6"',
        '0',
        '-0',
        '1e400',
        '123456789012345678901234567890',
        '""',
      ),
    ),
    list: fc.array(tie('value'), { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
    object: fc
      .array(fc.tuple(key, tie('value')), { maxLength: 8 })
      .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  }),
).value;

/** Any JSON value without `__proto__`, as from a page or a setting. */
export const anyValue: fc.Arbitrary<Json> = anyJson.map((text) => JSON.parse(text) as Json);

/** A response on the wire. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array;
}

/** Responds to every request with the same response, without a network. */
export class RespondingDispatcher extends Dispatcher {
  readonly #answer: RawResponse;

  constructor(answer: RawResponse) {
    super();
    this.#answer = answer;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { status, headers, body } = this.#answer;
    const controller: Dispatcher.DispatchController = {
      aborted: false,
      paused: false,
      reason: null,
      abort: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    };
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, status, headers);
    handler.onResponseData?.(controller, Buffer.from(body));
    handler.onResponseEnd?.(controller, {});
    return true;
  }
}

type TypeSchema = { readonly options: readonly string[] } | { readonly literal: string };
interface MessageSchema {
  readonly entries: { readonly type: TypeSchema };
}

/** Returns the types of the messages that a schema accepts. */
export const getMessageTypes = (
  schema: MessageSchema | { readonly options: readonly MessageSchema[] },
): readonly string[] =>
  ('options' in schema ? schema.options : [schema]).flatMap(({ entries: { type } }) =>
    'options' in type ? type.options : [type.literal],
  );
