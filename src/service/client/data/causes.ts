import { localized, t } from '../../../l10n.ts';

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
interface KindTraits {
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

const addressButtons: readonly Button[] = ['editConnection', 'retry', 'showLog'];
const networkButtons: readonly Button[] = ['retry', 'editConnection', 'showLog'];
const retryButtons: readonly Button[] = ['retry', 'showLog'];

/** Traits of each kind, in the display language. */
export const kindTraits = localized((): Readonly<Record<ApiErrorKind, KindTraits>> => {
  const failedTraits = {
    connection: 'failed',
    stateText: t({ message: 'unreachable', comment: 'State of a connection, beside its name' }),
    icon: 'debug-disconnect',
    sentence: t('The service failed'),
  } as const;
  const connectedTraits = { ...failedTraits, connection: 'connected' } as const;
  return {
    unauthorized: {
      ...failedTraits,
      buttons: ['setApiKey', ...retryButtons],
      shortText: t('API key missing or refused'),
      stateText: t({ message: 'key refused', comment: 'State of a connection, beside its name' }),
      icon: 'key',
      specificity: 7,
      writeOutcome: 'refused',
    },
    // A role without one permission may have others.
    forbidden: {
      ...connectedTraits,
      buttons: retryButtons,
      shortText: t('Access refused'),
      stateText: t({ message: 'access refused', comment: 'State of a connection, beside its name' }),
      setupFix: 'setApiKey',
      specificity: 6,
      writeOutcome: 'refused',
    },
    redirect: {
      ...failedTraits,
      buttons: addressButtons,
      shortText: t('The service has moved'),
      stateText: t({ message: 'moved', comment: 'State of a connection, beside its name' }),
      specificity: 5,
      writeOutcome: 'unknown',
    },
    server: {
      ...connectedTraits,
      buttons: retryButtons,
      shortText: t('The service failed'),
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
      shortText: t('No mailing service found'),
      stateText: t({
        message: 'no mailing service',
        comment: 'State of a connection, beside its name',
      }),
      sentence: t("The response wasn't from a mailing service"),
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
      shortText: t('Too many requests'),
      specificity: Infinity,
      writeOutcome: 'refused',
    },
    network: {
      ...failedTraits,
      buttons: networkButtons,
      shortText: t("Can't reach the service"),
      sentence: t('The connection was lost'),
      specificity: Infinity,
      writeOutcome: 'ifSent',
    },
    timeout: {
      ...failedTraits,
      buttons: networkButtons,
      shortText: t('No response in time'),
      sentence: t("The service didn't respond in time"),
      specificity: Infinity,
      writeOutcome: 'ifSent',
    },
    tls: {
      ...failedTraits,
      buttons: networkButtons,
      shortText: t('Certificate not trusted'),
      stateText: t({
        message: 'certificate not trusted',
        comment: 'State of a connection, beside its name',
      }),
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
});

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
 * `problem`: a sentence that says what failed, with the placeholders `{status}` and `{location}`; empty if the caller provides the text.
 * `advice`: a sentence that says what to do.
 */
type CauseRow = readonly [kind: ApiErrorKind, problem: string, advice: string, traits?: Matcher & Partial<KindTraits>];

/** A cause, merged with the traits of its kind. */
export interface Cause extends Matcher, KindTraits {
  readonly kind: ApiErrorKind;
  readonly problem: string;
  readonly advice: string;
}

/** What an operation requests. */
export type RecordType = 'user' | 'list' | 'template' | 'followUp' | 'campaign' | 'recipient' | 'service';

/** The problem of the cause `notFound`. */
export const notFoundProblems = localized((): Readonly<Record<RecordType, string>> => ({
  user: t("The service can't find this user."),
  list: t("The service can't find this list."),
  template: t("The service can't find this template."),
  followUp: t("The service can't find this follow-up."),
  campaign: t("The service can't find this campaign."),
  recipient: t("The service can't find this recipient or this email."),
  service: t('There is no mailing service at this URL.'),
}));

/** All causes, in the display language. The first matching row applies. */
export const causeRows = localized(() => {
  const checkAddress = t('Check the URL of this connection.');
  const checkAddressAndNetwork = t('Check the URL of this connection and your network.');
  const checkProfile = t('Check the URL and the profile of this connection.');
  const checkProxy = t('Check the proxy settings (http.proxy, http.noProxy).');
  const correctValues = t('Correct the values and try again.');
  const reportProblem = t("Report the problem to the service's operator.");
  const tryAgain = t('Try again.');
  const tryLater = t("Try again later, or report the problem to the service's operator.");
  const raiseTimeout = t('Try again later, or raise the timeout.');
  const failedWithStatus = t('The service failed with status {status}.');
  const timedOut = t("Couldn't connect in time.");
  return {
    licenseExpired: [
      'unauthorized',
      t('The license of the service has expired.'),
      t('Renew the license on the service.'),
      { status: 401, messagePattern: /licen[cs]e.*expired/i },
    ],
    keyMissing: [
      'unauthorized',
      t("The API key didn't reach the service."),
      t("Ask the service's operator whether a proxy removes the Api-Key header."),
      { status: 401, messagePattern: /missing/i },
    ],
    keyRefused: ['unauthorized', t('The service refused the API key.'), t('Check the API key.'), { status: 401 }],
    noKey: ['unauthorized', '', t("Set this connection's API key.")],
    // A disabled API affects all requests.
    notActivated: [
      'forbidden',
      t("The REST API of the service isn't activated."),
      t("Turn on the REST API in the service's configuration, under Security."),
      { status: 403, messagePattern: /not activated/i, connection: 'failed', setupFix: 'retry' },
    ],
    forbidden: [
      'forbidden',
      t("The service doesn't allow this."),
      t("Ask the service's operator for permission."),
      { status: 403 },
    ],
    refused: ['invalid', t('The service refused the request.'), correctValues, { status: 400 }],
    paymentRequired: [
      'invalid',
      t('The service requires a payment.'),
      t("Ask the service's operator about the license."),
      { status: 402 },
    ],
    /** `notFoundProblems` has the problem. */
    notFound: ['notFound', '', t('Refresh, because it may have been deleted.'), { status: 404 }],
    deletedRecord: ['notFound', t('It was deleted on the service.'), t('Refresh.'), { status: 410 }],
    wrongMethod: ['invalid', t("The service doesn't accept this kind of request."), checkProfile, { status: 405 }],
    conflict: ['invalid', t("The current state doesn't allow this."), t('Refresh and try again.'), { status: 409 }],
    tooLarge: [
      'invalid',
      t('The request is too large for the service.'),
      t("Shorten the content, or ask the service's operator to raise the limit."),
      { status: 413 },
    ],
    wrongType: [
      'invalid',
      t("The service doesn't accept the content type of the request."),
      t('Check the profile of this connection.'),
      { status: 415 },
    ],
    refusedValues: ['invalid', t('The service refused the values.'), correctValues, { status: 422 }],
    // A proxy that requires a password has forwarded nothing.
    proxyPassword: [
      'network',
      t('The proxy requires a valid user name and password (407).'),
      t(
        "Correct the user name and password in the proxy's URL (http.proxy in the settings, or HTTPS_PROXY in the environment).",
      ),
      { status: 407, codePattern: /^PROXY_AUTHENTICATION$/, writeOutcome: 'refused' },
    ],
    requestTimeout: [
      'timeout',
      t('The service waited too long for the request.'),
      tryAgain,
      { status: 408, writeOutcome: 'refused' },
    ],
    /** Invalid arguments; nothing was sent. */
    badArgument: ['invalid', '', correctValues, { connection: 'nothing' }],
    /** The address, proxy or profile of the connection is invalid; nothing can be sent. */
    badSetting: ['invalid', '', correctValues, { connection: 'failed' }],
    rateLimited: [
      'rateLimited',
      t('The service received too many requests.'),
      t('Wait a while and try again.'),
      { status: 429, isRetried: true },
    ],
    otherRefusal: [
      'invalid',
      t('The service refused the request with status {status}.'),
      checkProfile,
      { status: [400, 499] },
    ],
    // Sent by a gateway instead of the service.
    down: ['server', failedWithStatus, tryLater, { status: [502, 504], isRetried: true, connection: 'failed' }],
    serverError: ['server', failedWithStatus, tryLater, { status: [500, Infinity] }],
    reportedError: ['server', t('The service reported an error.'), correctValues],
    /** Many services redirect after they performed a write, with any of these statuses. */
    moved: [
      'redirect',
      t('The service redirects to {location}.'),
      t('If that is the same service, change the URL of this connection to it.'),
    ],
    redirectWithoutLocation: ['redirect', t('The service redirects without a target.'), checkAddress],
    /** One field of a record is invalid; the service and its address are correct. */
    invalidField: [
      'notJson',
      '',
      reportProblem,
      { connection: 'connected', shortText: undefined, buttons: retryButtons, writeOutcome: 'unknown' },
    ],
    noService: ['notJson', '', t('Check that a mailing service runs at the URL of this connection.')],
    unexpectedStatus: [
      'notJson',
      t('The service responded with the unexpected status {status}.'),
      checkAddress,
      { status: [0, 399] },
    ],
    notHttp: [
      'notJson',
      t("The response isn't HTTP."),
      checkAddress,
      { codePattern: /^NOT_HTTP$/, writeOutcome: 'ifSent' },
    ],
    badResponse: [
      'notJson',
      t("The response isn't valid HTTP."),
      t('Report the problem to the operator of the service or the proxy.'),
      { codePattern: /^BAD_RESPONSE$/, writeOutcome: 'ifSent' },
    ],
    headersTooLong: [
      'notJson',
      t('The headers of the response are too long.'),
      reportProblem,
      { codePattern: /^UND_ERR_HEADERS_OVERFLOW$/, writeOutcome: 'ifSent' },
    ],
    unknownEncoding: [
      'notJson',
      t("The compression of the response isn't supported."),
      reportProblem,
      { codePattern: /^UNKNOWN_ENCODING$/, writeOutcome: 'ifSent' },
    ],
    brokenEncoding: [
      'notJson',
      t("The response can't be decompressed."),
      t("Try again, or report the problem to the service's operator."),
      { codePattern: /^BROKEN_ENCODING$/, writeOutcome: 'ifSent' },
    ],
    unknownHost: [
      'network',
      t('No host of that name was found.'),
      checkAddressAndNetwork,
      { codePattern: /^(ENOTFOUND|EAI_)/, isRetried: true, setupFix: 'editConnection' },
    ],
    refusedConnection: [
      'network',
      t('Nothing responds at this URL.'),
      t('Check the URL of this connection and the proxy settings, and whether the service is running.'),
      { codePattern: /^ECONNREFUSED$/, isRetried: true, setupFix: 'editConnection' },
    ],
    unreachable: [
      'network',
      t("The service can't be reached."),
      t('Check your network.'),
      { codePattern: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, isRetried: true },
    ],
    closed: ['network', t('The connections were closed.'), tryAgain, { codePattern: /^UND_ERR_(DESTROYED|CLOSED)$/ }],
    proxyClosed: [
      'network',
      t('The proxy closed the connection.'),
      t("Check the proxy settings (http.proxy, http.noProxy), or ask the proxy's operator."),
      { codePattern: /^PROXY_CLOSED$/, isRetried: true },
    ],
    proxyForbids: [
      'network',
      t("The proxy doesn't allow a connection to this service (403)."),
      t("Ask the proxy's operator, or exclude the host from the proxy (http.noProxy)."),
      { codePattern: /^PROXY_REFUSED_403$/ },
    ],
    proxyCannotConnect: [
      'network',
      t("The proxy couldn't reach the service."),
      t('Check the URL of this connection, or exclude the host from the proxy (http.noProxy).'),
      { codePattern: /^PROXY_REFUSED_50[234]$/, isRetried: true },
    ],
    proxyRefused: ['network', t('The proxy refused the connection.'), checkProxy, { codePattern: /^PROXY_REFUSED_/ }],
    systemConnectTimedOut: [
      'timeout',
      timedOut,
      checkAddressAndNetwork,
      { codePattern: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, isRetried: true },
    ],
    connectionTimedOut: [
      'timeout',
      timedOut,
      t('Check the URL of this connection and your network, or raise the timeout.'),
      { isRetried: true },
    ],
    responseTimedOut: ['timeout', t("The service didn't respond in time."), raiseTimeout],
    bodyTimedOut: ['timeout', t("The response didn't end in time."), raiseTimeout],
    certificateExpired: [
      'tls',
      t('The certificate of the service has expired.'),
      t("Ask the service's operator to renew the certificate."),
      { codePattern: /^CERT_HAS_EXPIRED$/ },
    ],
    certificateWrongHost: [
      'tls',
      t('The certificate of the service is for another host.'),
      checkAddress,
      { codePattern: /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, setupFix: 'editConnection' },
    ],
    certificateNotYetValid: [
      'tls',
      t('The certificate of the service is not valid yet.'),
      t("Check the date and time of this computer, or ask the service's operator to correct the certificate."),
      { codePattern: /^CERT_NOT_YET_VALID$/ },
    ],
    certificateRevoked: [
      'tls',
      t('The certificate of the service was revoked.'),
      t("Ask the service's operator for another certificate."),
      { codePattern: /^CERT_REVOKED$/ },
    ],
    certificateSelfSigned: [
      'tls',
      t('The certificate of the service is self-signed and not trusted.'),
      t("Add the certificate to your system's trusted certificates, or set NODE_EXTRA_CA_CERTS to its file."),
      { codePattern: /^DEPTH_ZERO_SELF_SIGNED_CERT$/ },
    ],
    untrusted: [
      'tls',
      t('The certificate of the service is not trusted.'),
      t('Add the certificate authority to your system, or set NODE_EXTRA_CA_CERTS to its file.'),
      { codePattern: /^(SELF_SIGNED|UNABLE_TO_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/ },
    ],
    notEncrypted: [
      'tls',
      t("Couldn't make an encrypted connection."),
      t('Check whether the URL begins with https:// or http://.'),
      { codePattern: /^(ERR_TLS_|ERR_SSL_|EPROTO$|UND_ERR_PRX_TLS)/, setupFix: 'editConnection' },
    ],
    connectionLost: [
      'network',
      t('The connection was lost.'),
      t('Check your network and try again.'),
      { codePattern: /^/, isRetried: true },
    ],
    aborted: ['aborted', t('The request was canceled.'), tryAgain],
  } as const satisfies Readonly<Record<string, CauseRow>>;
});
