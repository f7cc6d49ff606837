import * as vscode from 'vscode';
import { parseArgument } from '../../../platform/documents/recordCommands.ts';
import { collection } from '../../lists/model.ts';
import { type CommandArgument, getFields } from '../../../platform/ui/commands.ts';
import type { ChangeTexts } from './changeTexts.ts';

/** The argument of a command that changes subscriptions. The command asks for missing values. */
export interface ChangeArgument {
  readonly connection?: string;
  readonly listIds?: readonly number[];
  /** The list whose node was selected. It is preselected in the picker. */
  readonly selectedListId?: number;
  readonly emails?: readonly string[];
  /** Text that contains addresses. */
  readonly text?: string;
  /** The document or file that contains the addresses. */
  readonly uri?: vscode.Uri;
  readonly sendEmail?: boolean;
  readonly trigger?: boolean;
}

/** Parses a tree node, `{ connection, id or ids or listIds, emails or text, … }`, or the URI of a file. */
export function parseChangeArgument(
  argument: CommandArgument,
  { sendEmailField: mailSwitch }: ChangeTexts,
): ChangeArgument {
  if (argument instanceof vscode.Uri) return { uri: argument };
  const { connection, id } = parseArgument(argument, collection);
  const { kind, listIds, ids, emails, text, uri, trigger, [mailSwitch]: sendEmail } = getFields(argument);
  const isNode = kind === 'record';
  return {
    connection,
    listIds: parseIds(listIds) ?? parseIds(ids) ?? (id === undefined || isNode ? undefined : [id]),
    selectedListId: isNode ? id : undefined,
    emails: Array.isArray(emails) ? emails.filter((email) => typeof email === 'string') : undefined,
    text: typeof text === 'string' ? text : undefined,
    uri: uri instanceof vscode.Uri ? uri : undefined,
    sendEmail: typeof sendEmail === 'boolean' ? sendEmail : undefined,
    trigger: typeof trigger === 'boolean' ? trigger : undefined,
  };
}

function parseIds(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = [...new Set(value.filter((entry) => Number.isSafeInteger(entry)) as number[])];
  return numbers.length === 0 ? undefined : numbers;
}
