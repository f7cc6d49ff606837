/*
 * The table of failures: the traits of each kind, and one row for each cause. `causes.ts` looks causes up in it.
 */

/** What kind of failure an `ApiError` is. */
export type ApiErrorKind =
  /** The key is missing, wrong, or its licence expired (401). */
  | 'unauthorized'
  /** The key may not do this, or the REST API is not activated (403). */
  | 'forbidden'
  /** The record does not exist (404, 410, or an empty answer where one record was asked for). */
  | 'notFound'
  /** The service, or the client before it, refused what was asked (400, 405, 415, 422 and other 4xx; a bad base URL). */
  | 'invalid'
  /** The service failed (5xx). */
  | 'server'
  /** 429. */
  | 'rateLimited'
  /** A redirect that is not followed. `location` says where it leads. */
  | 'redirect'
  /** The answer is not what the service documents: not JSON, JSON of another shape, or too large. */
  | 'notJson'
  /** No connection, or it broke: name not found, refused, reset, proxy. */
  | 'network'
  /** Nothing came in time. */
  | 'timeout'
  /** The certificate or the encryption can't be trusted. */
  | 'tls'
  /** The caller cancelled, or closed the client. */
  | 'aborted';

/** What a user can do about a failure, as a button. */
type Button = 'retry' | 'setApiKey' | 'editConnection' | 'showLog';

/** What is wrong with an address or a key that is being set up. */
export type SetupProblem =
  | 'notActivated'
  | 'expired'
  | 'wrongKey'
  | 'forbidden'
  | 'noService'
  | 'redirect'
  | 'proxy'
  | 'proxyPassword'
  | 'certificate'
  | 'certificateExpired'
  | 'certificateTooEarly'
  | 'certificateOfOther'
  | 'certificateOfItself'
  | 'notEncrypted'
  | 'timeout'
  | 'unknownHost'
  | 'refused'
  | 'network'
  | 'server'
  | 'busy'
  | 'stopped'
  | 'other';

/** What is the same for all causes of one kind, unless the row of a cause says otherwise. */
export interface KindTraits {
  /** The likeliest to help comes first. */
  readonly buttons: readonly Button[];
  /**
   * What it tells of the connection: `failed`, the service can't be used as it is; `connected`, it answered, and refused this one thing
   * only; `nothing`, it wasn't asked.
   */
  readonly connection: 'failed' | 'connected' | 'nothing';
  /** In the few words that fit into a side bar. Without them the whole message is shown. */
  readonly short?: string;
  /** Shown beside the connection's name. */
  readonly state: string;
  /** A codicon for the connection. */
  readonly icon: 'key' | 'debug-disconnect';
  /** A sentence without its full stop: why an answer told nothing, where it is known by now what came of the request. */
  readonly sentence: string;
  readonly setup: SetupProblem;
  /** Of several profiles that fail at one address, the failure with the highest is told. Infinity: no other profile can mend it. */
  readonly clarity: number;
  /**
   * Whether a write may have been done all the same. `ifSent`: where any of it may have reached the service. `byStatus`: unless the status
   * is 4xx, as only a refusal in so many words says that it was not.
   */
  readonly write: 'refused' | 'unknown' | 'ifSent' | 'byStatus';
}

const unreachable = {
  connection: 'failed',
  state: 'unreachable',
  icon: 'debug-disconnect',
  sentence: 'The service failed',
} as const;
const answered = { ...unreachable, connection: 'connected' } as const;
const atAddress: readonly Button[] = ['editConnection', 'retry', 'showLog'];
const onTheWay: readonly Button[] = ['retry', 'editConnection', 'showLog'];
const again: readonly Button[] = ['retry', 'showLog'];

