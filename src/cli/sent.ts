import { readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import * as prettier from 'prettier/standalone';
import * as htmlPlugin from 'prettier/plugins/html';
import * as cssPlugin from 'prettier/plugins/postcss';
import { glob } from 'tinyglobby';
import { compareReceived } from '../email/received/compare.ts';
import { assertMessageSize } from '../email/received/limits.ts';
import { composeForDisplay } from '../email/sent/index.ts';
import {
  createRendering,
  renderTags,
  samplePeople,
  sampleRendering,
  tagLanguage,
  type NamedPerson,
} from '../email/tags/index.ts';
import { getSentOptions } from '../sync/mapping/mappedEmails.ts';
import { parsePeople } from '../sync/mapping/peopleFile.ts';
import { formatEnglishCount } from '../sync/tools/tool.ts';
import { formatDiff } from './differences.ts';
import { findEmails, globOptions, readEmail, type FoundEmail } from './emails.ts';
import { CLEAN, CommandError, FOUND, Output, toPrintable, type EmailCommand } from './output.ts';
import { openWorkspace, relativePath, type Workspace } from './workspace.ts';

interface SentCommand extends EmailCommand {
  readonly text?: boolean;
  readonly as?: string;
  readonly snapshot?: string;
  readonly checkSnapshots?: boolean;
  readonly compare?: string;
}

const MAX_PEOPLE_FILES = 10;

/** Prints emails as the service sends them, or writes or checks their snapshots. Resolves with the exit code. */
export async function sent(names: readonly string[], command: SentCommand): Promise<number> {
  const output = new Output(command);
  const workspace = await openWorkspace(command.config);
  const person = command.as === undefined ? undefined : await findPerson(workspace, command.as);
  const emails = await findEmails(workspace, names);
  if (command.snapshot === undefined && command.checkSnapshots === true)
    throw new CommandError('--check-snapshots needs a folder.', 'Add --snapshot and the folder of the snapshots.');
  let differences = 0;
  const taken = new Set(emails.flatMap(({ body, sources = [] }) => [body, ...sources]));
  for (const paths of emails) {
    const email = await readEmail(workspace, paths);
    const { html, text } = compose(workspace, email, command, person);
    if (command.compare !== undefined) {
      assertMessageSize((await stat(command.compare)).size);
      const sentEmail = { html, text, subject: email.email.subject ?? '' };
      const { isEqual, report } = await compareReceived(sentEmail, await readFile(command.compare));
      output.print(toPrintable(report));
      differences += isEqual ? 0 : 1;
      continue;
    }
    if (command.snapshot === undefined) {
      output.detail(email.name);
      if (command.text === true && text === '')
        throw new CommandError("The service doesn't document its text part.", 'Leave out --text, or set the profile.');
      const part = command.text === true ? text : html;
      output.print(output.isTerminal ? toPrintable(part) : part);
      continue;
    }
    const snapshots = { '.html': await formatHtml(html), ...(text !== '' && { '.txt': `${text.trimEnd()}\n` }) };
    for (const [suffix, now] of Object.entries(snapshots)) {
      const path = relativePath(workspace, join(command.snapshot, email.name + suffix));
      if (taken.has(path))
        throw new CommandError(`A snapshot would replace ${path}.`, 'Choose another folder, or name fewer emails.');
      taken.add(path);
      if (command.checkSnapshots !== true) await workspace.files.write(path, now);
      else {
        const before = (await workspace.files.read(path)) ?? '';
        const diff = formatDiff(path, before, now, ['snapshot', 'now'], output.colors);
        if (diff !== '') differences += 1;
        output.print(diff);
      }
    }
  }
  if (command.snapshot !== undefined)
    output.note(
      command.checkSnapshots === true
        ? `Changed snapshots: ${differences}. Compared emails: ${emails.length}.`
        : `Wrote the snapshots of ${formatEnglishCount(emails.length, 'email')}.`,
    );
  return differences > 0 ? FOUND : CLEAN;
}

/** @throws `CommandError` if the email can't be composed */
function compose(
  workspace: Workspace,
  found: FoundEmail,
  command: SentCommand,
  person: NamedPerson | undefined,
): { readonly html: string; readonly text: string } {
  const { paths, email, name } = found;
  const options = getSentOptions(workspace.mapping, paths.template, command);
  const { html, text, missing } = composeForDisplay(email, options);
  // On failure, both parts are the reason.
  if (html === text && html !== '')
    throw new CommandError(
      `Couldn't compose ${name}. ${html}`,
      missing ? 'Preview it in the editor.' : 'Make the email smaller.',
    );
  if (person === undefined) return { html, text };
  const mail = { subject: email.subject ?? '', name: posix.basename(name) };
  // Snapshots must not change with the date.
  const now = command.snapshot === undefined ? new Date() : sampleRendering().now;
  const rendering = { ...createRendering(person.person, mail), now, where: 'body' } as const;
  const render = (part: string) => renderTags(part, tagLanguage('acymailing'), rendering).text;
  return { html: render(html), text: render(text) };
}

/** Finds a person by name or email address in the files `mailing.people.json`, or a sample by its id. */
async function findPerson(workspace: Workspace, wanted: string) {
  const files = (await glob('**/mailing.people.json', { ...globOptions, cwd: workspace.root })).toSorted();
  const texts = await Promise.all(files.slice(0, MAX_PEOPLE_FILES).map((path) => workspace.files.read(path)));
  const people = [...texts.flatMap((text) => parsePeople(text ?? '')), ...samplePeople()];
  const isWanted = (name: unknown) => String(name).toLowerCase() === wanted.toLowerCase();
  const found = people.find(({ id, title, person }) => [id, title, person.name, person.email].some(isWanted));
  if (found !== undefined) return found;
  throw new CommandError(
    `There is no person "${wanted}".`,
    `Use one of these, or add one to mailing.people.json: ${people.map(({ title }) => title).join(', ')}.`,
  );
}

/** Formats HTML with an element on each line, so that differences are easy to read. */
async function formatHtml(html: string) {
  const text = `${html.trimEnd()}\n`;
  try {
    return await prettier.format(text, { parser: 'html', plugins: [htmlPlugin, cssPlugin], printWidth: 120 });
  } catch {
    // It can't format every text that mail clients can show.
    return text;
  }
}
