import { lookup as systemLookup } from 'node:dns';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { plural, t } from '../../../l10n.ts';
import { looksLikeActionLink, mayContainToken } from '../../../email/checks/actionLinks.ts';
import ipaddr from 'ipaddr.js';

/** The response of an address. `bytes`: the size, or NaN if the host doesn't report it. `refused`: the check was blocked, with the reason. */
export type ProbeResult =
  | { readonly kind: 'answered'; readonly status: number; readonly type: string; readonly bytes: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ProbeOptions {
  readonly signal: AbortSignal;
  /** Hosts with ports that the user agreed to. Applies to redirects too. */
  readonly hosts: Pick<ReadonlySet<string>, 'has'>;
  /** Per address, including its redirects. */
  readonly timeoutMs?: number;
  /** Name resolution; by default that of the system. */
  readonly lookup?: LookupFunction;
  /** Returns whether an IP address must not be requested. */
  readonly isRefused?: (address: string) => boolean;
}

type Method = 'HEAD' | 'GET';

const DEFAULT_TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 5;
/** Statuses of a HEAD request that apply to GET too. Servers without HEAD support respond with others. */
const MISSING: ReadonlySet<number> = new Set([404, 410]);
/** Doesn't identify the user: no cookies, referrer or key. */
const REQUEST_HEADERS = { 'User-Agent': 'Mozilla/5.0 (compatible; Mailing Studio link check)', Accept: '*/*' };

class RefusedError extends Error {}

/**
 * Sends a HEAD request. If it fails, sends a GET request, unless the URL may contain a token that a visit would use
 * up. Never rejects unless the signal is aborted.
 */
export async function probe(url: string, options: ProbeOptions): Promise<ProbeResult> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)]);
  try {
    const head = await follow(url, 'HEAD', { ...options, signal });
    if (head.kind !== 'answered' || head.status < 400) return head;
    return MISSING.has(head.status) && mayContainToken(url) ? head : await follow(url, 'GET', { ...options, signal });
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof RefusedError) return { kind: 'refused', reason: error.message };
    const seconds = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000;
    return {
      kind: 'failed',
      reason: signal.aborted
        ? plural(seconds, t('No response within {0} second'), t('No response within {0} seconds'))
        : describeFailure(error),
    };
  }
}

async function follow(from: string, method: Method, options: ProbeOptions): Promise<ProbeResult> {
  let url = new URL(from);
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const { statusCode: status = 0, headers } = await sendRequest(url, method, options);
    const { location } = headers;
    if (status < 300 || status > 399 || location === undefined)
      return {
        kind: 'answered',
        status,
        type: headers['content-type'] ?? '',
        bytes: Number(headers['content-length']),
      };
    if (!URL.canParse(location, url.href)) return { kind: 'failed', reason: t('Redirects to an invalid URL') };
    url = new URL(location, url.href);
    if (looksLikeActionLink(url.href)) throw new RefusedError(t('Redirects to a URL that may unsubscribe or confirm'));
  }
  const reason = plural(MAX_REDIRECTS, t('Redirects more than once'), t('Redirects more than {0} times'));
  return { kind: 'failed', reason };
}

/** Resolves with the response headers and drops the body. */
async function sendRequest(url: URL, method: Method, options: ProbeOptions): Promise<IncomingMessage> {
  const refuses = options.isRefused ?? isPrivateAddress;
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  if (!/^https?:$/u.test(url.protocol)) throw new RefusedError(t`Redirects to ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new RefusedError(t('The URL contains a password'));
  if (isIP(host) !== 0 && refuses(host))
    throw new RefusedError(t('The address belongs to this computer or its network'));
  if (!options.hosts.has(url.host)) throw new RefusedError(t`Redirects to ${url.host}, which you didn't select`);
  if (method === 'GET' && mayContainToken(url.href))
    throw new RefusedError(t('The host responds only to visits, and a visit may invalidate the link'));
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const lookup = createGuardedLookup(options.lookup ?? systemLookup, refuses);
  // If a proxy resolves the name, this is the only check.
  if (isIP(host) === 0) await assertPublicName(host, lookup);
  const settings: RequestOptions = { method, headers: REQUEST_HEADERS, signal: options.signal, lookup, agent: false };
  return new Promise((resolve, reject) => {
    request(url, settings, (answer) => {
      answer.destroy();
      resolve(answer);
    })
      .on('error', reject)
      .end();
  });
}

/** Rejects if a name belongs to this network. Failed lookups count as public. */
function assertPublicName(host: string, lookup: LookupFunction): Promise<void> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error) => (error instanceof RefusedError ? reject(error) : resolve()));
  });
}

/** Creates a lookup that rejects blocked addresses, so that the connection uses only verified addresses. */
function createGuardedLookup(lookup: LookupFunction, refuses: (address: string) => boolean): LookupFunction {
  return (name, options, found) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      const all = Array.isArray(addresses) ? addresses : [];
      if (error) found(error, '');
      else if (all.length === 0 || all.some(({ address }) => refuses(address))) {
        found(new RefusedError(t('The host name belongs to this computer or its network')), '');
      } else if (options.all) found(null, all);
      else found(null, all[0]?.address ?? '', all[0]?.family);
    });
  };
}

function describeFailure(error: unknown) {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    ENOTFOUND: t('Host not found'),
    ECONNREFUSED: t('Connection refused'),
    ECONNRESET: t('Connection reset'),
    CERT_HAS_EXPIRED: t('The certificate has expired'),
  };
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

/** Public addresses of a cloud's internal services: Azure's platform service. */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);
/** The address range of the public IPv6 internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an IP address must not be requested: this machine, its network, a cloud's internal services, and
 * anything else that isn't public.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0 || CLOUD_ADDRESSES.has(address) || !ipaddr.isValid(address)) return true;
  const parsed = ipaddr.parse(address);
  return parsed.range() !== 'unicast' || (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_IPV6));
}
