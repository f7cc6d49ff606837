import { formatData, wrapData, type ToolData } from './data.ts';
import type { Inputs, readInput, ToolName } from './schemas.ts';

export interface ToolResult {
  /** How the call ended. Written to the log. */
  readonly outcome: 'done' | 'refused by the user' | 'canceled' | 'not done' | 'failed';
  /** Contains no data of a service and no user input. */
  readonly message: string;
  readonly data?: ToolData;
}

export const CANCELED_RESULT: ToolResult = {
  outcome: 'canceled',
  message: 'The call was canceled. Steps that the user confirmed before may have been completed.',
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

const MAX_ROWS = 50;

/** Returns one row per line. @param fields the fields to return; all by default */
export function formatRows(rows: readonly object[], noun: string, fields?: string[]): ToolResult {
  const lines = rows.slice(0, MAX_ROWS).map((row) => JSON.stringify(row, fields));
  const sentences = [
    rows.length === 0 ? 'Nothing was found.' : `${formatEnglishCount(lines.length, noun)}, one on each line.`,
    rows.length > lines.length && 'There are more: search for a name.',
  ];
  return createDone(sentences, lines.length > 0 ? { text: lines.join('\n'), isEmailText: false } : undefined);
}

/** The tool can't do what was asked, for a reason that the model can act on. The message contains no data of a service. */
export class NotDoneError extends Error {}

/** Returns an error as data, because its message may quote the service. */
export function createFailure(error: unknown, text: string): ToolResult {
  if (error instanceof NotDoneError) return createNotDone(error.message);
  return {
    outcome: 'failed',
    message: 'The call failed. The error that the user would see:',
    data: { text, isEmailText: false },
  };
}

/** Returns the named connection, or the only one. */
export function findConnection<Connection extends { readonly id: string }>(
  connections: readonly Connection[],
  id: string | undefined,
): Connection | undefined {
  if (id === undefined) return connections.length === 1 ? connections[0] : undefined;
  return connections.find((connection) => connection.id === id);
}

/**
 * Runs a tool with the connection that its input names, or lists the connections.
 * @param connections the connections that tools may use. Others are reported as missing
 */
export async function runTool<Name extends ToolName, Connection extends { readonly id: string }>(
  read: ReturnType<typeof readInput<Name>>,
  connections: readonly Connection[],
  describe: (connection: Connection) => object,
  run: (input: Inputs[Name], connection: Connection) => Promise<ToolResult>,
): Promise<ToolResult> {
  if ('problems' in read) {
    const text = read.problems.join('\n');
    return { ...createNotDone('The input is invalid. Problems:'), data: { text, isEmailText: false } };
  }
  const { input } = read;
  if ('what' in input && input.what === 'connections') return formatRows(connections.map(describe), 'connection');
  const connection = findConnection(connections, input.connection);
  if (connection !== undefined) return run(input, connection);
  return createNotDone(
    connections.length === 0
      ? 'There is no connection that tools may use. The user adds one by "Mailing: Connect a Service…".'
      : input.connection === undefined
        ? 'There are several connections: name one. "mailing_find" with "what": "connections" lists them.'
        : 'There is no such connection. "mailing_find" with "what": "connections" lists those that there are.',
  );
}

/** Returns a result as a text for the model. */
export async function formatResult(
  { message, data }: ToolResult,
  withoutKeys: Parameters<typeof formatData>[1],
): Promise<string> {
  if (!data) return message;
  const { notes, text } = await formatData(data, withoutKeys);
  return [message, ...notes, wrapData(text)].join('\n');
}
