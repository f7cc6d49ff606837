import { posix } from 'node:path';
import { formatEmail } from '../email/format/index.ts';
import { getProfile } from '../sync/mapping/mappedEmails.ts';
import { findEmails } from './emails.ts';
import { CLEAN, CommandError, FOUND, Output, toLine, toPrintable, type EmailCommand } from './output.ts';
import { openWorkspace, readText } from './workspace.ts';

interface FormatCommand extends EmailCommand {
  readonly check?: boolean;
  readonly write?: boolean;
  readonly indent: 'tab' | '2' | '4';
}

/** Formats emails so that recipients get the same: prints them, writes them, or reports those that differ. Resolves with the exit code. */
export async function format(names: readonly string[], command: FormatCommand): Promise<number> {
  if (command.check === true && command.write === true)
    throw new CommandError('--check and --write exclude each other.', 'Leave one of them out.');
  const output = new Output(command);
  const workspace = await openWorkspace(command.config);
  const emails = await findEmails(workspace, names);
  const indent = command.indent === 'tab' ? '\t' : ' '.repeat(Number(command.indent));
  let changed = 0;
  for (const { template, body: path, stylesheet = posix.join(posix.dirname(path), 'style.css') } of emails) {
    if (template?.output !== undefined) {
      output.note(`Left ${path} alone: a tool builds it.`);
      continue;
    }
    const text = await readText(workspace, path);
    const profile = command.profile ?? getProfile(workspace.mapping, template) ?? 'acymailing';
    const styles = { stylesheet: (await workspace.files.read(stylesheet)) ?? '' };
    const formatted = formatEmail(text, { indent, profile, ...styles });
    if ('refused' in formatted) output.note(`Left ${path} alone: ${formatted.refused}`);
    const after = 'text' in formatted ? formatted.text : text;
    if (after !== text) changed += 1;
    if (command.write === true && after !== text) await workspace.files.write(path, after, { text });
    if (command.write !== true && command.check !== true) output.print(output.isTerminal ? toPrintable(after) : after);
    else if (after !== text) output.print(toLine(path));
  }
  if (command.write === true) output.note(`Emails formatted: ${changed} of ${emails.length}.`);
  if (command.check === true) output.note(`Emails to format: ${changed} of ${emails.length}.`);
  return command.check === true && changed > 0 ? FOUND : CLEAN;
}
