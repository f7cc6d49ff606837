/* The causes of failure: traits of each kind, and one row per cause. `errors.ts` finds the row of an error. */

/** Kind of failure of an `ApiError`. */
export type ApiErrorKind =
  /** The key is missing or wrong, or its license expired (401). */
  | 'unauthorized'
  /** The key lacks permission, or the REST API is not activated (403). */
  | 'forbidden'
  /** The record does not exist (404, 410, or an empty response to a request for one record). */
  | 'notFound'
  /** The service or the client rejected the request (400, 405, 415, 422 and other 4xx; an invalid base URL). */
  | 'invalid'
  /** The service failed (5xx). */
  | 'server'
  /** 429. */
  | 'rateLimited'
  /** A redirect that is not followed. `location` contains its target. */
  | 'redirect'
  /** The response is not as documented: not JSON, JSON of another shape, or too large. */
  | 'notJson'
  /** The connection failed or broke: unknown host, refused, reset, proxy. */
  | 'network'
  | 'timeout'
  /** The certificate or the encryption is not trusted. */
  | 'tls'
  /** The caller canceled the request or closed the client. */
  | 'aborted';

/** Actions offered as buttons. */
type Button = 'retry' | 'setApiKey' | 'editConnection' | 'showLog';

/** Defaults for all causes of one kind. */
export interface KindTraits {
  /** Most helpful first. */
  readonly buttons: readonly Button[];
  /**
   * Effect on the state of the connection. `failed`: the service is unusable. `connected`: it responded, and refused only this request.
   * `nothing`: no request was sent.
   */
  readonly connection: 'failed' | 'connected' | 'nothing';
  /** Short text for a side bar. Without it, the complete message is shown. */
  readonly shortText?: string;
  /** Shown next to the name of the connection. */
  readonly stateText: string;
  /** Codicon of the connection. */
  readonly icon: 'key' | 'debug-disconnect';
  /** Sentence without a period that says why a response was inconclusive, shown after the outcome was determined. */
  readonly sentence: string;
  /** What to try first if setting up a connection fails. Default: the first button. */
  readonly setupFix?: Button;
  /** If several profiles fail at one address, the most specific failure is reported. Infinity: no other profile can succeed. */
  readonly specificity: number;
  /** Outcome of a write. `ifSent`: unknown if the request may have reached the service. `byStatus`: refused only for a 4xx status. */
  readonly writeOutcome: 'refused' | 'unknown' | 'ifSent' | 'byStatus';
}

const failedTraits = {
  connection: 'failed',
  stateText: 'unreachable',
  icon: 'debug-disconnect',
  sentence: 'The service failed',
} as const;
const connectedTraits = { ...failedTraits, connection: 'connected' } as const;
const addressButtons: readonly Button[] = ['editConnection', 'retry', 'showLog'];
const networkButtons: readonly Button[] = ['retry', 'editConnection', 'showLog'];
const retryButtons: readonly Button[] = ['retry', 'showLog'];

