import * as vscode from 'vscode';
import type { Campaign } from '../../service/client/index.ts';
import type { Email } from '../../email/checks/index.ts';
import { getCheckOptions } from '../../platform/language/checks/checkOptions.ts';
import type { SendReview } from '../../platform/sending/protocol.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { errorText, isCanceled } from '../../platform/ui/errors.ts';

/** The findings of the email checks before a send, errors first, or the reason why the checks failed. */
export type PreSendCheck = Pick<SendReview, 'findings' | 'uncheckedReason'>;

type Services = Pick<ExtensionServices, 'connections' | 'worker' | 'log'>;

export function toEmail({ body, subject, preheader, from_email }: Campaign) {
  const text = typeof preheader === 'string' ? preheader : '';
  return {
    body: body ?? '',
    subject: subject ?? '',
    preheader: text,
    ...(from_email ? { fromEmail: from_email } : {}),
  } satisfies Email;
}

/** Runs the email checks. Throws only if the user cancels. */
export async function checkCampaignEmail(
  { connections, worker, log }: Services,
  connection: string,
  email: Email,
  signal: AbortSignal,
): Promise<PreSendCheck> {
  try {
    const options = getCheckOptions(
      connections,
      vscode.Uri.from({ scheme: 'mailing', authority: connection, path: '/' }),
    );
    const { findings } = await (await worker()).run('check', { email, options }, { signal, about: email.subject });
    const getBySeverity = (severity: 'error' | 'warning') =>
      findings.filter((finding) => finding.severity === severity).map(({ message }) => ({ severity, message }));
    return { findings: [...getBySeverity('error'), ...getBySeverity('warning')] };
  } catch (error) {
    if (isCanceled(error)) throw error;
    log.warn('A campaign was not checked before it was to go out.', error);
    return { findings: [], uncheckedReason: `It could not be checked: ${errorText(error)}` };
  }
}

const MAX_LISTED_ERRORS = 6;

/** Returns the messages of the errors. */
export function getErrors({ findings }: PreSendCheck): readonly string[] {
  return findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

/** Returns the lines that a confirmation shows about the errors. */
export function formatErrors(found: PreSendCheck): readonly string[] {
  if (found.uncheckedReason !== undefined) return ['Mail clients: it could not be checked.'];
  const errors = getErrors(found);
  if (errors.length === 0) return [];
  const others = errors.length - MAX_LISTED_ERRORS;
  const listed = errors.slice(0, MAX_LISTED_ERRORS).map((message) => `• ${message}`);
  return [
    `Mail clients: ${formatAmount(errors.length, 'error')}.`,
    ...listed,
    ...(others > 0 ? [`… and ${others} more.`] : []),
  ];
}
