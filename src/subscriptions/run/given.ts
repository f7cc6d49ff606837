import * as vscode from 'vscode';
import { given } from '../../documents/parseArgument.ts';
import { collection } from '../../lists/lists.ts';
import type { Kind } from './words.ts';

/** What a command was given to change subscriptions with. What is missing is asked for. */
export interface GivenChange {
  readonly connection?: string;
  /** The lists that are meant. */
  readonly listIds?: readonly number[];
  /** The list that the user pointed at: a start for choosing. */
  readonly pointedAt?: number;
  readonly emails?: readonly string[];
  /** Text with addresses in it. */
  readonly text?: string;
  /** The editor, or the file, that the addresses are in. */
  readonly uri?: vscode.Uri;
  readonly sendEmail?: boolean;
  readonly trigger?: boolean;
}

/** Reads a first argument: a node of the tree, `{ connection, id or ids or listIds, emails or text, … }`, or the URI of a file. */
export function givenChange(argument: unknown, { mailSwitch }: Kind): GivenChange {
  if (argument instanceof vscode.Uri) return { uri: argument };
  const { connection, id } = given(argument, collection);
  const fields = (typeof argument === 'object' && argument !== null ? argument : {}) as Readonly<Record<string, unknown>>;
  const isNode = fields['kind'] === 'record';
  const ids = numbersOf(fields['listIds']) ?? numbersOf(fields['ids']) ?? (id === undefined || isNode ? undefined : [id]);
  const emails = fields['emails'];
  return {
    ...(connection === undefined ? {} : { connection }),
    ...(ids === undefined ? {} : { listIds: ids }),
    ...(isNode && id !== undefined ? { pointedAt: id } : {}),
    ...(Array.isArray(emails) ? { emails: emails.filter((email) => typeof email === 'string') } : {}),
    ...(typeof fields['text'] === 'string' ? { text: fields['text'] } : {}),
    ...(fields['uri'] instanceof vscode.Uri ? { uri: fields['uri'] } : {}),
    ...(typeof fields[mailSwitch] === 'boolean' ? { sendEmail: fields[mailSwitch] } : {}),
    ...(typeof fields['trigger'] === 'boolean' ? { trigger: fields['trigger'] } : {}),
  };
}

function numbersOf(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = [...new Set(value.filter((each) => Number.isSafeInteger(each)) as number[])];
  return numbers.length === 0 ? undefined : numbers;
}