export const kindTraits: Readonly<Record<ApiErrorKind, KindTraits>> = {
  unauthorized: {
    ...failedTraits,
    buttons: ['setApiKey', ...retryButtons],
    shortText: 'Key missing or refused',
    stateText: 'key refused',
    icon: 'key',
    specificity: 7,
    writeOutcome: 'refused',
  },
  // A role without one permission may have others.
  forbidden: {
    ...connectedTraits,
    buttons: retryButtons,
    shortText: 'Access refused',
    stateText: 'access refused',
    setupFix: 'setApiKey',
    specificity: 6,
    writeOutcome: 'refused',
  },
  redirect: {
    ...failedTraits,
    buttons: addressButtons,
    shortText: 'The service has moved',
    stateText: 'moved',
    specificity: 5,
    writeOutcome: 'unknown',
  },
  server: {
    ...connectedTraits,
    buttons: retryButtons,
    shortText: 'The service failed',
    specificity: 4,
    writeOutcome: 'unknown',
  },
  invalid: {
    ...connectedTraits,
    buttons: ['showLog'],
    setupFix: 'editConnection',
    specificity: 3,
    writeOutcome: 'refused',
  },
  notJson: {
    ...failedTraits,
    buttons: addressButtons,
    shortText: 'No mailing service answers',
    stateText: 'no mailing service there',
    sentence: 'The answer was not that of a mailing service',
    setupFix: 'editConnection',
    specificity: 2,
    writeOutcome: 'byStatus',
  },
  notFound: {
    ...connectedTraits,
    buttons: ['showLog'],
    setupFix: 'editConnection',
    specificity: 1,
    writeOutcome: 'refused',
  },
  rateLimited: {
    ...connectedTraits,
    buttons: retryButtons,
    shortText: 'Too many requests',
    specificity: Infinity,
    writeOutcome: 'refused',
  },
  network: {
    ...failedTraits,
    buttons: networkButtons,
    shortText: "Can't be reached",
    sentence: 'The connection was lost',
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
  timeout: {
    ...failedTraits,
    buttons: networkButtons,
    shortText: 'No answer in time',
    sentence: 'The service did not answer in time',
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
  tls: {
    ...failedTraits,
    buttons: networkButtons,
    shortText: 'Certificate not trusted',
    stateText: 'certificate not trusted',
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
  aborted: {
    ...failedTraits,
    connection: 'nothing',
    buttons: retryButtons,
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
};

/** What identifies a cause. */
interface Matcher {
  /** The status with this cause, or the first and the last one, if `messagePattern` matches. */
  readonly status?: number | readonly [from: number, to: number];
  readonly messagePattern?: RegExp;
  /** Matches connection error codes with this cause. */
  readonly codePattern?: RegExp;
  /** Reads are retried. */
  readonly isRetried?: boolean;
}

/**
 * `problem`: what failed, with the placeholders `{noun}`, `{status}` and `{location}`; empty if the caller provides the text. `advice`: what to
 * do, in the imperative.
 */
type CauseRow = readonly [kind: ApiErrorKind, problem: string, advice: string, traits?: Matcher & Partial<KindTraits>];

/** A cause, merged with the traits of its kind. */
export interface Cause extends Matcher, KindTraits {
  readonly kind: ApiErrorKind;
  readonly problem: string;
  readonly advice: string;
}

const ADDRESS = 'check the address of this connection';
const ADDRESS_AND_NETWORK = `${ADDRESS} and your network`;
const PROFILE = 'check the address and the profile of this connection';
const PROXY = 'check the proxy settings (http.proxy, http.noProxy)';
const REPORT = 'report it to the operator of the service';
const RAISE_TIMEOUT = 'or raise the timeout';

/** The first matching row applies. */
export const causeRows = {
  licenseExpired: [
    'unauthorized',
    'the license of the service has expired',
    'renew it on the service',
    { status: 401, messagePattern: /licen[cs]e.*expired/i },
  ],
  keyMissing: [
    'unauthorized',
    'the API key did not reach the service',
    'ask its operator whether a proxy removes the header Api-Key',
    { status: 401, messagePattern: /missing/i },
  ],
  keyRefused: [
    'unauthorized',
    'the service refused the API key',
    "set this connection's API key again",
    { status: 401 },
  ],
  noKey: ['unauthorized', '', "set this connection's API key"],
  // A disabled API affects all requests.
  notActivated: [
    'forbidden',
    'the REST API of the service is not activated',
    "turn it on in the service's configuration",
    { status: 403, messagePattern: /not activated/i, connection: 'failed', setupFix: 'retry' },
  ],
  forbidden: ['forbidden', 'the service does not allow it', 'ask its operator for the permission', { status: 403 }],
  refused: ['invalid', 'the service refused the request', 'correct the values and try again', { status: 400 }],
  paymentRequired: [
    'invalid',
    'the service asks for a payment first',
    'ask its operator about the license',
    { status: 402 },
  ],
  notFound: [
    'notFound',
    'the service does not find the {noun}',
    'refresh, as it may have been deleted',
    { status: 404 },
  ],
  deletedRecord: ['notFound', 'the {noun} was deleted', 'refresh', { status: 410 }],
  wrongMethod: ['invalid', 'the service does not take this kind of request', PROFILE, { status: 405 }],
  conflict: [
    'invalid',
    'the current state of the {noun} does not allow this',
    'refresh and try again',
    { status: 409 },
  ],
  tooLarge: [
    'invalid',
    'the request is too large for the service',
    'make it smaller, or ask its operator to allow more',
    { status: 413 },
  ],
  wrongType: [
    'invalid',
    'the service does not take the type of the request',
    'check the profile of this connection',
    { status: 415 },
  ],
  refusedValues: ['invalid', 'the service refused the values', 'correct it and try again', { status: 422 }],
  // A proxy that requires a password has forwarded nothing.
  proxyPassword: [
    'network',
    'the proxy asks for a user name and password, or does not take the ones it got (407)',
    "put the right ones into the proxy's address (http.proxy in the settings, or HTTPS_PROXY in the environment)",
    { status: 407, codePattern: /^PROXY_AUTHENTICATION$/, writeOutcome: 'refused' },
  ],
  requestTimeout: [
    'timeout',
    'the service waited too long for the request',
    'try again',
    { status: 408, writeOutcome: 'refused' },
  ],
  /** Invalid arguments; nothing was sent. */
  badArgument: ['invalid', '', 'correct it', { connection: 'nothing' }],
  /** The address, proxy or profile of the connection is invalid; nothing can be sent. */
  badSetting: ['invalid', '', 'correct it', { connection: 'failed' }],
  rateLimited: [
    'rateLimited',
    'the service got too many requests',
    'wait a while and try again',
    { status: 429, isRetried: true },
  ],
  otherRefusal: ['invalid', 'the service refused it with status {status}', PROFILE, { status: [400, 499] }],
  // Sent by a gateway instead of the service.
  down: [
    'server',
    'the service failed with status {status}',
    'try again later, or report it to its operator',
    { status: [502, 504], isRetried: true, connection: 'failed' },
  ],
  serverError: [
    'server',
    'the service failed with status {status}',
    'try again later, or report it to its operator',
    { status: [500, Infinity] },
  ],
  reportedError: ['server', 'the service reports an error', 'correct it and try again'],
  /** Many services redirect after they performed a write, with any of these statuses. */
  moved: [
    'redirect',
    'the service redirects to {location}',
    'if that is the same service, make it the address of this connection',
  ],
  redirectWithoutLocation: ['redirect', 'the service redirects to nowhere', ADDRESS],
  /** One field of a record is invalid; the service and its address are correct. */
  invalidField: [
    'notJson',
    '',
    REPORT,
    { connection: 'connected', shortText: undefined, buttons: retryButtons, writeOutcome: 'unknown' },
  ],
  noService: ['notJson', '', 'check that the address of this connection leads to a mailing service'],
  unexpectedStatus: [
    'notJson',
    'the service answered with the unexpected status {status}',
    ADDRESS,
    { status: [0, 399] },
  ],
  notHttp: [
    'notJson',
    'what answers at the address does not speak HTTP',
    ADDRESS,
    { codePattern: /^NOT_HTTP$/, writeOutcome: 'ifSent' },
  ],
  badResponse: [
    'notJson',
    'the answer breaks the rules of HTTP',
    `${REPORT}, or of the proxy before it`,
    { codePattern: /^BAD_RESPONSE$/, writeOutcome: 'ifSent' },
  ],
  headersTooLong: [
    'notJson',
    'the head of the answer is too long',
    REPORT,
    { codePattern: /^UND_ERR_HEADERS_OVERFLOW$/, writeOutcome: 'ifSent' },
  ],
  unknownEncoding: [
    'notJson',
    'the compression of the answer is not supported',
    REPORT,
    { codePattern: /^UNKNOWN_ENCODING$/, writeOutcome: 'ifSent' },
  ],
  brokenEncoding: [
    'notJson',
    'the answer is compressed in a broken way',
    `try again, or ${REPORT}`,
    { codePattern: /^BROKEN_ENCODING$/, writeOutcome: 'ifSent' },
  ],
  unknownHost: [
    'network',
    'no host of that name was found',
    ADDRESS_AND_NETWORK,
    { codePattern: /^(ENOTFOUND|EAI_)/, isRetried: true, setupFix: 'editConnection' },
  ],
  refusedConnection: [
    'network',
    'nothing answers at the address',
    `${ADDRESS} and the proxy settings, and that the service runs`,
    { codePattern: /^ECONNREFUSED$/, isRetried: true, setupFix: 'editConnection' },
  ],
  unreachable: [
    'network',
    "the service can't be reached",
    'check your network',
    { codePattern: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, isRetried: true },
  ],
  closed: ['network', 'the connections were closed', 'try again', { codePattern: /^UND_ERR_(DESTROYED|CLOSED)$/ }],
  proxyClosed: [
    'network',
    'the proxy ended the connection',
    `${PROXY}, or ask who runs it`,
    { codePattern: /^PROXY_CLOSED$/, isRetried: true },
  ],
  proxyForbids: [
    'network',
    'the proxy does not allow a connection to this service (403)',
    'ask who runs the proxy, or except the host from it (http.noProxy)',
    { codePattern: /^PROXY_REFUSED_403$/ },
  ],
  proxyCannotConnect: [
    'network',
    'the proxy could not reach the service',
    `${ADDRESS}, or except its host from the proxy (http.noProxy)`,
    { codePattern: /^PROXY_REFUSED_50[234]$/, isRetried: true },
  ],
  proxyRefused: ['network', 'the proxy refused the connection', PROXY, { codePattern: /^PROXY_REFUSED_/ }],
  systemConnectTimedOut: [
    'timeout',
    'no connection was made in time',
    ADDRESS_AND_NETWORK,
    { codePattern: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, isRetried: true },
  ],
  connectionTimedOut: [
    'timeout',
    'no connection was made in time',
    `${ADDRESS_AND_NETWORK}, ${RAISE_TIMEOUT}`,
    { isRetried: true },
  ],
  responseTimedOut: ['timeout', 'the service did not answer in time', `try again later, ${RAISE_TIMEOUT}`],
  bodyTimedOut: ['timeout', 'the answer did not end in time', `try again later, ${RAISE_TIMEOUT}`],
  certificateExpired: [
    'tls',
    'the certificate of the service has expired',
    'ask its operator to renew it',
    { codePattern: /^CERT_HAS_EXPIRED$/ },
  ],
  certificateWrongHost: [
    'tls',
    'the certificate of the service is for another host',
    ADDRESS,
    { codePattern: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, setupFix: 'editConnection' },
  ],
  certificateNotYetValid: [
    'tls',
    'the certificate of the service is not valid yet',
    'check the date and time of this machine, or ask the operator of the service to mend it',
    { codePattern: /^CERT_NOT_YET_VALID$/ },
  ],
  certificateRevoked: [
    'tls',
    'the certificate of the service was revoked',
    'ask its operator for another one',
    { codePattern: /^CERT_REVOKED$/ },
  ],
  certificateSelfSigned: [
    'tls',
    'the certificate of the service is self-signed and not trusted',
    "add it to your system's trusted certificates, or name its file in NODE_EXTRA_CA_CERTS",
    { codePattern: /^DEPTH_ZERO_SELF_SIGNED_CERT$/ },
  ],
  untrusted: [
    'tls',
    'the certificate of the service is not trusted',
    "add its certificate authority to your system's, or name its file in NODE_EXTRA_CA_CERTS",
    { codePattern: /^(SELF_SIGNED|UNABLE_TO_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/ },
  ],
  notEncrypted: [
    'tls',
    'no encrypted connection could be made',
    'check whether the address begins with https:// or http://',
    { codePattern: /^(ERR_TLS_|ERR_SSL_|EPROTO$|UND_ERR_PRX_TLS)/, setupFix: 'editConnection' },
  ],
  connectionLost: [
    'network',
    'the connection was lost',
    'check your network and try again',
    { codePattern: /^/, isRetried: true },
  ],
  aborted: ['aborted', 'it was canceled', 'start again when needed'],
} as const satisfies Readonly<Record<string, CauseRow>>;
