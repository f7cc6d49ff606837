import type { ApiErrorKind, OperationName, Outcome } from '../../src/service/client/index.ts';
import { routes } from '../../src/service/client/routes.ts';
import type { ResponsePhase } from './manualTimeout.ts';
import type { FaultKind } from './sandbox/index.ts';
import type { ResponseKind } from './operations.ts';

/** A fault below HTTP; no request reaches the service. */
export type NetworkFault =
  'unknownHost' | 'refusedConnection' | 'untrustedCertificate' | 'expiredCertificate' | 'wrongHost';

/** Expected error of a call and number of attempts. */
export interface Failure {
  readonly kind: ApiErrorKind;
  /** Applies to writes; reads change nothing and are always `refused`. */
  readonly outcome: Outcome;
  /** Part of the message that names the cause. See `describeCause`. */
  readonly cause: string;
  /** End of the message, with the next step. */
  readonly next: string;
  /** Requests that the service received; for a network fault, attempted connections. */
  readonly requests: number;
}

/** Expected result of a call that succeeds despite the fault. */
export interface Success {
  /**
   * `response`: as without the fault. `empty`: an empty result. `reported`: as without the fault, plus the errors that the service reports.
   */
  readonly result: 'response' | 'empty' | 'reported';
  readonly requests: number;
}

export type Expected = Failure | Success;

export interface Fault {
  readonly name: string;
  /** The fault of the sandbox, or the network fault. */
  readonly rule: FaultKind | NetworkFault;
  /** Whether the service performs the operation despite the fault, according to the description of the fault. */
  readonly isDone: boolean;
  /** The phase of the request in which the timeout ends. */
  readonly hangsIn?: ResponsePhase;
  readonly read: Expected;
  readonly write: Expected;
  /** Operations with other expectations, with the reason. */
  readonly exceptions?: readonly {
    readonly responseKind: ResponseKind;
    readonly expected: Expected;
    readonly because: string;
  }[];
  /** If set, the fault is tested only with these operations because it is slow. */
  readonly onlyOperations?: readonly string[];
}

/** A write with an unconfirmed outcome is never retried: the user must check first. */
const CHECK_FIRST = 'Check before you try again.';
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

type ExpectedMessage = readonly [kind: ApiErrorKind, cause: string, next: string];

/** Expects a read to fail after `requests` attempts, and a write after one. By default, the write may have been carried out. */
function expectFailure(
  [kind, cause, next]: ExpectedMessage,
  requests: number,
  outcome: Outcome = 'unknown',
): { readonly read: Failure; readonly write: Failure } {
  const read: Failure = { kind, outcome: 'refused', cause, next, requests };
  return { read, write: { ...read, outcome, next: outcome === 'unknown' ? CHECK_FIRST : next, requests: 1 } };
}

/** Reads are retried twice after 429, 502, 503 and 504. The outcome of a write is unconfirmed after a 5xx and refused after a 4xx. */
function statusFault(code: number, words: ExpectedMessage): Fault {
  const isServer = code >= 500;
  return {
    name: `status ${code}`,
    rule: { kind: 'status', status: code },
    isDone: false,
    ...expectFailure(words, RETRIED_STATUSES.has(code) ? 3 : 1, isServer ? 'unknown' : 'refused'),
  };
}

const advice = {
  address: 'Check the URL and the profile of this connection.',
  later: "Try again later, or report the problem to the service's operator.",
  timeout: 'Try again later, or raise the timeout.',
};
const serverError = (code: number): ExpectedMessage => ['server', `failed with status ${code}`, advice.later];
const connectionLost: ExpectedMessage = ['network', 'The connection was lost.', 'Check your network and try again.'];
const wrongAddressAdvice = 'Check that a mailing service runs at the URL of this connection.';
const htmlPage: ExpectedMessage = ['notJson', 'responded with a web page, not JSON.', wrongAddressAdvice];
const redirectError: ExpectedMessage = [
  'redirect',
  'redirects to http',
  'If that is the same service, change the URL of this connection to it.',
];

const sameOriginRedirect = (code: 301 | 302 | 303 | 307 | 308): Fault => ({
  name: `redirect ${code}, same origin`,
  rule: { kind: 'redirect', to: 'same', status: code },
  isDone: false,
  read: { result: 'response', requests: 2 },
  // Many services redirect after they performed a write.
  write: expectFailure(redirectError, 1).write,
});

