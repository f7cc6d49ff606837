import type { ApiErrorKind, Outcome } from '../../src/service/client/index.ts';
import type { Awaited } from './heldTimeout.ts';
import type { FaultKind } from './sandbox/index.ts';
import type { AnswerClass } from './operations.ts';

/** A fault below HTTP: no request reaches the service. */
export type NetworkFault =
  'unknownHost' | 'refusedConnection' | 'untrustedCertificate' | 'expiredCertificate' | 'wrongHost';

/** How a call fails: what its error says, and how often it was tried. */
export interface Failure {
  readonly kind: ApiErrorKind;
  /** Of a write; a read changes nothing, so it is always `refused`. */
  readonly outcome: Outcome;
  /** Part of the message that names the cause; `{noun}` is what the operation is about. */
  readonly cause: string;
  /** Part of the message that says what to do. */
  readonly next: string;
  /** Requests that the service received; of a fault of the network, connections that were tried. */
  readonly requests: number;
}

/** How a call succeeds in spite of the fault. */
export interface Success {
  /** `answer`: as without the fault. `nothing`: an empty answer. `told`: as without it, and with what the service reports. */
  readonly gives: 'answer' | 'nothing' | 'told';
  readonly requests: number;
}

export type Expected = Failure | Success;

export interface Fault {
  readonly name: string;
  /** What the sandbox plays, or where it happens below HTTP. */
  readonly rule: FaultKind | NetworkFault;
  /** Whether the service does what it was asked, in spite of the fault: what the sandbox's own description of the fault says. */
  readonly done: boolean;
  /** What the client waits for until its timeout, where the fault is that it does not come in time. */
  readonly hangs?: Awaited;
  readonly read: Expected;
  readonly write: Expected;
  /** What an operation does that answers with less than others, and why that is right. */
  readonly except?: readonly { readonly answer: AnswerClass; readonly expected: Expected; readonly because: string }[];
  /** Called on these operations alone, as it takes long. */
  readonly only?: readonly string[];
}

/** A write whose effect is not known is never repeated: its user looks first. */
const LOOK = 'look before you try again';
const STATUS_OF_BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

type Words = readonly [kind: ApiErrorKind, cause: string, next: string];

/** A read that fails so often, and a write that fails once. */
function fails(
  [kind, cause, next]: Words,
  requests: number,
  outcome: Outcome,
): { readonly read: Failure; readonly write: Failure } {
  const read: Failure = { kind, outcome: 'refused', cause, next, requests };
  return { read, write: { ...read, outcome, next: outcome === 'unknown' ? LOOK : next, requests: 1 } };
}

/** Reads are repeated twice after 429, 502, 503 and 504; a 5xx leaves open whether a write was done, a 4xx does not. */
function status(code: number, words: Words): Fault {
  const isServer = code >= 500;
  return {
    name: `status ${code}`,
    rule: { kind: 'status', status: code },
    done: false,
    ...fails(words, STATUS_OF_BUSY.has(code) ? 3 : 1, isServer ? 'unknown' : 'refused'),
  };
}

const refusedWords = {
  address: 'check the address and the profile of this connection',
  later: 'try again later, or report it to its operator',
  timeout: 'try again later, or raise the timeout',
};
const server = (code: number): Words => ['server', `failed with status ${code}`, refusedWords.later];
const lost: Words = ['network', 'the connection was lost', 'check your network and try again'];
const notService = 'check that the address of this connection leads to a mailing service';
const page: Words = ['notJson', 'answered with a web page, not JSON', notService];
const redirected: Words = [
  'redirect',
  'redirects to http',
  'if that is the same service, make it the address of this connection',
];

const sameOrigin = (code: 301 | 302 | 303 | 307 | 308): Fault => ({
  name: `redirect ${code}, same origin`,
  rule: { kind: 'redirect', to: 'same', status: code },
  done: false,
  read: { gives: 'answer', requests: 2 },
  // Many services answer a write so after they did it.
  write: fails(redirected, 1, 'unknown').write,
});

const shapeless = (said: string): Words => ['notJson', said, notService];

/** An answer without a word: no records. A status of success is all that the document promises of some writes. */
const empty = (code: 200 | 204): Fault => ({
  name: `empty body, ${code}`,
  rule: { kind: 'empty', status: code },
  done: false,
  read: { gives: 'nothing', requests: 1 },
  write: fails(shapeless('is missing'), 1, 'unknown').write,
  except: [
    {
      answer: 'record',
      expected: fails(['notFound', 'does not find the {noun}', 'refresh, as it may have been deleted'], 1, 'refused')
        .read,
      because: 'one record was asked for, and none came',
    },
    {
      answer: 'done',
      expected: { gives: 'nothing', requests: 1 },
      because: 'the document shows no body, or only a message: the status is the answer',
    },
    {
      answer: 'updated',
      expected: { gives: 'nothing', requests: 1 },
      because: 'the status is the answer, and the id is known: what was stored is read back',
    },
    {
      answer: 'users',
      expected: { gives: 'nothing', requests: 1 },
      because: 'the document shows no body: nobody is named who was not found',
    },
  ],
});

const network = (name: string, rule: NetworkFault, words: Words, attempts: number): Fault => ({
  name,
  rule,
  done: false,
  ...fails(words, attempts, 'refused'),
});

