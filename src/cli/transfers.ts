import { lstat, readdir } from 'node:fs/promises';
import { isUnconfirmed } from '../service/client/shapes.ts';
import { join } from 'node:path';
import { NodeFiles } from '../sync/files.ts';
import type { TemplateFolder } from '../sync/mapping/folder.ts';
import { isProtected, type MappedTemplate, type Mapping, type Target } from '../sync/mapping/mapping.ts';
import { findStaleness } from '../sync/mapping/staleness.ts';
import { templateLayout } from '../sync/mapping/templateLayout.ts';
import { mergeTexts } from '../sync/merge/merge.ts';
import { stateFolderName } from '../sync/paths.ts';
import { LockFile } from '../sync/push/lock.ts';
import type { Refusal, RefusalKind, TemplateComparison } from '../sync/push/plan.ts';
import { RevisionStore } from '../sync/push/revisions.ts';
import { StateFiles } from '../sync/stateFiles.ts';
import { Sync } from '../sync/push/sync.ts';
import { PushJournal, PushRunningError } from '../sync/requests/pushJournal.ts';
import { connect, createRemote, openFolder, type ConnectionOptions, type ServiceConnection } from './connection.ts';
import { formatDiff } from './differences.ts';
import {
  CLEAN,
  CommandError,
  describeError,
  FAILED,
  FOUND,
  Output,
  printError,
  toLine,
  toPrintable,
  type OutputOptions,
} from './output.ts';
import { openWorkspace, relativePath, requireFolder, runGit, type Workspace } from './workspace.ts';

/** Commits that may contain the state in mailing.lock.json. */
const MAX_COMMITS = 20;

interface TransferCommand extends OutputOptions, ConnectionOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly allowProtected?: boolean;
  readonly retry?: boolean;
}

/** What happened to a template, as `--json` prints it. */
interface Outcome {
  /** `push`, `pulled`, `refused`, `unconfirmed`, … */
  readonly state: string;
  readonly fields?: readonly string[];
  readonly message?: string;
  /** Exit code; 0 by default. */
  readonly code?: number;
}

/** What the transfers of one command use. */
interface TransferTools {
  readonly command: TransferCommand;
  readonly output: Output;
  readonly workspace: Workspace;
  /** The folder of `mailing.json`. */
  readonly root: string;
  readonly service: ServiceConnection;
  /** Whether no file and nothing on the service is written. */
  readonly isDry: boolean;
  readonly folder: TemplateFolder;
  readonly journal: PushJournal;
  readonly sync: Sync;
}

type Transfer = (tools: TransferTools, target: Target, comparison: TemplateComparison) => Promise<Outcome>;

const transfers = { status, diff, pull, push } satisfies Record<string, Transfer>;

/** Compares, pulls or pushes mapped templates. Resolves with the exit code. */
export async function transfer(
  action: keyof typeof transfers,
  folders: readonly string[],
  command: TransferCommand,
): Promise<number> {
  const isDry = command.dryRun === true || action === 'status' || action === 'diff';
  const tools = await openTools(command, isDry);
  const { journal, output, service, sync } = tools;
  try {
    const targets = selectTargets(tools, folders);
    await journal.hideFromGit();
    output.note(`Comparing with ${service.baseUrl}: ${targets.map(({ template }) => template.folder).join(', ')}`);
    await sync.refresh(targets);
    const run = () => transferEach(tools, targets, transfers[action]);
    return await (action === 'push' && !isDry ? journal.push(run) : run());
  } catch (error) {
    if (!(error instanceof PushRunningError)) throw error;
    printError(describeError(error));
    return FOUND;
  } finally {
    await sync.whenStored();
    await service.client.close();
  }
}

const skipWrite = () => Promise.resolve();

async function openTools(command: TransferCommand, isDry: boolean): Promise<TransferTools> {
  const output = new Output(command);
  const workspace = await openWorkspace();
  const root = requireFolder(workspace);
  const { isRepository, mapping } = workspace;
  const service = await connect(workspace, command);
  const disk = new NodeFiles(root);
  const files = isDry ? { read: (path: string) => disk.read(path), write: skipWrite } : disk;
  const state = join(root, stateFolderName);
  const getService = () => service.baseUrl;
  const journal = new PushJournal(new StateFiles(state), getService);
  const folder = openFolder(files, mapping);
  const sync = new Sync({
    folder,
    remote: createRemote(service.client),
    lock: new LockFile(files, (task) => (isDry ? task() : journal.runExclusively(task))),
    revisions: new RevisionStore(new StateFiles(join(state, 'versions')), getService),
    journal,
    merge: (input) => Promise.resolve(mergeTexts(input)),
    readHistory: isRepository
      ? ({ template }) => readHistory(root, folder.paths(template), mapping, template)
      : undefined,
    isProtected: (connection) => isProtected(mapping, connection),
    checkOutput: (template) => checkOutput(root, isRepository, folder.paths(template), template),
  });
  return { command, output, workspace, root, service, isDry, folder, journal, sync };
}