const unexpectedShape = (said: string): ExpectedMessage => ['notJson', said, wrongAddressAdvice];

/** An empty response contains no records. For some writes, the API document promises only a successful status. */
const emptyBody = (code: 200 | 204): Fault => ({
  name: `empty body, ${code}`,
  rule: { kind: 'empty', status: code },
  isDone: false,
  read: { result: 'empty', requests: 1 },
  write: expectFailure(unexpectedShape("The response doesn't contain"), 1).write,
  exceptions: [
    {
      responseKind: 'record',
      expected: expectFailure(
        ['notFound', "can't find this {noun}.", 'Refresh, because it may have been deleted.'],
        1,
        'refused',
      ).read,
      because: 'one record was requested and none returned',
    },
    {
      responseKind: 'done',
      expected: { result: 'empty', requests: 1 },
      because: 'the API document specifies no body or only a message, so the status decides',
    },
    {
      responseKind: 'updated',
      expected: { result: 'empty', requests: 1 },
      because: 'the status decides, the id is given, and the stored record is read back',
    },
    {
      responseKind: 'users',
      expected: { result: 'empty', requests: 1 },
      because: 'the API document specifies no body, so no unregistered users are reported',
    },
  ],
});

const networkFault = (name: string, rule: NetworkFault, words: ExpectedMessage, attempts: number): Fault => ({
  name,
  rule,
  isDone: false,
  ...expectFailure(words, attempts, 'refused'),
});

