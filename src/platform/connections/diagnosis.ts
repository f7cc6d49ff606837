import type { ApiError } from '../../service/client/errors.ts';
import type { SetupProblem } from '../../service/client/data/causes.ts';
import { REDACTED } from '../../service/client/redact.ts';

/** Actions offered when connecting fails. */
export type Fix = 'retry' | 'takeRedirect' | 'correctUrl' | 'correctKey' | 'saveAnyway';

interface Diagnosis {
  /** One sentence: the problem. */
  readonly title: string;
  /** What to do. */
  readonly hint: string;
  /** The most likely one first. */
  readonly fixes: readonly Fix[];
}

interface DiagnosisContext {
  readonly baseUrl: string;
  /** Whether the request goes through a proxy. */
  readonly usesProxy: boolean;
  readonly timeoutMs: number;
}

const URL_FIXES: readonly Fix[] = ['correctUrl', 'retry', 'saveAnyway'];
const KEY_FIXES: readonly Fix[] = ['correctKey', 'retry', 'correctUrl', 'saveAnyway'];
const RETRY_FIXES: readonly Fix[] = ['retry', 'correctUrl', 'saveAnyway'];

const diagnosesByProblem: Readonly<Record<SetupProblem, (host: string, circumstances: DiagnosisContext) => Diagnosis>> =
  {
    notActivated: (host) => ({
      title: `${host} answers, but its REST API is not activated.`,
      hint: "Activate it in the mailing service's configuration, then try again.",
      fixes: ['retry', 'correctUrl', 'saveAnyway'],
    }),
    expired: (host) => ({
      title: `The license of the mailing service at ${host} has expired.`,
      hint: 'Renew it and try again, or use the key of a valid license.',
      fixes: KEY_FIXES,
    }),
    wrongKey: (host) => ({
      title: `${host} refuses this API key.`,
      hint: "Copy it anew from the service's configuration page, tab License.",
      fixes: KEY_FIXES,
    }),
    forbidden: (host) => ({
      title: `${host} does not allow this.`,
      hint: 'The key may lack rights, or a firewall guards the site: ask who runs it.',
      fixes: KEY_FIXES,
    }),
    noService: (host) => ({
      title: `There is no mailing service at this address of ${host}.`,
      hint: 'Something else answered. The path may be missing: https://example.com/site',
      fixes: URL_FIXES,
    }),
    redirect: (host) => ({
      title: `${host} redirects to another address.`,
      hint: 'The key was not sent there. Use the new address if you know it to be yours.',
      fixes: ['takeRedirect', 'correctUrl', 'retry', 'saveAnyway'],
    }),
    certificate: (host) => ({
      title: `The certificate of ${host} can't be trusted.`,
      hint: 'Have it mended, or add its issuer to the certificates of your system. Nothing was sent.',
      fixes: RETRY_FIXES,
    }),
    certificateExpired: (host) => ({
      title: `The certificate of ${host} has expired.`,
      hint: 'Ask who runs the service to renew it. Nothing was sent.',
      fixes: RETRY_FIXES,
    }),
    certificateNotYetValid: (host) => ({
      title: `The certificate of ${host} is not valid yet.`,
      hint: 'Check the date and time of this machine. Nothing was sent.',
      fixes: RETRY_FIXES,
    }),
    certificateWrongHost: (host) => ({
      title: `The certificate is not for ${host}.`,
      hint: 'Another host answers, or is meant: correct the address. Nothing was sent.',
      fixes: URL_FIXES,
    }),
    certificateSelfSigned: (host) => ({
      title: `The certificate of ${host} is signed by itself.`,
      hint: 'If it is yours, add it to the certificates of your system. Nothing was sent.',
      fixes: RETRY_FIXES,
    }),
    notEncrypted: (host) => ({
      title: `${host} does not speak HTTPS here.`,
      hint: 'Check the port, and whether the address begins with https:// or http://. Nothing was sent.',
      fixes: URL_FIXES,
    }),
    proxyPassword: () => ({
      title: 'The proxy asks for a user name and password.',
      hint: 'Put the right ones into http.proxy in the settings, or HTTPS_PROXY in the environment.',
      fixes: RETRY_FIXES,
    }),
    proxy: (host) => ({
      title: `The proxy did not connect to ${host}.`,
      hint: 'Check http.proxy and http.noProxy in the settings, HTTPS_PROXY in the environment.',
      fixes: RETRY_FIXES,
    }),
    timeout: (host, { timeoutMs }) => ({
      title: `${host} did not answer within ${Math.round(timeoutMs / 1000)} seconds.`,
      hint: 'Check address and network. A slow service needs a longer mailing.request.timeout.',
      fixes: RETRY_FIXES,
    }),
    unknownHost: (host) => ({
      title: `There is no host named ${host}.`,
      hint: 'Check the address for mistypings, and whether its network (a VPN, say) is connected.',
      fixes: URL_FIXES,
    }),
    refused: (host) => ({
      title: `Nothing listens at ${host}.`,
      hint: 'Check the address and its port, and whether the service is running.',
      fixes: URL_FIXES,
    }),
    network: (host) => ({
      title: `${host} can't be reached.`,
      hint: 'Check the address and the network, then try again.',
      fixes: RETRY_FIXES,
    }),
    server: (host) => ({
      title: `The service at ${host} failed.`,
      hint: 'Try again later, or ask who runs it.',
      fixes: RETRY_FIXES,
    }),
    busy: (host) => ({
      title: `${host} asks to wait: too many requests.`,
      hint: 'Try again in a moment.',
      fixes: RETRY_FIXES,
    }),
    stopped: (host) => ({
      title: `Stopped before ${host} answered.`,
      hint: 'What you entered is kept.',
      fixes: RETRY_FIXES,
    }),
    other: (host) => ({
      title: `${host} could not be connected.`,
      hint: 'Check the address and the key.',
      fixes: ['correctUrl', 'correctKey', 'retry', 'saveAnyway'],
    }),
  };

/** Problems that can be caused by the service or a proxy. */
const possibleProxyProblems: ReadonlySet<SetupProblem> = new Set(['network', 'unknownHost', 'refused', 'other']);

/** Describes why connecting failed and what to do. */
export function diagnose(error: ApiError, circumstances: DiagnosisContext): Diagnosis {
  const { setupProblem: setup } = error.info;
  const problem = circumstances.usesProxy && possibleProxyProblems.has(setup) ? 'proxy' : setup;
  const diagnosis = diagnosesByProblem[problem](new URL(circumstances.baseUrl).host, circumstances);
  // A redirect that contains the key was redacted and can't be used.
  const canBeTaken = error.location !== undefined && !error.location.includes(REDACTED);
  const possible = diagnosis.fixes.filter((fix) => fix !== 'takeRedirect' || canBeTaken);
  return { ...diagnosis, fixes: possible };
}
