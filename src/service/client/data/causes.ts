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
  | 'certificateNotYetValid'
  | 'certificateWrongHost'
  | 'certificateSelfSigned'
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
  readonly shortText?: string;
  /** Shown beside the connection's name. */
  readonly stateText: string;
  /** A codicon for the connection. */
  readonly icon: 'key' | 'debug-disconnect';
  /** A sentence without its full stop: why an answer told nothing, where it is known by now what came of the request. */
  readonly sentence: string;
  readonly setupProblem: SetupProblem;
  /** Of several profiles that fail at one address, the failure with the highest is told. Infinity: no other profile can mend it. */
  readonly specificity: number;
  /**
   * Whether a write may have been done all the same. `ifSent`: where any of it may have reached the service. `byStatus`: unless the status
   * is 4xx, as only a refusal in so many words says that it was not.
   */
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
    setupProblem: 'wrongKey',
    specificity: 7,
    writeOutcome: 'refused',
  },
  // A role that may not do one thing may do another.
  forbidden: {
    ...connectedTraits,
    buttons: retryButtons,
    shortText: 'Access refused',
    stateText: 'access refused',
    setupProblem: 'forbidden',
    specificity: 6,
    writeOutcome: 'refused',
  },
  redirect: {
    ...failedTraits,
    buttons: addressButtons,
    shortText: 'The service has moved',
    stateText: 'moved',
    setupProblem: 'redirect',
    specificity: 5,
    writeOutcome: 'unknown',
  },
  server: {
    ...connectedTraits,
    buttons: retryButtons,
    shortText: 'The service failed',
    setupProblem: 'server',
    specificity: 4,
    writeOutcome: 'unknown',
  },
  invalid: {
    ...connectedTraits,
    buttons: ['showLog'],
    setupProblem: 'noService',
    specificity: 3,
    writeOutcome: 'refused',
  },
  notJson: {
    ...failedTraits,
    buttons: addressButtons,
    shortText: 'No mailing service answers',
    stateText: 'no mailing service there',
    sentence: 'The answer was not that of a mailing service',
    setupProblem: 'noService',
    specificity: 2,
    writeOutcome: 'byStatus',
  },
  notFound: {
    ...connectedTraits,
    buttons: ['showLog'],
    setupProblem: 'noService',
    specificity: 1,
    writeOutcome: 'refused',
  },
  rateLimited: {
    ...connectedTraits,
    buttons: retryButtons,
    shortText: 'Too many requests',
    setupProblem: 'busy',
    specificity: Infinity,
    writeOutcome: 'refused',
  },
  network: {
    ...failedTraits,
    buttons: networkButtons,
    shortText: "Can't be reached",
    sentence: 'The connection was lost',
    setupProblem: 'network',
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
  timeout: {
    ...failedTraits,
    buttons: networkButtons,
    shortText: 'No answer in time',
    sentence: 'The service did not answer in time',
    setupProblem: 'timeout',
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
  tls: {
    ...failedTraits,
    buttons: networkButtons,
    shortText: 'Certificate not trusted',
    stateText: 'certificate not trusted',
    setupProblem: 'certificate',
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
  aborted: {
    ...failedTraits,
    connection: 'nothing',
    buttons: retryButtons,
    setupProblem: 'stopped',
    specificity: Infinity,
    writeOutcome: 'ifSent',
  },
};

export interface CauseRow extends Partial<KindTraits> {
  readonly kind: ApiErrorKind;
  /** What failed. `{noun}`, `{status}` and `{location}` are put in; empty where only the place that found it knows. */
  readonly problem: string;
  /** What to do, in the imperative. */
  readonly advice: string;
  /** The statuses that mean it, where the service's words (`said`) fit. */
  readonly statuses?: readonly number[];
  readonly messagePattern?: RegExp;
  /** Every status from this on that no other row names. */
  readonly minStatus?: number;
  /** The codes of a failed connection that mean it. */
  readonly codePattern?: RegExp;
  /** Whether a read is repeated at once, as it is a connection that failed. */
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

/** The first row that fits counts. */
export const causeRows = {
  licenceExpired: {
    kind: 'unauthorized',
    statuses: [401],
    messagePattern: /licen[cs]e.*expired/i,
    setupProblem: 'expired',
    problem: 'the licence of the service has expired',
    advice: 'renew it on the service',
  },
  keyMissing: {
    kind: 'unauthorized',
    statuses: [401],
    messagePattern: /missing/i,
    problem: 'the API key did not reach the service',
    advice: 'ask its operator whether a proxy removes the header Api-Key',
  },
  keyRefused: {
    kind: 'unauthorized',
    statuses: [401],
    problem: 'the service refused the API key',
    advice: "set this connection's API key again",
  },
  noKey: { kind: 'unauthorized', problem: '', advice: "set this connection's API key" },
  // An interface that is switched off concerns all that is asked of it.
  notActivated: {
    kind: 'forbidden',
    statuses: [403],
    messagePattern: /not activated/i,
    connection: 'failed',
    setupProblem: 'notActivated',
    problem: 'the REST API of the service is not activated',
    advice: "turn it on in the service's configuration",
  },
  forbidden: {
    kind: 'forbidden',
    statuses: [403],
    problem: 'the service does not allow it',
    advice: 'ask its operator for the permission',
  },
  refused: {
    kind: 'invalid',
    statuses: [400],
    problem: 'the service refused the request',
    advice: 'correct what was asked for',
  },
  paymentRequired: {
    kind: 'invalid',
    statuses: [402],
    problem: 'the service asks for a payment first',
    advice: 'ask its operator about the licence',
  },
  notFound: {
    kind: 'notFound',
    statuses: [404],
    problem: 'the service does not find the {noun}',
    advice: 'refresh, as it may have been deleted',
  },
  deletedRecord: { kind: 'notFound', statuses: [410], problem: 'the {noun} is gone', advice: 'refresh' },
  wrongMethod: {
    kind: 'invalid',
    statuses: [405],
    problem: 'the service does not take this kind of request',
    advice: PROFILE,
  },
  conflict: {
    kind: 'invalid',
    statuses: [409],
    problem: 'the service says that what was asked for does not fit what it is now',
    advice: 'refresh, look at it, and try again',
  },
  tooLarge: {
    kind: 'invalid',
    statuses: [413],
    problem: 'what was sent is too large for the service',
    advice: 'make it smaller, or ask its operator to allow more',
  },
  wrongType: {
    kind: 'invalid',
    statuses: [415],
    problem: 'the service does not take the type of the request',
    advice: 'check the profile of this connection',
  },
  refusedValues: {
    kind: 'invalid',
    statuses: [422],
    problem: 'the service refused what was sent',
    advice: 'correct it and try again',
  },
  otherRefusal: {
    kind: 'invalid',
    minStatus: 400,
    problem: 'the service refused it with status {status}',
    advice: PROFILE,
  },
  /** Nothing was sent, as what was asked for can't be. */
  badArgument: { kind: 'invalid', connection: 'nothing', setupProblem: 'other', problem: '', advice: 'correct it' },
  /** Nothing can be sent at all: the address, the proxy or the profile of the connection is wrong. */
  badSetting: { kind: 'invalid', connection: 'failed', setupProblem: 'other', problem: '', advice: 'correct it' },
  rateLimited: {
    kind: 'rateLimited',
    statuses: [429],
    problem: 'the service got too many requests',
    advice: 'wait a while and try again',
  },
  // A gateway answers these in the service's place.
  down: { kind: 'server', statuses: [502, 503, 504], connection: 'failed', ...FAILED_WITH_STATUS },
  serverError: { kind: 'server', minStatus: 500, ...FAILED_WITH_STATUS },
  reportedError: { kind: 'server', problem: 'the service reports an error', advice: 'correct it and try again' },
  /** Many services answer a write so after they did it, whichever of the statuses they choose. */
  moved: {
    kind: 'redirect',
    problem: 'the service redirects to {location}',
    advice: 'if that is the same service, make it the address of this connection',
  },
  redirectWithoutLocation: { kind: 'redirect', problem: 'the service redirects to nowhere', advice: ADDRESS },
  /** A record of which one field has not the documented form: the service is one, and its address is right. */
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
    minStatus: 0,
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
    problem: 'the answer is compressed in a way that was not asked for and is not known here',
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
    setupProblem: 'unknownHost',
    problem: 'no host of that name was found',
    advice: ADDRESS_AND_NETWORK,
  },
  refusedConnection: {
    kind: 'network',
    codePattern: /^ECONNREFUSED$/,
    isRetried: true,
    setupProblem: 'refused',
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
  // A proxy that asks for a password has passed nothing on.
  proxyPassword: {
    kind: 'network',
    statuses: [407],
    codePattern: /^PROXY_AUTHENTICATION$/,
    setupProblem: 'proxyPassword',
    writeOutcome: 'refused',
    problem: 'the proxy asks for a user name and password, or does not take the ones it got (407)',
    advice:
      "put the right ones into the proxy's address (http.proxy in the settings, or HTTPS_PROXY in the environment)",
  },
  proxyClosed: {
    kind: 'network',
    codePattern: /^PROXY_CLOSED$/,
    isRetried: true,
    setupProblem: 'proxy',
    problem: 'the proxy ended the connection',
    advice: `${PROXY}, or ask who runs it`,
  },
  proxyForbids: {
    kind: 'network',
    codePattern: /^PROXY_REFUSED_403$/,
    setupProblem: 'proxy',
    problem: 'the proxy does not allow a connection to this service (403)',
    advice: 'ask who runs the proxy, or except the host from it (http.noProxy)',
  },
  proxyCannotConnect: {
    kind: 'network',
    codePattern: /^PROXY_REFUSED_50[234]$/,
    isRetried: true,
    setupProblem: 'proxy',
    problem: 'the proxy could not reach the service',
    advice: `${ADDRESS}, or except its host from the proxy (http.noProxy)`,
  },
  proxyRefused: {
    kind: 'network',
    codePattern: /^PROXY_REFUSED_/,
    setupProblem: 'proxy',
    problem: 'the proxy refused the connection',
    advice: PROXY,
  },
  requestTimeout: {
    kind: 'timeout',
    statuses: [408],
    writeOutcome: 'refused',
    problem: 'the service waited too long for the request',
    advice: 'try again',
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
    setupProblem: 'certificateExpired',
    problem: 'the certificate of the service has expired',
    advice: 'ask its operator to renew it',
  },
  certificateWrongHost: {
    kind: 'tls',
    codePattern: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    setupProblem: 'certificateWrongHost',
    problem: 'the certificate of the service is for another host',
    advice: ADDRESS,
  },
  certificateNotYetValid: {
    kind: 'tls',
    codePattern: /^CERT_NOT_YET_VALID$/,
    setupProblem: 'certificateNotYetValid',
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
    setupProblem: 'certificateSelfSigned',
    problem: 'the certificate of the service is signed by itself, and not trusted',
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
    setupProblem: 'notEncrypted',
    problem: 'no encrypted connection could be made',
    advice: 'check whether the address begins with https:// or http://',
  },
  /** Every other code of a failed connection. */
  connectionLost: {
    kind: 'network',
    codePattern: /^/,
    isRetried: true,
    problem: 'the connection was lost',
    advice: 'check your network and try again',
  },
  aborted: { kind: 'aborted', problem: 'it was cancelled', advice: 'start again when needed' },
} as const satisfies Readonly<Record<string, CauseRow>>;
