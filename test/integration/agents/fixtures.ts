import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering, type Answer, type Shown } from '../answers.ts';

/** What a call of a tool came to. */
export interface ToolCallOutcome {
  /** All that the model is told. */
  readonly text: string;
  /** What stands between the two lines of data; empty where there are none. */
  readonly data: string;
  readonly shown: readonly Shown[];
}

/** Calls a tool as an agent does; questions and messages are answered as told. */
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
  if (mark !== '') assert.equal(text.split(mark).length, 3, 'The mark is the frame’s alone.');
  return { text, data, shown };
}

/** The questions that can't be passed over. */
export const modals = ({ shown }: Pick<ToolCallOutcome, 'shown'>): readonly Shown[] =>
  shown.filter(({ modal }) => modal);
