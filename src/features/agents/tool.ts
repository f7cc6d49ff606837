import { t } from '@vscode/l10n';
import type { Connection } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { showInfo } from '../../platform/ui/messages.ts';
import type { ToolData } from '../../sync/tools/data.ts';
import type { Inputs, ToolName } from '../../sync/tools/schemas.ts';

export interface ToolResult {
  /** How the call ended. Written to the log. */
  readonly outcome: 'done' | 'refused by the user' | 'canceled' | 'not done' | 'failed';
  /** Contains no data of a service and no user input. */
  readonly message: string;
  readonly data?: ToolData;
}

export interface Call<Name extends ToolName> {
  readonly services: ExtensionServices;
  readonly input: Inputs[Name];
  readonly connection: Connection;
  /** All connections that tools may use. */
  readonly connections: readonly Connection[];
  /** Aborted if the call is canceled or the user denies tools the connection. */
  readonly signal: AbortSignal;
}

export interface Tool<Name extends ToolName> {
  /** Returns the text that is shown while the tool runs, before the connection's name. */
  getProgressMessage(): string;
  /** The editor's confirmation for calls that write or send, in addition to our modal. */
  readonly confirmation?: {
    getQuestion(connection: string | undefined): string;
    getDetails(input: Inputs[Name]): readonly string[];
  };
  needsNoConnection?(input: Inputs[Name]): boolean;
  /** @throws `ApiError`, or any other error to report as a failure */
  run(call: Call<Name>): Promise<ToolResult>;
}

export type Tools = { readonly [Name in ToolName]: Tool<Name> };

export const REFUSED_RESULT: ToolResult = {
  outcome: 'refused by the user',
  message: 'The user refused. Nothing was done. Do not ask again unless they want it.',
};

/** Formats a count with its noun in English, which the texts for language models are written in. */
export function formatEnglishCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a successful result with the sentences that apply. */
export function createDone(sentences: readonly (string | false)[], data?: ToolData): ToolResult {
  return { outcome: 'done', message: sentences.filter(Boolean).join(' '), data };
}

/** Returns a result for a reason that the model can act on. */
export function createNotDone(message: string): ToolResult {
  return { outcome: 'not done', message };
}

/** Throws if the call was canceled while the confirmation was open, and notifies the user. Call it after each confirmation. */
export function throwIfCanceled(signal: AbortSignal): void {
  if (signal.aborted) void showInfo(t('The language model canceled its request. Nothing was changed.'));
  signal.throwIfAborted();
}