function selectTargets({ root, service, workspace }: TransferTools, folders: readonly string[]): readonly Target[] {
  const wanted = folders.map((name) => relativePath({ ...workspace, root }, name));
  const targets = workspace.mapping.templates.flatMap((template): Target[] => {
    const id = template.ids[service.id];
    return id === undefined ? [] : [{ template, connection: service.id, id }];
  });
  const isBelow = (name: string, { template }: Target) => name === '' || `${template.folder}/`.startsWith(`${name}/`);
  const unmatched = folders[wanted.findIndex((name) => !targets.some((target) => isBelow(name, target)))];
  if (targets.length > 0 && unmatched === undefined)
    return targets.filter((target) => wanted.length === 0 || wanted.some((name) => isBelow(name, target)));
  throw new CommandError(
    `No template of "${service.id}" is mapped to ${unmatched ?? 'a folder'}.`,
    'Check the folders, and the IDs in mailing.json.',
  );
}

/** Prints what happened to each template. Resolves with the highest exit code. */
async function transferEach(tools: TransferTools, targets: readonly Target[], run: Transfer) {
  const { command, output, service, sync } = tools;
  const { id: connection, baseUrl } = service;
  const templates: object[] = [];
  let exitCode = CLEAN;
  for (const target of targets) {
    const found = sync.getStatus(target);
    const running =
      found?.kind === 'compared'
        ? run(tools, target, found.comparison)
        : found?.kind === 'failed'
          ? Promise.reject(found.error)
          : Promise.resolve({ state: 'deleted', code: FOUND, message: 'The service has no such template.' });
    const { code = CLEAN, ...outcome }: Outcome = await running.catch((error: unknown) => explainFailure(error, run));
    const { folder } = target.template;
    exitCode = Math.max(exitCode, code);
    templates.push({ folder, id: target.id, ...outcome });
    const { state, fields = [], message } = outcome;
    const line = [toLine(`${folder} → ${connection} #${target.id}`), state, fields.join(', '), message];
    if (command.json !== true && (state !== 'same' || command.verbose === true))
      output.print(toPrintable(line.filter(Boolean).join('  ')));
  }
  if (command.json === true) output.print(JSON.stringify({ connection, baseUrl, templates }, null, 2));
  return exitCode;
}

function explainFailure(error: unknown, run: Transfer): Outcome {
  const message = describeError(error);
  return run === push && isUnconfirmed(error)
    ? { state: 'unconfirmed', code: FOUND, message }
    : { state: 'failed', code: FAILED, message };
}

async function status(
  { journal }: TransferTools,
  target: Target,
  { changes, remote }: TemplateComparison,
): Promise<Outcome> {
  const pending = await journal.findPending(target, remote);
  const [first = 'same', ...others] = new Set(changes.values());
  return {
    state: first === 'both' || others.length > 0 ? 'conflict' : first,
    fields: Array.from(changes, ([field, change]) => `${field} (${change})`),
    ...(pending.length > 0 && { message: `Unconfirmed push: ${pending.join(', ')}.` }),
    code: changes.size + pending.length > 0 ? FOUND : CLEAN,
  };
}

async function diff(tools: TransferTools, target: Target, comparison: TemplateComparison): Promise<Outcome> {
  const fields = [...comparison.changes.keys()];
  const message = printDiff(tools, target, comparison, fields);
  return fields.length === 0
    ? { state: 'same' }
    : { state: 'different', fields, code: FOUND, ...(tools.command.json && { message }) };
}

async function pull({ isDry, service, sync }: TransferTools, target: Target): Promise<Outcome> {
  const result = await sync.pull(target, { local: 'folder', remote: service.id });
  if (result.kind === 'unresolved') return refuse(result, service);
  const { updated, merged, conflicts, skipped } = result;
  const fields = [...updated, ...merged, ...conflicts];
  const message = skipped.length > 0 ? { message: `Built, so not written: ${skipped.join(', ')}.` } : {};
  if (conflicts.length > 0) return { state: 'conflict', fields, code: FOUND, ...message };
  return { state: fields.length === 0 ? 'same' : isDry ? 'would be pulled' : 'pulled', fields, ...message };
}