export const kinds: Readonly<Record<ApiErrorKind, KindTraits>> = {
  unauthorized: {
    ...unreachable,
    buttons: ['setApiKey', ...again],
    short: 'Key missing or refused',
    state: 'key refused',
    icon: 'key',
    setup: 'wrongKey',
    clarity: 7,
    write: 'refused',
  },
  // A role that may not do one thing may do another.
  forbidden: {
    ...answered,
    buttons: again,
    short: 'Access refused',
    state: 'access refused',
    setup: 'forbidden',
    clarity: 6,
    write: 'refused',
  },
  redirect: {
    ...unreachable,
    buttons: atAddress,
    short: 'The service has moved',
    state: 'moved',
    setup: 'redirect',
    clarity: 5,
    write: 'unknown',
  },
  server: { ...answered, buttons: again, short: 'The service failed', setup: 'server', clarity: 4, write: 'unknown' },
  invalid: { ...answered, buttons: ['showLog'], setup: 'noService', clarity: 3, write: 'refused' },
  notJson: {
    ...unreachable,
    buttons: atAddress,
    short: 'No mailing service answers',
    state: 'no mailing service there',
    sentence: 'The answer was not that of a mailing service',
    setup: 'noService',
    clarity: 2,
    write: 'byStatus',
  },
  notFound: { ...answered, buttons: ['showLog'], setup: 'noService', clarity: 1, write: 'refused' },
  rateLimited: {
    ...answered,
    buttons: again,
    short: 'Too many requests',
    setup: 'busy',
    clarity: Infinity,
    write: 'refused',
  },
  network: {
    ...unreachable,
    buttons: onTheWay,
    short: "Can't be reached",
    sentence: 'The connection was lost',
    setup: 'network',
    clarity: Infinity,
    write: 'ifSent',
  },
  timeout: {
    ...unreachable,
    buttons: onTheWay,
    short: 'No answer in time',
    sentence: 'The service did not answer in time',
    setup: 'timeout',
    clarity: Infinity,
    write: 'ifSent',
  },
  tls: {
    ...unreachable,
    buttons: onTheWay,
    short: 'Certificate not trusted',
    state: 'certificate not trusted',
    setup: 'certificate',
    clarity: Infinity,
    write: 'ifSent',
  },
  aborted: {
    ...unreachable,
    connection: 'nothing',
    buttons: again,
    setup: 'stopped',
    clarity: Infinity,
    write: 'ifSent',
  },
};

export interface Row extends Partial<KindTraits> {
  readonly kind: ApiErrorKind;
  /** What failed. `{noun}`, `{status}` and `{location}` are put in; empty where only the place that found it knows. */
  readonly what: string;
  /** What to do, in the imperative. */
  readonly next: string;
  /** The statuses that mean it, where the service's words (`said`) fit. */
  readonly status?: readonly number[];
  readonly said?: RegExp;
  /** Every status from this on that no other row names. */
  readonly from?: number;
  /** The codes of a failed connection that mean it. */
  readonly code?: RegExp;
  /** Whether a read is repeated at once, as it is a connection that failed. */
  readonly retry?: boolean;
}

const ADDRESS = 'check the address of this connection';
const ADDRESS_AND_NETWORK = `${ADDRESS} and your network`;
const PROFILE = 'check the address and the profile of this connection';
const PROXY = 'check the proxy settings (http.proxy, http.noProxy)';
const REPORT = 'report it to the operator of the service';
const RAISE_TIMEOUT = 'or raise the timeout';
const FAILED_WITH_STATUS = {
  what: 'the service failed with status {status}',
  next: 'try again later, or report it to its operator',
};

