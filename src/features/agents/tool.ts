import type { Connection } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { showInfo } from '../../platform/ui/messages.ts';
import type { ToolData } from './data.ts';
import type { ToolName } from './names.ts';
import type { Inputs } from './schemas.ts';

/** How a call ended, as the log says it. */
export type ToolOutcome = 'done' | 'refused by the user' | 'cancelled' | 'not done' | 'failed';

/** What a model is told. */
export interface ToolResult {
  readonly outcome: ToolOutcome;
  /** In our own words: nothing of a service, nor of what somebody has typed. */
  readonly message: string;
  readonly data?: ToolData;
}

/** What a tool has to work with. */
export interface Call<Name extends ToolName> {
  readonly services: ExtensionServices;
  readonly input: Inputs[Name];
  /** One that tools may use. */
  readonly connection: Connection;
  /** All connections that tools may use. */
  readonly connections: readonly Connection[];
  /** Aborted where the call is cancelled, or the connection is taken from the tools. */
  readonly signal: AbortSignal;
}

/** A tool for language models. */
export interface Tool<Name extends ToolName> {
  /** What is said while it runs: "Reading a template". The service's name follows. */
  readonly progressMessage: string;
  /** What the editor is to ask before, as well as our own modal, where a call writes or reaches people. The details are Markdown. */
  readonly confirmation?: { readonly title: string; details(input: Inputs[Name]): readonly string[] };
  /** Whether it needs no connection. */
  needsNoConnection?(input: Inputs[Name]): boolean;
  /** Throws `ApiError`, and what else is to be told as a failure. */
  run(call: Call<Name>): Promise<ToolResult>;
}

export type Tools = { readonly [Name in ToolName]: Tool<Name> };

/** The user said no. */
export const REFUSED_RESULT: ToolResult = {
  outcome: 'refused by the user',
  message: 'The user refused. Nothing was done. Do not ask again unless they want it.',
};

/** It can't be done, for a reason that the model can act on. */
export function createNotDone(words: string): ToolResult {
  return { outcome: 'not done', message: words };
}

/** To be asked once the user has agreed. Throws where the call was cancelled while the question stood; the user is told. */
export function throwIfCanceled(signal: AbortSignal): void {
  if (signal.aborted) void showInfo('The language model does not wait for it any more. Nothing was done.');
  signal.throwIfAborted();
}