/** All faults with the behavior that the API document and the rules of the client require, independent of the implementation. */
export const faults: readonly Fault[] = [
  statusFault(400, ['invalid', 'refused the request', 'Correct the values and try again.']),
  statusFault(401, ['unauthorized', 'refused the API key', 'Check the API key.']),
  statusFault(402, ['invalid', 'requires a payment.', "Ask the service's operator about the license."]),
  statusFault(403, ['forbidden', "doesn't allow this.", "Ask the service's operator for permission."]),
  statusFault(404, ['notFound', "can't find this {noun}.", 'Refresh, because it may have been deleted.']),
  statusFault(405, ['invalid', "doesn't accept this kind of request.", advice.address]),
  statusFault(408, ['timeout', 'waited too long for the request.', 'Try again.']),
  statusFault(409, ['invalid', "doesn't allow this.", 'Refresh and try again.']),
  statusFault(413, ['invalid', 'is too large for the service.', "ask the service's operator to raise the limit."]),
  statusFault(418, ['invalid', 'refused the request with status 418.', advice.address]),
  statusFault(422, ['invalid', 'refused the values.', 'Correct the values and try again.']),
  statusFault(429, ['rateLimited', 'too many requests.', 'Wait a while and try again.']),
  statusFault(500, serverError(500)),
  statusFault(502, serverError(502)),
  statusFault(503, serverError(503)),
  statusFault(504, serverError(504)),
  {
    name: "the operation's own error",
    rule: { kind: 'operationError' },
    isDone: false,
    ...expectFailure(serverError(500), 1),
  },
  {
    name: '429 with Retry-After: 7',
    rule: { kind: 'rateLimited', retryAfter: 7 },
    isDone: false,
    ...expectFailure(['rateLimited', 'too many requests.', 'Try again in 7 seconds.'], 3, 'refused'),
  },
  {
    name: '429 with Retry-After: 3600',
    rule: { kind: 'rateLimited', retryAfter: 3600 },
    isDone: false,
    ...expectFailure(['rateLimited', 'too many requests.', 'Try again in 3,600 seconds.'], 1, 'refused'),
  },
  { name: 'HTML page, 200', rule: { kind: 'html' }, isDone: false, ...expectFailure(htmlPage, 1) },
  {
    name: 'HTML page, 503',
    rule: { kind: 'html', status: 503 },
    isDone: false,
    ...expectFailure(serverError(503), 3),
  },
  {
    name: 'broken JSON',
    rule: { kind: 'brokenJson' },
    isDone: true,
    ...expectFailure(['notJson', "The response isn't JSON.", wrongAddressAdvice], 1),
  },
  { name: 'truncated response', rule: { kind: 'cut' }, isDone: true, ...expectFailure(connectionLost, 3) },
  {
    name: 'reset before the request was read',
    rule: { kind: 'resetBeforeRead' },
    isDone: false,
    ...expectFailure(connectionLost, 3),
  },
  {
    name: 'reset after the request was read',
    rule: { kind: 'resetAfterRead' },
    isDone: false,
    ...expectFailure(connectionLost, 3),
  },
  { name: 'lost response', rule: { kind: 'lostAnswer' }, isDone: true, ...expectFailure(connectionLost, 3) },
  {
    name: 'hang before the response',
    rule: { kind: 'hang' },
    isDone: false,
    hangsIn: 'head',
    ...expectFailure(['timeout', "didn't respond in time.", advice.timeout], 1),
  },
  {
    name: 'hang after the response headers',
    rule: { kind: 'hang', after: 'headers' },
    isDone: false,
    hangsIn: 'body',
    ...expectFailure(['timeout', "The response didn't end in time.", advice.timeout], 1),
  },
  {
    name: 'slow response, beyond the timeout',
    rule: { kind: 'slow', bytes: 1, intervalMs: 400 },
    isDone: true,
    hangsIn: 'body',
    ...expectFailure(['timeout', "The response didn't end in time.", advice.timeout], 1),
  },
  {
    name: 'slow response, within the timeout',
    rule: { kind: 'slow', bytes: 512, intervalMs: 1 },
    isDone: true,
    read: { result: 'response', requests: 1 },
    write: { result: 'response', requests: 1 },
  },
  sameOriginRedirect(301),
  sameOriginRedirect(302),
  sameOriginRedirect(303),
  sameOriginRedirect(307),
  sameOriginRedirect(308),
  {
    name: 'redirect 302, other origin',
    rule: { kind: 'redirect', to: 'other', status: 302 },
    isDone: false,
    ...expectFailure(redirectError, 1),
  },
  {
    name: 'redirect 307, other origin',
    rule: { kind: 'redirect', to: 'other', status: 307 },
    isDone: false,
    ...expectFailure(redirectError, 1),
  },
  emptyBody(200),
  emptyBody(204),
  {
    name: '200 with `errors`',
    rule: { kind: 'errors', errors: ['Disk is full'] },
    isDone: true,
    read: expectFailure(unexpectedShape('The response contains'), 1, 'refused').read,
    write: { result: 'reported', requests: 1 },
  },
  {
    name: '70 MB response',
    rule: { kind: 'oversized' },
    isDone: false,
    onlyOperations: ['getLists', 'createTemplate'],
    ...expectFailure(unexpectedShape('The response is larger than 64 MiB.'), 1),
  },
  networkFault(
    'unresolved host',
    'unknownHost',
    ['network', 'No host of that name was found.', 'Check the URL of this connection and your network.'],
    3,
  ),
  networkFault(
    'refused connection',
    'refusedConnection',
    ['network', 'Nothing responds at this URL.', 'and the proxy settings, and whether the service is running.'],
    3,
  ),
  networkFault(
    'untrusted certificate',
    'untrustedCertificate',
    ['tls', 'not trusted.', 'set NODE_EXTRA_CA_CERTS to its file.'],
    1,
  ),
  networkFault(
    'expired certificate',
    'expiredCertificate',
    ['tls', 'certificate of the service has expired.', "Ask the service's operator to renew the certificate."],
    1,
  ),
  networkFault(
    'certificate for another host',
    'wrongHost',
    ['tls', 'certificate of the service is for another host.', 'Check the URL of this connection.'],
    1,
  ),
];

/** Returns the expected cause in the message of an operation. */
export function describeCause({ cause }: Failure, operation: OperationName): string {
  const { recordType } = routes[operation];
  return cause.replace('{noun}', recordType === 'followUp' ? 'follow-up' : recordType);
}

export function isFailure(expected: Expected): expected is Failure {
  return 'kind' in expected;
}

/** Returns the expectation for an operation with this kind of response. */
export function getExpected(
  fault: Fault,
  { isWrite, responseKind }: { readonly isWrite: boolean; readonly responseKind: ResponseKind },
): Expected {
  const exception = fault.exceptions?.find((candidate) => candidate.responseKind === responseKind);
  return exception?.expected ?? (isWrite ? fault.write : fault.read);
}