/** The first row that fits counts. */
export const rows = {
  licenceExpired: {
    kind: 'unauthorized',
    status: [401],
    said: /licen[cs]e.*expired/i,
    setup: 'expired',
    what: 'the licence of the service has expired',
    next: 'renew it on the service',
  },
  keyLost: {
    kind: 'unauthorized',
    status: [401],
    said: /missing/i,
    what: 'the API key did not reach the service',
    next: 'ask its operator whether a proxy removes the header Api-Key',
  },
  keyRefused: {
    kind: 'unauthorized',
    status: [401],
    what: 'the service refused the API key',
    next: "set this connection's API key again",
  },
  noKey: { kind: 'unauthorized', what: '', next: "set this connection's API key" },
  // An interface that is switched off concerns all that is asked of it.
  notActivated: {
    kind: 'forbidden',
    status: [403],
    said: /not activated/i,
    connection: 'failed',
    setup: 'notActivated',
    what: 'the REST API of the service is not activated',
    next: "turn it on in the service's configuration",
  },
  forbidden: {
    kind: 'forbidden',
    status: [403],
    what: 'the service does not allow it',
    next: 'ask its operator for the permission',
  },
  refused: {
    kind: 'invalid',
    status: [400],
    what: 'the service refused the request',
    next: 'correct what was asked for',
  },
  paymentRequired: {
    kind: 'invalid',
    status: [402],
    what: 'the service asks for a payment first',
    next: 'ask its operator about the licence',
  },
  notFound: {
    kind: 'notFound',
    status: [404],
    what: 'the service does not find the {noun}',
    next: 'refresh, as it may have been deleted',
  },
  gone: { kind: 'notFound', status: [410], what: 'the {noun} is gone', next: 'refresh' },
  wrongMethod: {
    kind: 'invalid',
    status: [405],
    what: 'the service does not take this kind of request',
    next: PROFILE,
  },
  conflict: {
    kind: 'invalid',
    status: [409],
    what: 'the service says that what was asked for does not fit what it is now',
    next: 'refresh, look at it, and try again',
  },
  tooLarge: {
    kind: 'invalid',
    status: [413],
    what: 'what was sent is too large for the service',
    next: 'make it smaller, or ask its operator to allow more',
  },
  wrongType: {
    kind: 'invalid',
    status: [415],
    what: 'the service does not take the type of the request',
    next: 'check the profile of this connection',
  },
  refusedValues: {
    kind: 'invalid',
    status: [422],
    what: 'the service refused what was sent',
    next: 'correct it and try again',
  },
  otherRefusal: { kind: 'invalid', from: 400, what: 'the service refused it with status {status}', next: PROFILE },
  /** Nothing was sent, as what was asked for can't be. */
  badArgument: { kind: 'invalid', connection: 'nothing', setup: 'other', what: '', next: 'correct it' },
  /** Nothing can be sent at all: the address, the proxy or the profile of the connection is wrong. */
  badSetting: { kind: 'invalid', connection: 'failed', setup: 'other', what: '', next: 'correct it' },
  rateLimited: {
    kind: 'rateLimited',
    status: [429],
    what: 'the service got too many requests',
    next: 'wait a while and try again',
  },
  // A gateway answers these in the service's place.
  down: { kind: 'server', status: [502, 503, 504], connection: 'failed', ...FAILED_WITH_STATUS },
  serverError: { kind: 'server', from: 500, ...FAILED_WITH_STATUS },
  reported: { kind: 'server', what: 'the service reports an error', next: 'correct it and try again' },
  /** Many services answer a write so after they did it, whichever of the statuses they choose. */
  moved: {
    kind: 'redirect',
    what: 'the service redirects to {location}',
    next: 'if that is the same service, make it the address of this connection',
  },
  movedNowhere: { kind: 'redirect', what: 'the service redirects to nowhere', next: ADDRESS },
  /** A record of which one field has not the documented form: the service is one, and its address is right. */
  oddField: {
    kind: 'notJson',
    connection: 'connected',
    short: undefined,
    buttons: again,
    write: 'unknown',
    what: '',
    next: REPORT,
  },
  noService: {
    kind: 'notJson',
    what: '',
    next: 'check that the address of this connection leads to a mailing service',
  },
  strangeStatus: {
    kind: 'notJson',
    from: 0,
    what: 'the service answered with the unexpected status {status}',
    next: ADDRESS,
  },
  notHttp: {
    kind: 'notJson',
    code: /^NOT_HTTP$/,
    write: 'ifSent',
    what: 'what answers at the address does not speak HTTP',
    next: ADDRESS,
  },
  badResponse: {
    kind: 'notJson',
    code: /^BAD_RESPONSE$/,
    write: 'ifSent',
    what: 'the answer breaks the rules of HTTP',
    next: `${REPORT}, or of the proxy before it`,
  },
  headTooLong: {
    kind: 'notJson',
    code: /^UND_ERR_HEADERS_OVERFLOW$/,
    write: 'ifSent',
    what: 'the head of the answer is too long',
    next: REPORT,
  },
  unknownEncoding: {
    kind: 'notJson',
    code: /^UNKNOWN_ENCODING$/,
    write: 'ifSent',
    what: 'the answer is compressed in a way that was not asked for and is not known here',
    next: REPORT,
  },
  brokenEncoding: {
    kind: 'notJson',
    code: /^BROKEN_ENCODING$/,
    write: 'ifSent',
    what: 'the answer is compressed in a broken way',
    next: `try again, or ${REPORT}`,
  },
  unknownHost: {
    kind: 'network',
    code: /^(ENOTFOUND|EAI_)/,
    retry: true,
    setup: 'unknownHost',
    what: 'no host of that name was found',
    next: ADDRESS_AND_NETWORK,
  },
  refusedConnection: {
    kind: 'network',
    code: /^ECONNREFUSED$/,
    retry: true,
    setup: 'refused',
    what: 'nothing answers at the address',
    next: `${ADDRESS} and the proxy settings, and that the service runs`,
  },
  unreachable: {
    kind: 'network',
    code: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/,
    retry: true,
    what: "the service can't be reached",
    next: 'check your network',
  },
  closed: {
    kind: 'network',
    code: /^UND_ERR_(DESTROYED|CLOSED)$/,
    what: 'the connections were closed',
    next: 'try again',
  },
  // A proxy that asks for a password has passed nothing on.
  proxyPassword: {
    kind: 'network',
    status: [407],
    code: /^PROXY_AUTHENTICATION$/,
    setup: 'proxyPassword',
    write: 'refused',
    what: 'the proxy asks for a user name and password, or does not take the ones it got (407)',
    next: "put the right ones into the proxy's address (http.proxy in the settings, or HTTPS_PROXY in the environment)",
  },
  proxyClosed: {
    kind: 'network',
    code: /^PROXY_CLOSED$/,
    retry: true,
    setup: 'proxy',
    what: 'the proxy ended the connection',
    next: `${PROXY}, or ask who runs it`,
  },
  proxyForbids: {
    kind: 'network',
    code: /^PROXY_REFUSED_403$/,
    setup: 'proxy',
    what: 'the proxy does not allow a connection to this service (403)',
    next: 'ask who runs the proxy, or except the host from it (http.noProxy)',
  },
  proxyUnreached: {
    kind: 'network',
    code: /^PROXY_REFUSED_50[234]$/,
    retry: true,
    setup: 'proxy',
    what: 'the proxy could not reach the service',
    next: `${ADDRESS}, or except its host from the proxy (http.noProxy)`,
  },
  proxyRefused: {
    kind: 'network',
    code: /^PROXY_REFUSED_/,
    setup: 'proxy',
    what: 'the proxy refused the connection',
    next: PROXY,
  },
  requestTimeout: {
    kind: 'timeout',
    status: [408],
    write: 'refused',
    what: 'the service waited too long for the request',
    next: 'try again',
  },
  connectTimedOut: {
    kind: 'timeout',
    code: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    retry: true,
    what: 'no connection was made in time',
    next: ADDRESS_AND_NETWORK,
  },
  noConnectionInTime: {
    kind: 'timeout',
    retry: true,
    what: 'no connection was made in time',
    next: `${ADDRESS_AND_NETWORK}, ${RAISE_TIMEOUT}`,
  },
  noAnswerInTime: {
    kind: 'timeout',
    what: 'the service did not answer in time',
    next: `try again later, ${RAISE_TIMEOUT}`,
  },
  noEndInTime: { kind: 'timeout', what: 'the answer did not end in time', next: `try again later, ${RAISE_TIMEOUT}` },
  certificateExpired: {
    kind: 'tls',
    code: /^CERT_HAS_EXPIRED$/,
    setup: 'certificateExpired',
    what: 'the certificate of the service has expired',
    next: 'ask its operator to renew it',
  },
  certificateOfOther: {
    kind: 'tls',
    code: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    setup: 'certificateOfOther',
    what: 'the certificate of the service is for another host',
    next: ADDRESS,
  },
  certificateTooEarly: {
    kind: 'tls',
    code: /^CERT_NOT_YET_VALID$/,
    setup: 'certificateTooEarly',
    what: 'the certificate of the service is not valid yet',
    next: 'check the date and time of this machine, or ask the operator of the service to mend it',
  },
  certificateRevoked: {
    kind: 'tls',
    code: /^CERT_REVOKED$/,
    what: 'the certificate of the service was revoked',
    next: 'ask its operator for another one',
  },
  certificateOfItself: {
    kind: 'tls',
    code: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    setup: 'certificateOfItself',
    what: 'the certificate of the service is signed by itself, and not trusted',
    next: "add it to your system's trusted certificates, or name its file in NODE_EXTRA_CA_CERTS",
  },
  untrusted: {
    kind: 'tls',
    code: /^(SELF_SIGNED|UNABLE_TO_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/,
    what: 'the certificate of the service is not trusted',
    next: "add its certificate authority to your system's, or name its file in NODE_EXTRA_CA_CERTS",
  },
  notEncrypted: {
    kind: 'tls',
    code: /^(ERR_TLS_|ERR_SSL_|EPROTO$|UND_ERR_PRX_TLS)/,
    setup: 'notEncrypted',
    what: 'no encrypted connection could be made',
    next: 'check whether the address begins with https:// or http://',
  },
  /** Every other code of a failed connection. */
  lost: {
    kind: 'network',
    code: /^/,
    retry: true,
    what: 'the connection was lost',
    next: 'check your network and try again',
  },
  aborted: { kind: 'aborted', what: 'it was cancelled', next: 'start again when needed' },
} as const satisfies Readonly<Record<string, Row>>;
