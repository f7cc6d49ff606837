import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isApiError } from '../service/client/shapes.ts';
import type { FieldBase } from '../sync/fields/fields.ts';
import { NodeFiles, type Files } from '../sync/files.ts';
import { LockFile } from '../sync/push/lock.ts';
import { isProtected, type MappedTemplate, type Target } from '../sync/mapping/mapping.ts';
import { mergeTexts } from '../sync/merge/merge.ts';
import { stateFolderName } from '../sync/paths.ts';
import { findUnresolved, planPush, type TemplateComparison } from '../sync/push/plan.ts';
import { PushJournal, PushRunningError } from '../sync/requests/pushJournal.ts';
import { RevisionStore } from '../sync/push/revisions.ts';
import { StateFiles } from '../sync/stateFiles.ts';
import { findStaleness } from '../sync/mapping/staleness.ts';
import { Sync } from '../sync/push/sync.ts';
import { templateLayout } from '../sync/mapping/templateLayout.ts';
import { connect, createRemote, openFolder, type ConnectionOptions } from './connection.ts';
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
import { openWorkspace, relativePath, requireFolder, runGit } from './workspace.ts';

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

/** Compares, pulls or pushes mapped templates. Resolves with the exit code. */
export async function transfer(
  action: 'status' | 'diff' | 'pull' | 'push',
  folders: readonly string[],
  command: TransferCommand,
): Promise<number> {
  const output = new Output(command);
  const workspace = await openWorkspace();
  const root = requireFolder(workspace);
  const { mapping } = workspace;
  const service = await connect(workspace, command);
  const isDry = command.dryRun === true || action === 'status' || action === 'diff';
  const disk = new NodeFiles(root);
  const files: Files = isDry ? { read: (path) => disk.read(path), write: () => Promise.resolve() } : disk;
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
    readHistory: workspace.isRepository ? readHistory : undefined,
  });
  const actions = { status, diff, pull, push };
  try {
    const targets = selectTargets();
    await journal.hideFromGit();
    output.note(`Comparing with ${service.baseUrl}: ${targets.map(({ template }) => template.folder).join(', ')}`);
    await sync.refresh(targets);
    return await (action === 'push' && !isDry ? journal.push(() => run(targets)) : run(targets));
  } catch (error) {
    if (!(error instanceof PushRunningError)) throw error;
    printError(describeError(error));
    return FOUND;
  } finally {
    await sync.whenStored();
    await service.client.close();
  }

  async function* readHistory({ template }: Target) {
    const paths = folder.paths(template).map((path) => `./${path}`);
    const args = ['rev-list', `--max-count=${MAX_COMMITS}`, 'HEAD', '--', ...paths];
    // Without a commit, there is no history.
    const commits = await runGit(root, ['--literal-pathspecs', ...args]).catch(() => '');
    for (const commit of commits.split('\n').filter(Boolean)) {
      const read = (path: string) => runGit(root, ['cat-file', 'blob', `${commit}:./${path}`]).catch(() => undefined);
      const committed = openFolder({ read, write: () => Promise.resolve() }, mapping).read(template);
      // A commit may contain invalid files.
      yield await committed.catch(() => ({}));
    }
  }

  /** Returns whether output and sources are committed as they are: a checkout writes them in any order. */
  async function isCommitted({ output = '', source = [] }: MappedTemplate) {
    if (!workspace.isRepository) return false;
    const git = (...args: readonly string[]) => runGit(root, ['--literal-pathspecs', ...args]);
    const [changed, tracked] = await Promise.all([
      git('status', '--porcelain', '--', output, ...source),
      git('ls-files', '--', output),
    ]);
    return changed === '' && tracked !== '';
  }

  function selectTargets(): readonly Target[] {
    const wanted = folders.map((name) => relativePath({ ...workspace, root }, name));
    const targets = mapping.templates.flatMap((template): Target[] => {
      const id = template.ids[service.id];
      const path = `${template.folder}/`;
      const isWanted = wanted.length === 0 || wanted.some((name) => name === '' || path.startsWith(`${name}/`));
      return id === undefined || !isWanted ? [] : [{ template, connection: service.id, id }];
    });
    if (targets.length > 0) return targets;
    throw new CommandError(
      `No template of "${service.id}" is mapped here.`,
      'Check the folders, and the IDs in mailing.json.',
    );
  }

  async function run(targets: readonly Target[]): Promise<number> {
    const templates: object[] = [];
    let exitCode = CLEAN;
    for (const target of targets) {
      const { code = CLEAN, ...outcome } = await act(target).catch(explainFailure);
      const { template, id } = target;
      exitCode = Math.max(exitCode, code);
      templates.push({ folder: template.folder, id, ...outcome });
      const { state: what, fields = [], message } = outcome;
      const line = [toLine(`${template.folder} → ${service.id} #${id}`), what, fields.join(', '), message].filter(
        Boolean,
      );
      if (command.json !== true && (what !== 'same' || command.verbose === true))
        output.print(toPrintable(line.join('  ')));
    }
    const { id: connection, baseUrl } = service;
    if (command.json === true) output.print(JSON.stringify({ connection, baseUrl, templates }, null, 2));
    return exitCode;
  }

  async function act(target: Target): Promise<Outcome> {
    const found = sync.getStatus(target);
    if (found?.kind === 'failed') throw found.error;
    if (found?.kind === 'compared') return actions[action](target, found.comparison);
    return { state: 'deleted', code: FOUND, message: 'The service has no such template.' };
  }

  function explainFailure(error: unknown): Outcome {
    const isUnconfirmed = action === 'push' && isApiError(error) && error.outcome === 'unknown';
    const message = describeError(error);
    return isUnconfirmed ? { state: 'unconfirmed', code: FOUND, message } : { state: 'failed', code: FAILED, message };
  }

  async function status(target: Target, { changes, remote }: TemplateComparison): Promise<Outcome> {
    const pending = await journal.findPending(target, remote);
    const [first = 'same', ...others] = new Set(changes.values());
    return {
      state: first === 'both' || others.length > 0 ? 'conflict' : first,
      fields: Array.from(changes, ([field, change]) => `${field} (${change})`),
      ...(pending.length > 0 && { message: `Unconfirmed push: ${pending.join(', ')}.` }),
      code: changes.size + pending.length > 0 ? FOUND : CLEAN,
    };
  }

  async function diff(target: Target, comparison: TemplateComparison): Promise<Outcome> {
    const fields = [...comparison.changes.keys()];
    const text = formatDiffs(target, comparison, fields);
    if (command.json !== true) output.print(text);
    return fields.length === 0
      ? { state: 'same' }
      : { state: 'different', fields, code: FOUND, ...(command.json && { message: text }) };
  }

  function formatDiffs({ template }: Target, { local, remote }: TemplateComparison, fields: readonly string[]) {
    const diffs = fields.map((field) => {
      const path = `${folder.path(template, field)}${folder.isText(field) ? '' : ` (${field})`}`;
      return formatDiff(path, remote[field] ?? '', local[field] ?? '', [service.id, 'folder'], output.colors);
    });
    return diffs.join('');
  }

  async function pull(target: Target): Promise<Outcome> {
    const result = await sync.pull(target, { local: 'folder', remote: service.id });
    if (result.kind === 'unresolved') return refuse(result.fields, 'Resolve its conflicts first.');
    const { updated, merged, conflicts, skipped } = result;
    const fields = [...updated, ...merged, ...conflicts];
    const message = skipped.length > 0 ? { message: `Built, so not written: ${skipped.join(', ')}.` } : {};
    if (conflicts.length > 0) return { state: 'conflict', fields, code: FOUND, ...message };
    return { state: fields.length === 0 ? 'same' : isDry ? 'would be pulled' : 'pulled', fields, ...message };
  }

  async function push(target: Target, comparison: TemplateComparison): Promise<Outcome> {
    const { template } = target;
    const staleness = await findStaleness(template, folder.paths(template), (path) => inspect(join(root, path)));
    if (staleness !== undefined && (staleness.isMissing || !(await isCommitted(template))))
      return refuse([templateLayout.builtField], `${staleness.cause} Build it and push again.`);
    const { behind, ...plan } = planPush(comparison);
    const fields = Object.keys(plan.texts);
    if (behind.length > 0) return refuse(behind, explainBehind(behind.map((field) => comparison.base[field])));
    const unresolved = findUnresolved(plan.texts, comparison.remote);
    if (unresolved.length > 0) return refuse(unresolved, 'Resolve its conflicts first.');
    const pending = await journal.findPending(target, comparison.remote);
    if (fields.length > 0 && pending.length > 0 && command.retry !== true)
      return { ...refuse(pending, 'An earlier push may still be stored. Wait, or add --retry.'), state: 'unconfirmed' };
    if (fields.length > 0 && isProtected(mapping, service.id) && command.allowProtected !== true)
      return refuse(fields, `"${service.id}" is protected. Add --allow-protected.`);
    const images = await folder.findLocalImages(plan.texts);
    if (images.length > 0)
      output.note(`${template.folder}: recipients can't see these local images: ${images.join(', ')}`);
    if (isDry) {
      if (command.json !== true) output.print(formatDiffs(target, comparison, fields));
      return { state: fields.length > 0 ? 'would be pushed' : 'same', fields };
    }
    const result = await sync.push(target, plan);
    if (result.kind === 'same') return { state: 'same' };
    if (result.kind !== 'stored') return refuse(result.fields, 'It changed meanwhile. Nothing was stored.');
    const { fields: stored, lockError } = result;
    if (lockError !== undefined) {
      const message = `It was stored, but mailing.lock.json wasn't updated (${String(lockError)}). Correct this and pull.`;
      return { state: 'pushed', fields: stored, code: FOUND, message };
    }
    const different = result.storedDifferently.join(', ');
    return {
      state: 'pushed',
      fields: stored,
      ...(different !== '' && { message: `The service changed: ${different}.` }),
      ...('readBackError' in result && { message: 'It was stored, but not read back.' }),
    };
  }
}

async function inspect(path: string) {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true ? readdir(path) : stats?.mtimeMs;
}

/** Returns why fields with these bases can't be pushed. */
function explainBehind(bases: readonly (FieldBase | undefined)[]) {
  if (bases.includes(undefined))
    return 'mailing.lock.json has no state that these files come from. Pull first. In CI, check out the whole history.';
  return bases.some((base) => base?.isOlder === true)
    ? 'The files are older than the texts on the service. Pull first.'
    : 'The service has newer changes. Pull first.';
}

const refuse = (fields: readonly string[], message: string): Outcome => ({
  state: 'refused',
  fields,
  message,
  code: FOUND,
});
