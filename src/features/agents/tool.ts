import type { Connection } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { showInfo } from '../../platform/ui/messages.ts';
import type { Data } from './data.ts';
import type { ToolName } from './names.ts';
import type { Inputs } from './schemas.ts';

/** How a call ended, as the log says it. */
export type Ending = 'done' | 'refused by the user' | 'cancelled' | 'not done' | 'failed';

/** What a model is told. */
export interface Answer {
  readonly ended: Ending;
  /** In our own words: nothing of a service, nor of what somebody has typed. */
  readonly words: string;
  readonly data?: Data;
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
  readonly doing: string;
  /** What the editor is to ask before, as well as our own modal, where a call writes or reaches people. The details are Markdown. */
  readonly question?: { readonly title: string; details(input: Inputs[Name]): readonly string[] };
  /** Whether it needs no connection. */
  isAboutAll?(input: Inputs[Name]): boolean;
  /** Throws `ApiError`, and what else is to be told as a failure. */
  run(call: Call<Name>): Promise<Answer>;
}

export type Tools = { readonly [Name in ToolName]: Tool<Name> };

/** The user said no. */
export const refused: Answer = {
  ended: 'refused by the user',
  words: 'The user refused. Nothing was done. Do not ask again unless they want it.',
};

/** It can't be done, for a reason that the model can act on. */
export function notDone(words: string): Answer {
  return { ended: 'not done', words };
}

/** To be asked once the user has agreed. Throws where the call was cancelled while the question stood; the user is told. */
export function stillWanted(signal: AbortSignal): void {
  if (signal.aborted) void showInfo('The language model does not wait for it any more. Nothing was done.');
  signal.throwIfAborted();
}
