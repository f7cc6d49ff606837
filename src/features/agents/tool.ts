import { t } from '@vscode/l10n';
import type { Connection } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../services.ts';
import { showInfo } from '../../ui/messages.ts';
import type { ToolContext } from '../../sync/tools/reading.ts';
import type { Inputs, ToolName } from '../../sync/tools/schemas.ts';
import type { ToolResult } from '../../sync/tools/tool.ts';

/** The editor, for a call with a connection. Its signal is aborted if the call is canceled or the user denies tools the connection. */
export interface EditorToolContext extends ToolContext {
  readonly services: ExtensionServices;
  readonly connection: Connection;
}

/** Runs a tool. @throws `ApiError`, or any other error to report as a failure */
export type Tool<Name extends ToolName> = (context: EditorToolContext, input: Inputs[Name]) => Promise<ToolResult>;
export type Tools = { readonly [Name in ToolName]: Tool<Name> };

/** Returns the question and the details of the editor's confirmation. */
export type Confirmation<Name extends ToolName> = (
  connection: string,
  input: Inputs[Name],
) => readonly [question: string, ...details: string[]];

export const REFUSED_RESULT: ToolResult = {
  outcome: 'refused by the user',
  message: 'The user refused. Nothing was done. Do not ask again unless they want it.',
};

/** Throws if the call was canceled while the confirmation was open, and notifies the user. Call it after each confirmation. */
export function throwIfCanceled(signal: AbortSignal): void {
  if (signal.aborted) void showInfo(t('The language model canceled its request. Nothing was changed.'));
  signal.throwIfAborted();
}