/** Every fault, with what is expected of it by the API document and the client's rules: nothing here is taken from what the client does. */
export const faults: readonly Fault[] = [
  status(400, ['invalid', 'refused the request', 'correct what was asked for']),
  status(401, ['unauthorized', 'refused the API key', "set this connection's API key again"]),
  status(402, ['invalid', 'asks for a payment', 'ask its operator about the licence']),
  status(403, ['forbidden', 'does not allow it', 'ask its operator for the permission']),
  status(404, ['notFound', 'does not find the {noun}', 'refresh, as it may have been deleted']),
  status(405, ['invalid', 'does not take this kind of request', refusedWords.address]),
  status(408, ['timeout', 'waited too long for the request', 'try again']),
  status(409, ['invalid', 'does not fit what it is now', 'refresh, look at it, and try again']),
  status(413, ['invalid', 'is too large for the service', 'make it smaller']),
  status(418, ['invalid', 'refused it with status 418', refusedWords.address]),
  status(422, ['invalid', 'refused what was sent', 'correct it and try again']),
  status(429, ['rateLimited', 'too many requests', 'wait a while and try again']),
  status(500, server(500)),
  status(502, server(502)),
  status(503, server(503)),
  status(504, server(504)),
  {
    name: "the operation's own error",
    rule: { kind: 'operationError' },
    done: false,
    ...fails(server(500), 1, 'unknown'),
  },
  {
    name: '429 with Retry-After: 7',
    rule: { kind: 'rateLimited', retryAfter: 7 },
    done: false,
    ...fails(['rateLimited', 'too many requests', 'try again in 7 s'], 3, 'refused'),
  },
  {
    name: '429 with Retry-After: 3600',
    rule: { kind: 'rateLimited', retryAfter: 3600 },
    done: false,
    ...fails(['rateLimited', 'too many requests', 'try again in 3600 s'], 1, 'refused'),
  },
  { name: 'HTML page, 200', rule: { kind: 'html' }, done: false, ...fails(page, 1, 'unknown') },
  { name: 'HTML page, 503', rule: { kind: 'html', status: 503 }, done: false, ...fails(server(503), 3, 'unknown') },
  {
    name: 'broken JSON',
    rule: { kind: 'brokenJson' },
    done: true,
    ...fails(['notJson', 'the answer is not JSON', notService], 1, 'unknown'),
  },
  { name: 'cut answer', rule: { kind: 'cut' }, done: true, ...fails(lost, 3, 'unknown') },
  {
    name: 'reset before the request was read',
    rule: { kind: 'resetBeforeRead' },
    done: false,
    ...fails(lost, 3, 'unknown'),
  },
  {
    name: 'reset after the request was read',
    rule: { kind: 'resetAfterRead' },
    done: false,
    ...fails(lost, 3, 'unknown'),
  },
  { name: 'lost answer', rule: { kind: 'lostAnswer' }, done: true, ...fails(lost, 3, 'unknown') },
  {
    name: 'hang before the answer',
    rule: { kind: 'hang' },
    done: false,
    hangs: 'head',
    ...fails(['timeout', 'did not answer in time', refusedWords.timeout], 1, 'unknown'),
  },
  {
    name: "hang after the answer's head",
    rule: { kind: 'hang', after: 'headers' },
    done: false,
    hangs: 'body',
    ...fails(['timeout', 'the answer did not end in time', refusedWords.timeout], 1, 'unknown'),
  },
  {
    name: 'slow drip, beyond the timeout',
    rule: { kind: 'slow', bytes: 1, intervalMs: 400 },
    done: true,
    hangs: 'body',
    ...fails(['timeout', 'the answer did not end in time', refusedWords.timeout], 1, 'unknown'),
  },
  {
    name: 'slow drip, within the timeout',
    rule: { kind: 'slow', bytes: 512, intervalMs: 1 },
    done: true,
    read: { gives: 'answer', requests: 1 },
    write: { gives: 'answer', requests: 1 },
  },
  sameOrigin(301),
  sameOrigin(302),
  sameOrigin(303),
  sameOrigin(307),
  sameOrigin(308),
  {
    name: 'redirect 302, other origin',
    rule: { kind: 'redirect', to: 'other', status: 302 },
    done: false,
    ...fails(redirected, 1, 'unknown'),
  },
  {
    name: 'redirect 307, other origin',
    rule: { kind: 'redirect', to: 'other', status: 307 },
    done: false,
    ...fails(redirected, 1, 'unknown'),
  },
  empty(200),
  empty(204),
  {
    name: '200 with `errors`',
    rule: { kind: 'errors', errors: ['Disk is full'] },
    done: true,
    read: fails(shapeless("the answer can't be read"), 1, 'refused').read,
    write: { gives: 'told', requests: 1 },
  },
  {
    name: '70 MB answer',
    rule: { kind: 'oversized' },
    done: false,
    only: ['getLists', 'createTemplate'],
    ...fails(shapeless('the answer is longer than 64 MiB'), 1, 'unknown'),
  },
  network(
    'unknown host',
    'unknownHost',
    ['network', 'no host of that name was found', 'check the address of this connection and your network'],
    3,
  ),
  network(
    'refused connection',
    'refusedConnection',
    ['network', 'nothing answers at the address', 'check the address of this connection and the proxy settings'],
    3,
  ),
  network('certificate that nobody trusts', 'untrustedCertificate', ['tls', 'not trusted', 'NODE_EXTRA_CA_CERTS'], 1),
  network(
    'expired certificate',
    'expiredCertificate',
    ['tls', 'certificate of the service has expired', 'ask its operator to renew it'],
    1,
  ),
  network(
    'certificate for another host',
    'wrongHost',
    ['tls', 'certificate of the service is for another host', 'check the address of this connection'],
    1,
  ),
];

export function isFailure(expected: Expected): expected is Failure {
  return 'kind' in expected;
}

/** What is expected of an operation that answers so. */
export function expectedOf(
  fault: Fault,
  { write, answer }: { readonly write: boolean; readonly answer: AnswerClass },
): Expected {
  return fault.except?.find((exception) => exception.answer === answer)?.expected ?? (write ? fault.write : fault.read);
}
