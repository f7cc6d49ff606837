import * as vscode from 'vscode';
import type { Campaign } from '../api/index.ts';
import type { RecordRef } from '../connections/record.ts';
import { checkOptionsOf } from '../language/checkOptions.ts';
import type { ExtensionServices } from '../services.ts';
import { formatAmount } from '../ui/format.ts';
import { isCancelled } from '../ui/words.ts';

/** What the checks say of a campaign that is to go out: its errors, in sentences; undefined where it could not be checked. */
export type LastCheck = readonly string[] | undefined;

type Services = Pick<ExtensionServices, 'connections' | 'worker' | 'log'>;

/** Checks what the service holds of a campaign, whether or not it is open in an editor. Throws only what the user cancelled. */
export async function errorsOf(
  { connections, worker, log }: Services,
  ref: RecordRef,
  campaign: Campaign,
  signal: AbortSignal,
): Promise<LastCheck> {
  const uri = vscode.Uri.from({ scheme: 'mailing', authority: ref.connection, path: '/' });
  const { body, subject, preheader, from_email } = campaign;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const email = { body: body ?? '', subject: text(subject), preheader: text(preheader), fromEmail: text(from_email) };
  try {
    const { findings } = await (await worker()).run('check', { email, options: checkOptionsOf(connections, uri) }, { signal });
    return findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  } catch (error) {
    if (isCancelled(error)) throw error;
    log.warn('A campaign was not checked before it was to go out.', error);
    return undefined;
  }
}

/** How many errors a question lists: who wants to see them all opens the campaign. */
const mostListed = 6;

/** What a question says of the errors. */
export function errorLines(errors: LastCheck): readonly string[] {
  if (errors === undefined) return ['Mail clients: it could not be checked.'];
  if (errors.length === 0) return [];
  const others = errors.length - mostListed;
  const listed = errors.slice(0, mostListed).map((message) => `• ${message}`);
  return [`Mail clients: ${formatAmount(errors.length, 'error')}.`, ...listed, ...(others > 0 ? [`… and ${others} more.`] : [])];
}
