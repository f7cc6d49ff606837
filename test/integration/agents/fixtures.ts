import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering, type Answer, type Shown } from '../answers.ts';

/** The outcome of a tool call. */
export interface ToolCallOutcome {
  /** The whole result for the model. */
  readonly text: string;
  /** The data between the two enclosing lines; empty without data. */
  readonly data: string;
  readonly shown: readonly Shown[];
}

/** Calls a tool as an agent does and answers confirmations and messages. */
export async function call(
  name: string,
  input: object,
  answer?: Answer,
  token?: vscode.CancellationToken,
): Promise<ToolCallOutcome> {
  const { result, shown } = await answering(answer, () =>
    vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token),
  );
  const text = result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : assert.fail('Not a text.')))
    .join('\n');
  const [, mark = '', data = ''] = /^data ([0-9a-f]{32}) begins\n([^]*)\ndata \1 ends$/mu.exec(text) ?? [];
  if (mark !== '') assert.equal(text.split(mark).length, 3, 'The boundary occurs only in the enclosing lines.');
  return { text, data, shown };
}

/** Returns the modal messages. */
export const modals = ({ shown }: Pick<ToolCallOutcome, 'shown'>): readonly Shown[] =>
  shown.filter(({ modal }) => modal);
