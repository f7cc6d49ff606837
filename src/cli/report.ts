import { posix } from 'node:path';
import { createReport, type ReviewedEmail } from '../email/report/index.ts';
import { NodeFiles } from '../sync/files.ts';
import { getSentOptions } from '../sync/mapping/mappedEmails.ts';
import { findUpdatedParts } from '../sync/parts/check.ts';
import { ReportPictures } from '../sync/mapping/pictures.ts';
import { getOptions, writeOutput, type CheckCommand } from './check.ts';
import { findEmails, findImages, readEmail } from './emails.ts';
import { CLEAN, Output } from './output.ts';
import { readPartFiles } from './parts.ts';
import { openWorkspace, resolveCommit, runGit, type Workspace } from './workspace.ts';

// One module for what composes emails.
export { sent } from './sent.ts';

/** Writes a report of emails, and of their versions in git. Resolves with the exit code. */
export async function report(names: readonly string[], command: CheckCommand): Promise<number> {
  const output = new Output(command);
  const workspace = await openWorkspace(command.config);
  const { changed: revision = 'HEAD' } = command;
  const selected = await findEmails(workspace, names, command.changed);
  const old = workspace.isRepository ? await openRevision(workspace, revision) : undefined;
  const files = new NodeFiles(workspace.root);
  const pictures = new ReportPictures();
  const parts = workspace.folder === undefined ? {} : await readPartFiles(workspace, output);
  const emails: ReviewedEmail[] = [];
  for (const paths of selected) {
    const { name, email, ...read } = await readEmail(workspace, paths);
    const sending = getSentOptions(workspace.mapping, paths.template, command);
    const folder = posix.dirname(paths.body);
    const previous = old && (await readEmail(old, paths).catch(() => undefined));
    emails.push({
      name,
      email,
      before: previous?.email,
      updatedParts: previous && findUpdatedParts(previous.files.body.text, read.files.body.text, parts),
      sending,
      checks: getOptions(workspace, command, paths),
      ...(await pictures.read(files, { written: read.files, texts: read.texts, folder, findImages }, sending)),
    });
  }
  const html = createReport(emails, revision);
  if (command.output === undefined) output.print(html);
  else await writeOutput(workspace, command.output, html);
  output.note(`Emails in the report: ${emails.length}.`);
  return CLEAN;
}

/** Returns the files in the commit that the current one and a revision come from. */
async function openRevision(workspace: Workspace, revision: string): Promise<Workspace> {
  const { root } = workspace;
  const commit = (await runGit(root, ['merge-base', await resolveCommit(root, revision), 'HEAD'])).trim();
  const read = (path: string) => runGit(root, ['show', `${commit}:${path}`]).catch(() => undefined);
  return { ...workspace, files: { read, write: () => Promise.resolve() } };
}
