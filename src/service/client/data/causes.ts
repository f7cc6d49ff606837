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

export interface CauseRow extends Partial<KindTraits> {
  readonly kind: ApiErrorKind;
  /** What failed, with the placeholders `{noun}`, `{status}` and `{location}`. Empty if the caller provides the text. */
  readonly problem: string;
  /** What to do, in the imperative. */
  readonly advice: string;
  /** Range of statuses with this cause, if `messagePattern` matches. */
  readonly statuses?: readonly [from: number, to: number];
  readonly messagePattern?: RegExp;
  /** Matches connection error codes with this cause. */
  readonly codePattern?: RegExp;
  /** Reads are retried. */
  readonly isRetried?: boolean;
}

const ADDRESS = 'check the address of this connection';
const ADDRESS_AND_NETWORK = `${ADDRESS} and your network`;
const PROFILE = 'check the address and the profile of this connection';
const PROXY = 'check the proxy settings (http.proxy, http.noProxy)';
const REPORT = 'report it to the operator of the service';
const RAISE_TIMEOUT = 'or raise the timeout';
const FAILED_WITH_STATUS = {
  problem: 'the service failed with status {status}',
  advice: 'try again later, or report it to its operator',
};

/** The first matching row applies. */
export const causeRows = {
  licenseExpired: {
    kind: 'unauthorized',
    statuses: [401, 401],
    messagePattern: /licen[cs]e.*expired/i,
    problem: 'the license of the service has expired',
    advice: 'renew it on the service',
  },
  keyMissing: {
    kind: 'unauthorized',
    statuses: [401, 401],
    messagePattern: /missing/i,
    problem: 'the API key did not reach the service',
    advice: 'ask its operator whether a proxy removes the header Api-Key',
  },
  keyRefused: {
    kind: 'unauthorized',
    statuses: [401, 401],
    problem: 'the service refused the API key',
    advice: "set this connection's API key again",
  },
  noKey: { kind: 'unauthorized', problem: '', advice: "set this connection's API key" },
  // A disabled API affects all requests.
  notActivated: {
    kind: 'forbidden',
    statuses: [403, 403],
    messagePattern: /not activated/i,
    connection: 'failed',
    setupFix: 'retry',
    problem: 'the REST API of the service is not activated',
    advice: "turn it on in the service's configuration",
  },
  forbidden: {
    kind: 'forbidden',
    statuses: [403, 403],
    problem: 'the service does not allow it',
    advice: 'ask its operator for the permission',
  },
  refused: {
    kind: 'invalid',
    statuses: [400, 400],
    problem: 'the service refused the request',
    advice: 'correct the values and try again',
  },
  paymentRequired: {
    kind: 'invalid',
    statuses: [402, 402],
    problem: 'the service asks for a payment first',
    advice: 'ask its operator about the license',
  },
  notFound: {
    kind: 'notFound',
    statuses: [404, 404],
    problem: 'the service does not find the {noun}',
    advice: 'refresh, as it may have been deleted',
  },
  deletedRecord: { kind: 'notFound', statuses: [410, 410], problem: 'the {noun} was deleted', advice: 'refresh' },
  wrongMethod: {
    kind: 'invalid',
    statuses: [405, 405],
    problem: 'the service does not take this kind of request',
    advice: PROFILE,
  },
  conflict: {
    kind: 'invalid',
    statuses: [409, 409],
    problem: 'the current state of the {noun} does not allow this',
    advice: 'refresh and try again',
  },
  tooLarge: {
    kind: 'invalid',
    statuses: [413, 413],
    problem: 'the request is too large for the service',
    advice: 'make it smaller, or ask its operator to allow more',
  },
  wrongType: {
    kind: 'invalid',
    statuses: [415, 415],
    problem: 'the service does not take the type of the request',
    advice: 'check the profile of this connection',
  },
  refusedValues: {
    kind: 'invalid',
    statuses: [422, 422],
    problem: 'the service refused the values',
    advice: 'correct it and try again',
  },
  // A proxy that requires a password has forwarded nothing.
  proxyPassword: {
    kind: 'network',
    statuses: [407, 407],
    codePattern: /^PROXY_AUTHENTICATION$/,
    writeOutcome: 'refused',
    problem: 'the proxy asks for a user name and password, or does not take the ones it got (407)',
    advice:
      "put the right ones into the proxy's address (http.proxy in the settings, or HTTPS_PROXY in the environment)",
  },
  requestTimeout: {
    kind: 'timeout',
    statuses: [408, 408],
    writeOutcome: 'refused',
    problem: 'the service waited too long for the request',
    advice: 'try again',
  },
  /** Invalid arguments; nothing was sent. */
  badArgument: { kind: 'invalid', connection: 'nothing', problem: '', advice: 'correct it' },
  /** The address, proxy or profile of the connection is invalid; nothing can be sent. */
  badSetting: { kind: 'invalid', connection: 'failed', problem: '', advice: 'correct it' },
  rateLimited: {
    kind: 'rateLimited',
    statuses: [429, 429],
    isRetried: true,
    problem: 'the service got too many requests',
    advice: 'wait a while and try again',
  },
  otherRefusal: {
    kind: 'invalid',
    statuses: [400, 499],
    problem: 'the service refused it with status {status}',
    advice: PROFILE,
  },
  // Sent by a gateway instead of the service.
  down: { kind: 'server', statuses: [502, 504], isRetried: true, connection: 'failed', ...FAILED_WITH_STATUS },
  serverError: { kind: 'server', statuses: [500, Infinity], ...FAILED_WITH_STATUS },
  reportedError: { kind: 'server', problem: 'the service reports an error', advice: 'correct it and try again' },
  /** Many services redirect after they performed a write, with any of these statuses. */
  moved: {
    kind: 'redirect',
    problem: 'the service redirects to {location}',
    advice: 'if that is the same service, make it the address of this connection',
  },
  redirectWithoutLocation: { kind: 'redirect', problem: 'the service redirects to nowhere', advice: ADDRESS },
  /** One field of a record is invalid; the service and its address are correct. */
  invalidField: {
    kind: 'notJson',
    connection: 'connected',
    shortText: undefined,
    buttons: retryButtons,
    writeOutcome: 'unknown',
    problem: '',
    advice: REPORT,
  },
  noService: {
    kind: 'notJson',
    problem: '',
    advice: 'check that the address of this connection leads to a mailing service',
  },
  unexpectedStatus: {
    kind: 'notJson',
    statuses: [0, 399],
    problem: 'the service answered with the unexpected status {status}',
    advice: ADDRESS,
  },
  notHttp: {
    kind: 'notJson',
    codePattern: /^NOT_HTTP$/,
    writeOutcome: 'ifSent',
    problem: 'what answers at the address does not speak HTTP',
    advice: ADDRESS,
  },
  badResponse: {
    kind: 'notJson',
    codePattern: /^BAD_RESPONSE$/,
    writeOutcome: 'ifSent',
    problem: 'the answer breaks the rules of HTTP',
    advice: `${REPORT}, or of the proxy before it`,
  },
  headersTooLong: {
    kind: 'notJson',
    codePattern: /^UND_ERR_HEADERS_OVERFLOW$/,
    writeOutcome: 'ifSent',
    problem: 'the head of the answer is too long',
    advice: REPORT,
  },
  unknownEncoding: {
    kind: 'notJson',
    codePattern: /^UNKNOWN_ENCODING$/,
    writeOutcome: 'ifSent',
    problem: 'the compression of the answer is not supported',
    advice: REPORT,
  },
  brokenEncoding: {
    kind: 'notJson',
    codePattern: /^BROKEN_ENCODING$/,
    writeOutcome: 'ifSent',
    problem: 'the answer is compressed in a broken way',
    advice: `try again, or ${REPORT}`,
  },
  unknownHost: {
    kind: 'network',
    codePattern: /^(ENOTFOUND|EAI_)/,
    isRetried: true,
    setupFix: 'editConnection',
    problem: 'no host of that name was found',
    advice: ADDRESS_AND_NETWORK,
  },
  refusedConnection: {
    kind: 'network',
    codePattern: /^ECONNREFUSED$/,
    isRetried: true,
    setupFix: 'editConnection',
    problem: 'nothing answers at the address',
    advice: `${ADDRESS} and the proxy settings, and that the service runs`,
  },
  unreachable: {
    kind: 'network',
    codePattern: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/,
    isRetried: true,
    problem: "the service can't be reached",
    advice: 'check your network',
  },
  closed: {
    kind: 'network',
    codePattern: /^UND_ERR_(DESTROYED|CLOSED)$/,
    problem: 'the connections were closed',
    advice: 'try again',
  },
  proxyClosed: {
    kind: 'network',
    codePattern: /^PROXY_CLOSED$/,
    isRetried: true,
    problem: 'the proxy ended the connection',
    advice: `${PROXY}, or ask who runs it`,
  },
  proxyForbids: {
    kind: 'network',
    codePattern: /^PROXY_REFUSED_403$/,
    problem: 'the proxy does not allow a connection to this service (403)',
    advice: 'ask who runs the proxy, or except the host from it (http.noProxy)',
  },
  proxyCannotConnect: {
    kind: 'network',
    codePattern: /^PROXY_REFUSED_50[234]$/,
    isRetried: true,
    problem: 'the proxy could not reach the service',
    advice: `${ADDRESS}, or except its host from the proxy (http.noProxy)`,
  },
  proxyRefused: {
    kind: 'network',
    codePattern: /^PROXY_REFUSED_/,
    problem: 'the proxy refused the connection',
    advice: PROXY,
  },
  systemConnectTimedOut: {
    kind: 'timeout',
    codePattern: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    isRetried: true,
    problem: 'no connection was made in time',
    advice: ADDRESS_AND_NETWORK,
  },
  connectionTimedOut: {
    kind: 'timeout',
    isRetried: true,
    problem: 'no connection was made in time',
    advice: `${ADDRESS_AND_NETWORK}, ${RAISE_TIMEOUT}`,
  },
  responseTimedOut: {
    kind: 'timeout',
    problem: 'the service did not answer in time',
    advice: `try again later, ${RAISE_TIMEOUT}`,
  },
  bodyTimedOut: {
    kind: 'timeout',
    problem: 'the answer did not end in time',
    advice: `try again later, ${RAISE_TIMEOUT}`,
  },
  certificateExpired: {
    kind: 'tls',
    codePattern: /^CERT_HAS_EXPIRED$/,
    problem: 'the certificate of the service has expired',
    advice: 'ask its operator to renew it',
  },
  certificateWrongHost: {
    kind: 'tls',
    codePattern: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    setupFix: 'editConnection',
    problem: 'the certificate of the service is for another host',
    advice: ADDRESS,
  },
  certificateNotYetValid: {
    kind: 'tls',
    codePattern: /^CERT_NOT_YET_VALID$/,
    problem: 'the certificate of the service is not valid yet',
    advice: 'check the date and time of this machine, or ask the operator of the service to mend it',
  },
  certificateRevoked: {
    kind: 'tls',
    codePattern: /^CERT_REVOKED$/,
    problem: 'the certificate of the service was revoked',
    advice: 'ask its operator for another one',
  },
  certificateSelfSigned: {
    kind: 'tls',
    codePattern: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    problem: 'the certificate of the service is self-signed and not trusted',
    advice: "add it to your system's trusted certificates, or name its file in NODE_EXTRA_CA_CERTS",
  },
  untrusted: {
    kind: 'tls',
    codePattern: /^(SELF_SIGNED|UNABLE_TO_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/,
    problem: 'the certificate of the service is not trusted',
    advice: "add its certificate authority to your system's, or name its file in NODE_EXTRA_CA_CERTS",
  },
  notEncrypted: {
    kind: 'tls',
    codePattern: /^(ERR_TLS_|ERR_SSL_|EPROTO$|UND_ERR_PRX_TLS)/,
    setupFix: 'editConnection',
    problem: 'no encrypted connection could be made',
    advice: 'check whether the address begins with https:// or http://',
  },
  connectionLost: {
    kind: 'network',
    codePattern: /^/,
    isRetried: true,
    problem: 'the connection was lost',
    advice: 'check your network and try again',
  },
  aborted: { kind: 'aborted', problem: 'it was canceled', advice: 'start again when needed' },
} as const satisfies Readonly<Record<string, CauseRow>>;
