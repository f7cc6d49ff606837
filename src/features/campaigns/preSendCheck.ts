import * as vscode from 'vscode';
import type { Campaign } from '../../service/client/index.ts';
import type { Email } from '../../email/checks/index.ts';
import { getCheckOptions } from '../../platform/language/checks/checkOptions.ts';
import type { SendReview } from '../../platform/sending/protocol.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { errorText, isCancelled } from '../../platform/ui/errors.ts';

/** What the checks say of a campaign that is to go out: its errors, then its warnings, or why it could not be checked. */
export type PreSendCheck = Pick<SendReview, 'findings' | 'uncheckedReason'>;

type Services = Pick<ExtensionServices, 'connections' | 'worker' | 'log'>;

/** The email of a campaign, as the service holds it. */
export function toEmail({ body, subject, preheader, from_email }: Campaign) {
  const text = typeof preheader === 'string' ? preheader : '';
  return {
    body: body ?? '',
    subject: subject ?? '',
    preheader: text,
    ...(from_email ? { fromEmail: from_email } : {}),
  } satisfies Email;
}

/** Checks an email, whether or not it is open in an editor. Throws only what the user cancelled. */
export async function checkEmail(
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
    const of = (wanted: 'error' | 'warning') =>
      findings.filter(({ severity }) => severity === wanted).map(({ message }) => ({ severity: wanted, message }));
    return { findings: [...of('error'), ...of('warning')] };
  } catch (error) {
    if (isCancelled(error)) throw error;
    log.warn('A campaign was not checked before it was to go out.', error);
    return { findings: [], uncheckedReason: `It could not be checked: ${errorText(error)}` };
  }
}

/** How many errors a question lists: who wants to see them all opens the campaign. */
const MAX_LISTED_ERRORS = 6;

/** The errors that the checks found, in sentences. */
export function getErrors({ findings }: PreSendCheck): readonly string[] {
  return findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

/** What a question says of the errors. */
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