async function push(tools: TransferTools, target: Target, comparison: TemplateComparison): Promise<Outcome> {
  const { command, isDry, output, service, sync } = tools;
  const plan = await sync.planPush(target, comparison, [
    command.retry && 'unconfirmed',
    command.allowProtected && 'protected',
  ]);
  const { localImages, refusal, texts } = plan;
  if (refusal !== undefined) return refuse(refusal, service);
  if (localImages.length > 0)
    output.note(`${target.template.folder}: recipients can't see these local images: ${localImages.join(', ')}`);
  if (isDry) {
    const fields = Object.keys(texts);
    printDiff(tools, target, comparison, fields);
    return { state: fields.length > 0 ? 'would be pushed' : 'same', fields };
  }
  const result = await sync.push(target, plan);
  if (result.kind === 'same') return { state: 'same' };
  if (result.kind !== 'stored') return refuse({ ...result, kind: 'changed' }, service);
  const { fields, lockError } = result;
  if (lockError !== undefined) {
    const message = `It was stored, but mailing.lock.json wasn't updated (${String(lockError)}). Correct this and pull.`;
    return { state: 'pushed', fields, code: FOUND, message };
  }
  const different = result.storedDifferently.join(', ');
  return {
    state: 'pushed',
    fields,
    ...(different !== '' && { message: `The service changed: ${different}.` }),
    ...('readBackError' in result && { message: 'It was stored, but not read back.' }),
  };
}

function refuse({ kind, fields, cause }: Refusal, { id }: ServiceConnection): Outcome {
  const advice: Readonly<Record<RefusalKind, string>> = {
    stale: 'Build it and push again.',
    noBase:
      'mailing.lock.json has no state that these files come from. Pull first. In CI, check out the whole history.',
    older: 'The files are older than the texts on the service. Pull first.',
    newer: 'The service has newer changes. Pull first.',
    unresolved: 'Resolve its conflicts first.',
    unconfirmed: 'An earlier push may still be stored. Wait, or add --retry.',
    protected: `"${id}" is protected. Add --allow-protected.`,
    changed: 'It changed meanwhile. Nothing was stored.',
  };
  const state = kind === 'unconfirmed' ? kind : 'refused';
  return { state, fields, message: [cause, advice[kind]].filter(Boolean).join(' '), code: FOUND };
}

/** Prints the differences of fields unless JSON is printed, and returns them. */
function printDiff(
  { command, folder, output, service }: TransferTools,
  { template }: Target,
  { local, remote }: TemplateComparison,
  fields: readonly string[],
) {
  const diffs = fields.map((field) => {
    const path = `${folder.path(template, field)}${folder.isText(field) ? '' : ` (${field})`}`;
    return formatDiff(path, remote[field] ?? '', local[field] ?? '', [service.id, 'folder'], output.colors);
  });
  if (command.json !== true) output.print(diffs.join(''));
  return diffs.join('');
}

/** Returns the committed texts of a template, the newest first. */
async function* readHistory(root: string, paths: readonly string[], mapping: Mapping, template: MappedTemplate) {
  const args = ['rev-list', `--max-count=${MAX_COMMITS}`, 'HEAD', '--', ...paths.map((path) => `./${path}`)];
  // Without a commit, there is no history.
  const commits = await runGit(root, ['--literal-pathspecs', ...args]).catch(() => '');
  for (const commit of commits.split('\n').filter(Boolean)) {
    const read = (path: string) => runGit(root, ['cat-file', 'blob', `${commit}:./${path}`]).catch(() => undefined);
    const committed = openFolder({ read, write: skipWrite }, mapping).read(template);
    // A commit may contain invalid files.
    yield await committed.catch(() => ({}));
  }
}

/** Refuses an output that is out of date, unless output and sources are committed as they are: a checkout writes them in any order. */
async function checkOutput(
  root: string,
  isRepository: boolean,
  own: readonly string[],
  template: MappedTemplate,
): Promise<Refusal<'stale'> | undefined> {
  const { output = '', source = [] } = template;
  const inspect = async (path: string) => {
    const stats = await lstat(join(root, path)).catch(() => undefined);
    return stats?.isDirectory() === true ? readdir(join(root, path)) : stats?.mtimeMs;
  };
  const staleness = await findStaleness(template, own, inspect);
  if (staleness === undefined) return undefined;
  const { cause, isMissing } = staleness;
  const git = (...args: readonly string[]) => runGit(root, ['--literal-pathspecs', ...args]);
  const isCommitted = async () =>
    (await git('status', '--porcelain', '--', output, ...source)) === '' &&
    (await git('ls-files', '--', output)) !== '';
  return isRepository && !isMissing && (await isCommitted())
    ? undefined
    : { kind: 'stale', fields: [templateLayout.builtField], cause };
}
