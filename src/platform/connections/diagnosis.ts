import type { ApiError } from '../../service/client/errors.ts';
import type { SetupProblem } from '../../service/client/causes.ts';
import { REDACTED } from '../../service/client/redact.ts';

/** What a user can do when a service couldn't be connected. */
export type Fix = 'retry' | 'takeRedirect' | 'correctUrl' | 'correctKey' | 'saveAnyway';

interface Diagnosis {
  /** What is wrong, in one sentence. */
  readonly title: string;
  /** What helps. */
  readonly hint: string;
  /** The likeliest first. */
  readonly fixes: readonly Fix[];
}

/** What is known beside the error. */
interface Circumstances {
  readonly baseUrl: string;
  /** Whether the way leads through a proxy. */
  readonly proxied: boolean;
  readonly timeoutMs: number;
}

const atUrl: readonly Fix[] = ['correctUrl', 'retry', 'saveAnyway'];
const atKey: readonly Fix[] = ['correctKey', 'retry', 'correctUrl', 'saveAnyway'];
const later: readonly Fix[] = ['retry', 'correctUrl', 'saveAnyway'];

const words: Readonly<Record<SetupProblem, (host: string, circumstances: Circumstances) => Diagnosis>> = {
  notActivated: (host) => ({
    title: `${host} answers, but its REST API is not activated.`,
    hint: "Activate it in the mailing service's configuration, then try again.",
    fixes: ['retry', 'correctUrl', 'saveAnyway'],
  }),
  expired: (host) => ({
    title: `The licence of the mailing service at ${host} has expired.`,
    hint: 'Renew it and try again, or use the key of a valid licence.',
    fixes: atKey,
  }),
  wrongKey: (host) => ({
    title: `${host} refuses this API key.`,
    hint: "Copy it anew from the service's configuration page, tab License.",
    fixes: atKey,
  }),
  forbidden: (host) => ({
    title: `${host} does not allow this.`,
    hint: 'The key may lack rights, or a firewall guards the site: ask who runs it.',
    fixes: atKey,
  }),
  noService: (host) => ({
    title: `There is no mailing service at this address of ${host}.`,
    hint: 'Something else answered. The path may be missing: https://example.com/site',
    fixes: atUrl,
  }),
  redirect: (host) => ({
    title: `${host} redirects to another address.`,
    hint: 'The key was not sent there. Use the new address if you know it to be yours.',
    fixes: ['takeRedirect', 'correctUrl', 'retry', 'saveAnyway'],
  }),
  certificate: (host) => ({
    title: `The certificate of ${host} can't be trusted.`,
    hint: 'Have it mended, or add its issuer to the certificates of your system. Nothing was sent.',
    fixes: later,
  }),
  certificateExpired: (host) => ({
    title: `The certificate of ${host} has expired.`,
    hint: 'Ask who runs the service to renew it. Nothing was sent.',
    fixes: later,
  }),
  certificateTooEarly: (host) => ({
    title: `The certificate of ${host} is not valid yet.`,
    hint: 'Check the date and time of this machine. Nothing was sent.',
    fixes: later,
  }),
  certificateOfOther: (host) => ({
    title: `The certificate is not for ${host}.`,
    hint: 'Another host answers, or is meant: correct the address. Nothing was sent.',
    fixes: atUrl,
  }),
  certificateOfItself: (host) => ({
    title: `The certificate of ${host} is signed by itself.`,
    hint: 'If it is yours, add it to the certificates of your system. Nothing was sent.',
    fixes: later,
  }),
  notEncrypted: (host) => ({
    title: `${host} does not speak HTTPS here.`,
    hint: 'Check the port, and whether the address begins with https:// or http://. Nothing was sent.',
    fixes: atUrl,
  }),
  proxyPassword: () => ({
    title: 'The proxy asks for a user name and password.',
    hint: 'Put the right ones into http.proxy in the settings, or HTTPS_PROXY in the environment.',
    fixes: later,
  }),
  proxy: (host) => ({
    title: `The proxy did not connect to ${host}.`,
    hint: 'Check http.proxy and http.noProxy in the settings, HTTPS_PROXY in the environment.',
    fixes: later,
  }),
  timeout: (host, { timeoutMs }) => ({
    title: `${host} did not answer within ${Math.round(timeoutMs / 1000)} seconds.`,
    hint: 'Check address and network. A slow service needs a longer mailing.request.timeout.',
    fixes: later,
  }),
  unknownHost: (host) => ({
    title: `There is no host named ${host}.`,
    hint: 'Check the address for mistypings, and whether its network (a VPN, say) is connected.',
    fixes: atUrl,
  }),
  refused: (host) => ({
    title: `Nothing listens at ${host}.`,
    hint: 'Check the address and its port, and whether the service is running.',
    fixes: atUrl,
  }),
  network: (host) => ({
    title: `${host} can't be reached.`,
    hint: 'Check the address and the network, then try again.',
    fixes: later,
  }),
  server: (host) => ({
    title: `The service at ${host} failed.`,
    hint: 'Try again later, or ask who runs it.',
    fixes: later,
  }),
  busy: (host) => ({ title: `${host} asks to wait: too many requests.`, hint: 'Try again in a moment.', fixes: later }),
  stopped: (host) => ({ title: `Stopped before ${host} answered.`, hint: 'What you entered is kept.', fixes: later }),
  other: (host) => ({
    title: `${host} could not be connected.`,
    hint: 'Check the address and the key.',
    fixes: ['correctUrl', 'correctKey', 'retry', 'saveAnyway'],
  }),
};

/** Whether the service or the proxy is meant is known only without a proxy. */
const mayBeProxy: ReadonlySet<SetupProblem> = new Set(['network', 'unknownHost', 'refused', 'other']);

/** Says in words why a service could not be connected, and what can be done about it. */
export function diagnose(error: ApiError, circumstances: Circumstances): Diagnosis {
  const { setupProblem: setup } = error.info;
  const problem = circumstances.proxied && mayBeProxy.has(setup) ? 'proxy' : setup;
  const diagnosis = words[problem](new URL(circumstances.baseUrl).host, circumstances);
  // An address that repeated the key was struck out in part: what is left leads nowhere.
  const canBeTaken = error.location !== undefined && !error.location.includes(REDACTED);
  const possible = diagnosis.fixes.filter((fix) => fix !== 'takeRedirect' || canBeTaken);
  return { ...diagnosis, fixes: possible };
}
