import { ApiError } from './errors.ts';
import type { ApiErrorDetails, ApiErrorKind, Outcome } from './errors.ts';
import type { ExchangeFailure } from './exchange.ts';

/** What the words of a failure are made of. */
export interface Failing {
  readonly operation: string;
  /** "Reading the lists" */
  readonly doing: string;
  /** "list" */
  readonly noun: string;
  readonly write: boolean;
}

interface Words {
  readonly what: string;
  /** What to do, in the imperative. */
  readonly next: string;
}

const MAYBE_DONE = 'it may have been done all the same, so look before you try again';
const STOPPED = 'it was cancelled';

/** One sentence: what failed, the service's words where it had some, what to do. */
export function failure(
  failing: Failing,
  { what, next }: Words,
  details: Omit<ApiErrorDetails, 'operation' | 'message'>,
): ApiError {
  const said = details.serverMessage === undefined ? '' : ` (“${details.serverMessage}”)`;
  const advice = details.outcome === 'unknown' ? MAYBE_DONE : next;
  return new ApiError({ ...details, operation: failing.operation, message: `${failing.doing} failed: ${what}${said}; ${advice}.` });
}

const readOr = (failing: Failing, ifWrite: Outcome): Outcome => (failing.write ? ifWrite : 'refused');

interface StatusRule extends Words {
  readonly kind: ApiErrorKind;
}

/** Words of the service that say more than its status. */
const saidRules: readonly (StatusRule & { readonly status: number; readonly pattern: RegExp })[] = [
  {
    status: 401,
    pattern: /licen[cs]e.*expired/i,
    kind: 'unauthorized',
    what: 'the licence of the service has expired',
    next: 'renew it on the service',
  },
  {
    status: 401,
    pattern: /missing/i,
    kind: 'unauthorized',
    what: 'the API key did not reach the service',
    next: 'ask its operator whether a proxy removes the header Api-Key',
  },
  {
    status: 403,
    pattern: /not activated/i,
    kind: 'forbidden',
    what: 'the REST API of the service is not activated',
    next: "turn it on in the service's configuration",
  },
];

const proxyPassword: Words = {
  what: 'the proxy asks for a user name and password, or does not take the ones it got (407)',
  next: "put the right ones into the proxy's address (http.proxy in the settings, or HTTPS_PROXY in the environment)",
};

const statusRules: Readonly<Record<number, StatusRule>> = {
  400: { kind: 'invalid', what: 'the service refused the request', next: 'correct what was asked for' },
  401: { kind: 'unauthorized', what: 'the service refused the API key', next: "set this connection's API key again" },
  402: { kind: 'invalid', what: 'the service asks for a payment first', next: 'ask its operator about the licence' },
  403: { kind: 'forbidden', what: 'the service does not allow it', next: 'ask its operator for the permission' },
  404: { kind: 'notFound', what: 'the service does not find the {noun}', next: 'refresh, as it may have been deleted' },
  405: {
    kind: 'invalid',
    what: 'the service does not take this kind of request',
    next: 'check the address and the profile of this connection',
  },
  407: { kind: 'network', ...proxyPassword },
  408: { kind: 'timeout', what: 'the service waited too long for the request', next: 'try again' },
  409: {
    kind: 'invalid',
    what: 'the service says that what was asked for does not fit what it is now',
    next: 'refresh, look at it, and try again',
  },
  410: { kind: 'notFound', what: 'the {noun} is gone', next: 'refresh' },
  413: { kind: 'invalid', what: 'what was sent is too large for the service', next: 'make it smaller, or ask its operator to allow more' },
  415: { kind: 'invalid', what: 'the service does not take the type of the request', next: 'check the profile of this connection' },
  422: { kind: 'invalid', what: 'the service refused what was sent', next: 'correct it and try again' },
  429: { kind: 'rateLimited', what: 'the service got too many requests', next: 'wait a while and try again' },
};

const rest: readonly (StatusRule & { readonly from: number })[] = [
  { from: 500, kind: 'server', what: 'the service failed with status {status}', next: 'try again later, or report it to its operator' },
  {
    from: 400,
    kind: 'invalid',
    what: 'the service refused it with status {status}',
    next: 'check the address and the profile of this connection',
  },
  {
    from: 0,
    kind: 'notJson',
    what: 'the service answered with the unexpected status {status}',
    next: 'check the address of this connection',
  },
];

/** Only a refusal in so many words says that a write was not done: a failure, a redirect or what nobody documents leaves it open. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** A status that says no. A failure of the service while it wrote leaves open whether it did. */
export function statusFailure(
  failing: Failing,
  status: number,
  serverMessage: string | undefined,
  retryAfterMs: number | undefined,
): ApiError {
  const rule =
    saidRules.find((one) => one.status === status && one.pattern.test(serverMessage ?? '')) ??
    statusRules[status] ??
    rest.find((one) => status >= one.from);
  const { kind, what, next } = rule ?? { kind: 'notJson' as const, what: 'the service answered strangely', next: 'try again' };
  return failure(
    failing,
    {
      what: what.replace('{noun}', failing.noun).replace('{status}', String(status)),
      next: retryAfterMs === undefined ? next : `try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`,
    },
    {
      kind,
      status,
      outcome: readOr(failing, isRefusal(status) ? 'refused' : 'unknown'),
      ...(serverMessage === undefined ? {} : { serverMessage }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

/** A redirect that is not followed. Many services answer a write so after they did it, whichever of the statuses they choose. */
export function redirectFailure(failing: Failing, status: number, location: string | undefined): ApiError {
  return failure(
    failing,
    {
      what: location === undefined ? 'the service redirects to nowhere' : `the service redirects to ${location}`,
      next:
        location === undefined
          ? 'check the address of this connection'
          : 'if that is the same service, make it the address of this connection',
    },
    { kind: 'redirect', status, outcome: readOr(failing, 'unknown'), ...(location === undefined ? {} : { location }) },
  );
}

/** An answer that is not what the service documents. A write with such an answer may have been done. */
export function answerFailure(failing: Failing, status: number, what: string, serverMessage: string | undefined): ApiError {
  return failure(failing, { what, next: 'check that the address of this connection leads to a mailing service' }, {
    kind: 'notJson', status, outcome: readOr(failing, isRefusal(status) ? 'refused' : 'unknown'),
    ...(serverMessage === undefined ? {} : { serverMessage }),
  });
}

/** A record of which one field has not the documented form. The service is one, and its address is right. */
export function fieldFailure(failing: Failing, status: number, field: string, what: string, serverMessage: string | undefined): ApiError {
  return failure(failing, { what, next: 'report it to the operator of the service' }, {
    kind: 'notJson', status, field, outcome: readOr(failing, 'unknown'), ...(serverMessage === undefined ? {} : { serverMessage }),
  });
}

const codeWords: readonly {
  readonly pattern: RegExp;
  readonly kind: 'network' | 'timeout' | 'tls' | 'notJson';
  readonly retry: boolean;
  readonly words: Words;
}[] = [
  {
    pattern: /^(ENOTFOUND|EAI_)/,
    kind: 'network',
    retry: true,
    words: { what: 'no host of that name was found', next: 'check the address of this connection and your network' },
  },
  {
    pattern: /^ECONNREFUSED$/,
    kind: 'network',
    retry: true,
    words: {
      what: 'nothing answers at the address',
      next: 'check the address of this connection and the proxy settings, and that the service runs',
    },
  },
  {
    pattern: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/,
    kind: 'network',
    retry: true,
    words: { what: "the service can't be reached", next: 'check your network' },
  },
  {
    pattern: /^UND_ERR_(DESTROYED|CLOSED)$/,
    kind: 'network',
    retry: false,
    words: { what: 'the connections were closed', next: 'try again' },
  },
  {
    pattern: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    kind: 'timeout',
    retry: true,
    words: { what: 'no connection was made in time', next: 'check the address of this connection and your network' },
  },
  { pattern: /^PROXY_AUTHENTICATION$/, kind: 'network', retry: false, words: proxyPassword },
  {
    pattern: /^PROXY_CLOSED$/,
    kind: 'network',
    retry: true,
    words: { what: 'the proxy ended the connection', next: 'check the proxy settings (http.proxy, http.noProxy), or ask who runs it' },
  },
  {
    pattern: /^PROXY_REFUSED_403$/,
    kind: 'network',
    retry: false,
    words: {
      what: 'the proxy does not allow a connection to this service (403)',
      next: 'ask who runs the proxy, or except the host from it (http.noProxy)',
    },
  },
  {
    pattern: /^PROXY_REFUSED_50[234]$/,
    kind: 'network',
    retry: true,
    words: {
      what: 'the proxy could not reach the service',
      next: 'check the address of this connection, or except its host from the proxy (http.noProxy)',
    },
  },
  {
    pattern: /^PROXY_REFUSED_/,
    kind: 'network',
    retry: false,
    words: { what: 'the proxy refused the connection', next: 'check the proxy settings (http.proxy, http.noProxy)' },
  },
  {
    pattern: /^CERT_HAS_EXPIRED$/,
    kind: 'tls',
    retry: false,
    words: { what: 'the certificate of the service has expired', next: 'ask its operator to renew it' },
  },
  {
    pattern: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    kind: 'tls',
    retry: false,
    words: { what: 'the certificate of the service is for another host', next: 'check the address of this connection' },
  },
  {
    pattern: /^CERT_NOT_YET_VALID$/,
    kind: 'tls',
    retry: false,
    words: {
      what: 'the certificate of the service is not valid yet',
      next: 'check the date and time of this machine, or ask the operator of the service to mend it',
    },
  },
  {
    pattern: /^CERT_REVOKED$/,
    kind: 'tls',
    retry: false,
    words: { what: 'the certificate of the service was revoked', next: 'ask its operator for another one' },
  },
  {
    pattern: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    kind: 'tls',
    retry: false,
    words: {
      what: 'the certificate of the service is signed by itself, and not trusted',
      next: "add it to your system's trusted certificates, or name its file in NODE_EXTRA_CA_CERTS",
    },
  },
  {
    pattern: /^(SELF_SIGNED|UNABLE_TO_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/,
    kind: 'tls',
    retry: false,
    words: {
      what: 'the certificate of the service is not trusted',
      next: "add its certificate authority to your system's, or name its file in NODE_EXTRA_CA_CERTS",
    },
  },
  {
    pattern: /^(ERR_TLS_|ERR_SSL_|EPROTO$|UND_ERR_PRX_TLS)/,
    kind: 'tls',
    retry: false,
    words: { what: 'no encrypted connection could be made', next: 'check whether the address begins with https:// or http://' },
  },
  {
    pattern: /^NOT_HTTP$/,
    kind: 'notJson',
    retry: false,
    words: { what: 'what answers at the address does not speak HTTP', next: 'check the address of this connection' },
  },
  {
    pattern: /^BAD_RESPONSE$/,
    kind: 'notJson',
    retry: false,
    words: { what: 'the answer breaks the rules of HTTP', next: 'report it to the operator of the service, or of the proxy before it' },
  },
  {
    pattern: /^UND_ERR_HEADERS_OVERFLOW$/,
    kind: 'notJson',
    retry: false,
    words: { what: 'the head of the answer is too long', next: 'report it to the operator of the service' },
  },
  {
    pattern: /^UNKNOWN_ENCODING$/,
    kind: 'notJson',
    retry: false,
    words: {
      what: 'the answer is compressed in a way that was not asked for and is not known here',
      next: 'report it to the operator of the service',
    },
  },
  {
    pattern: /^BROKEN_ENCODING$/,
    kind: 'notJson',
    retry: false,
    words: { what: 'the answer is compressed in a broken way', next: 'try again, or report it to the operator of the service' },
  },
];

const lost: Words = { what: 'the connection was lost', next: 'check your network and try again' };

const timeoutWords: Readonly<Record<ExchangeFailure['phase'], Words>> = {
  connect: { what: 'no connection was made in time', next: 'check the address of this connection and your network, or raise the timeout' },
  head: { what: 'the service did not answer in time', next: 'try again later, or raise the timeout' },
  body: { what: 'the answer did not end in time', next: 'try again later, or raise the timeout' },
};

/** A failed exchange, in words. `retry`: whether a read may be repeated, as it is a connection that failed. */
export function exchangeFailure(failing: Failing, error: ExchangeFailure): { readonly error: ApiError; readonly retry: boolean } {
  // A proxy that asks for a password has passed nothing on.
  const outcome = readOr(failing, error.sent && error.code !== 'PROXY_AUTHENTICATION' ? 'unknown' : 'refused');
  if (error.reason === 'aborted') {
    return { retry: false, error: failure(failing, { what: STOPPED, next: 'start again when needed' }, { kind: 'aborted', outcome }) };
  }
  if (error.reason === 'timeout') {
    return { retry: error.phase === 'connect', error: failure(failing, timeoutWords[error.phase], { kind: 'timeout', outcome }) };
  }
  const known = codeWords.find(({ pattern }) => pattern.test(error.code));
  return {
    retry: known?.retry ?? true,
    error: failure(failing, known?.words ?? lost, { kind: known?.kind ?? 'network', outcome, code: error.code }),
  };
}

/** Cancelled while nothing was on its way. */
export function abortedFailure(failing: Failing): ApiError {
  return failure(failing, { what: STOPPED, next: 'start again when needed' }, { kind: 'aborted', outcome: 'refused' });
}

/** The key is missing, or no header can hold it. Nothing was sent. */
export function keyFailure(failing: Failing, what: string): ApiError {
  return failure(failing, { what, next: "set this connection's API key" }, { kind: 'unauthorized', outcome: 'refused' });
}

/** An argument that can't be sent. Nothing was. */
export function argumentFailure(failing: Failing, what: string): ApiError {
  return failure(failing, { what, next: 'correct it' }, { kind: 'invalid', outcome: 'refused' });
}
