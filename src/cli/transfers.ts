import { join } from 'node:path';
import { findImageAddresses } from '../email/checks/images.ts';
import { isApiError } from '../service/client/shapes.ts';
import { NodeFiles, type Files } from '../sync/files.ts';
import { TemplateFolder } from '../sync/folder.ts';
import { LockFile } from '../sync/lock.ts';
import { isProtected, type Target } from '../sync/mapping.ts';
import { mergeTexts } from '../sync/merge.ts';
import { stateFolderName } from '../sync/paths.ts';
import { findUnresolved, planPush, type TemplateComparison } from '../sync/plan.ts';
import { PushJournal, PushRunningError } from '../sync/pushJournal.ts';
import { RevisionFiles, RevisionStore } from '../sync/revisions.ts';
import { Sync } from '../sync/sync.ts';
import { templateLayout } from '../sync/templateLayout.ts';
import { connect, createRemote, type ConnectionOptions } from './connection.ts';
import { formatDiff } from './differences.ts';
import { CLEAN, CommandError, describeError, FAILED, FOUND, Output, type OutputOptions } from './output.ts';
import { openWorkspace, relativePath, requireFolder } from './workspace.ts';

export interface TransferCommand extends OutputOptions, ConnectionOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly allowProtected?: boolean;
  readonly retry?: boolean;
}

export type TransferName = 'status' | 'diff' | 'pull' | 'push';

/** What happened to a template, as `--json` prints it. */
interface Result {
  readonly folder: string;
  readonly id: number;
  /** What a person reads: `push`, `pulled`, `refused`, `unconfirmed`, … */
  readonly state: string;
  readonly fields?: readonly string[] | Readonly<Record<string, string>>;
  readonly message?: string;
  readonly code: number;
}

/** Compares, pulls or pushes mapped templates. Resolves with the exit code. */
export async function transfer(
  action: TransferName,
  folders: readonly string[],
  command: TransferCommand,
): Promise<number> {
  const output = new Output(command);
  const workspace = await openWorkspace();
  const root = requireFolder(workspace);
  const { mapping } = workspace;
  const service = await connect(workspace, command);
  const isDry = action !== 'pull' && action !== 'push' ? true : command.dryRun === true;
  const files = isDry ? new DryFiles(root) : new NodeFiles(root);
  const state = join(root, stateFolderName);
  const getService = (): string => service.baseUrl;
  const journal = new PushJournal(new RevisionFiles(state), getService);
  const folder = new TemplateFolder(
    files,
    templateLayout,
    () => mapping.assets,
    async (text, format) => findImageAddresses(text, format),
  );
  const sync = new Sync({
    folder,
    remote: createRemote(service.client),
    lock: new LockFile(files, (task) => (isDry ? task() : journal.runExclusively(task))),
    revisions: new RevisionStore(new RevisionFiles(join(state, 'versions')), getService),
    journal,
    merge: (input) => Promise.resolve(mergeTexts(input)),
  });
  const results: Result[] = [];
  try {
    const targets = selectTargets();
    output.note(
      `Comparing ${targets.length} ${targets.length === 1 ? 'template' : 'templates'} with ${service.baseUrl}`,
    );
    await sync.refresh(targets);
    const compared = targets.flatMap((target) => {
      const status = sync.getStatus(target);
      if (status?.kind === 'compared') return [{ target, comparison: status.comparison }];
      const message = status?.kind === 'failed' ? describeError(status.error) : 'The service has no such template.';
      report(
        target,
        status?.kind === 'failed' ? 'failed' : 'deleted',
        status?.kind === 'failed' ? FAILED : FOUND,
        undefined,
        message,
      );
      return [];
    });
    if (action === 'push' && isProtected(mapping, service.id) && command.allowProtected !== true) {
      for (const { target } of compared)
        report(target, 'refused', FOUND, undefined, `"${service.id}" is protected. Add --allow-protected.`);
    } else if (action === 'push' && !isDry) await journal.push(() => run(compared));
    else await run(compared);
  } catch (error) {
    if (!(error instanceof PushRunningError)) throw error;
    output.note(error.message);
    return FOUND;
  } finally {
    await sync.whenStored();
    await service.client.close();
  }
  if (command.json === true)
    output.print(
      JSON.stringify(
        {
          connection: service.id,
          baseUrl: service.baseUrl,
          templates: results.map(({ code: _, ...result }) => result),
        },
        null,
        2,
      ),
    );
  return Math.max(CLEAN, ...results.map(({ code }) => code));

  function selectTargets(): readonly Target[] {
    const wanted = folders.map((name) => relativePath({ ...workspace, root }, name).replace(/\/$/u, ''));
    const isWanted = (path: string): boolean =>
      wanted.length === 0 || wanted.some((name) => name === '' || path === name || path.startsWith(`${name}/`));
    const targets = mapping.templates.flatMap((template) => {
      const id = template.ids[service.id];
      return id === undefined || !isWanted(template.folder) ? [] : [{ template, connection: service.id, id }];
    });
    if (targets.length > 0) return targets;
    throw new CommandError(
      `No template of "${service.id}" is mapped here.`,
      'Check the folders, and the IDs in mailing.json.',
    );
  }

  async function run(compared: readonly Compared[]): Promise<void> {
    for (const { target, comparison } of compared) {
      try {
        if (action === 'status') await showStatus(target, comparison);
        else if (action === 'diff') showDiff(target, comparison, [...comparison.changes.keys()]);
        else if (action === 'pull') await pull(target);
        else await push(target, comparison);
      } catch (error) {
        const isUnconfirmed = isApiError(error) && error.outcome === 'unknown' && action === 'push';
        report(
          target,
          isUnconfirmed ? 'unconfirmed' : 'failed',
          isUnconfirmed ? FOUND : FAILED,
          undefined,
          describeError(error),
        );
      }
    }
  }

  async function showStatus(target: Target, { changes, remote }: TemplateComparison): Promise<void> {
    const pending = await journal.findPending(target, remote);
    const states = new Set(changes.values());
    const summary = states.size > 1 || states.has('both') ? 'conflict' : ([...states][0] ?? 'same');
    const message = pending.length > 0 ? `Unconfirmed push: ${pending.join(', ')}.` : undefined;
    report(target, summary, states.size + pending.length > 0 ? FOUND : CLEAN, Object.fromEntries(changes), message);
  }

  function showDiff({ template, id }: Target, { local, remote }: TemplateComparison, fields: readonly string[]): void {
    for (const field of fields) {
      const path = `${folder.path(template, field)}${folder.isText(field) ? '' : ` (${field})`}`;
      const diff = formatDiff(path, remote[field] ?? '', local[field] ?? '', [service.id, 'folder'], output.colors);
      if (command.json !== true) output.print(diff);
      else
        results.push({ folder: template.folder, id, state: 'different', fields: [field], message: diff, code: FOUND });
    }
    if (fields.length > 0 && command.json !== true)
      results.push({ folder: template.folder, id, state: 'different', code: FOUND });
  }

  async function pull(target: Target): Promise<void> {
    const result = await sync.pull(target, { local: 'folder', remote: service.id });
    if (result.kind === 'unresolved')
      return report(target, 'refused', FOUND, result.fields, 'Resolve its conflicts first.');
    const { updated, merged, conflicts, skipped } = result;
    const written = [...updated, ...merged, ...conflicts];
    const message = skipped.length > 0 ? `Built, so not written: ${skipped.join(', ')}.` : undefined;
    const done = isDry ? 'would be pulled' : 'pulled';
    report(
      target,
      conflicts.length > 0 ? 'conflict' : written.length > 0 ? done : 'same',
      conflicts.length > 0 ? FOUND : CLEAN,
      written,
      message,
    );
  }

  async function push(target: Target, comparison: TemplateComparison): Promise<void> {
    const { template } = target;
    if (template.output !== undefined && comparison.local[templateLayout.builtField] === undefined)
      throw new CommandError(`${template.output} hasn't been built yet.`, 'Build it and push again.');
    const { behind, ...plan } = planPush(comparison);
    const fields = Object.keys(plan.texts);
    const unresolved = findUnresolved(plan.texts, comparison.remote);
    const pending = command.retry === true ? [] : await journal.findPending(target, comparison.remote);
    const refuse = (names: readonly string[], why: string): void => report(target, 'refused', FOUND, names, why);
    if (behind.length > 0) return refuse(behind, 'The service has newer changes. Pull first.');
    if (unresolved.length > 0) return refuse(unresolved, 'Resolve its conflicts first.');
    if (fields.length > 0 && pending.length > 0)
      return report(
        target,
        'unconfirmed',
        FOUND,
        pending,
        'An earlier push may still be stored. Wait, or add --retry.',
      );
    const images = await folder.findLocalImages(plan.texts);
    if (images.length > 0)
      output.note(`${template.folder}: recipients can't see these local images: ${images.join(', ')}`);
    if (isDry) {
      showDiff(target, comparison, fields);
      return report(target, fields.length > 0 ? 'would be pushed' : 'same', CLEAN, fields);
    }
    const result = await sync.push(target, plan);
    if (result.kind === 'same') return report(target, 'same', CLEAN);
    if (result.kind !== 'stored') return refuse(result.fields, 'It changed meanwhile. Nothing was stored.');
    const { storedDifferently, readBackError } = result;
    const message =
      readBackError !== undefined
        ? 'It was stored, but not read back.'
        : storedDifferently.length > 0
          ? `The service changed: ${storedDifferently.join(', ')}.`
          : undefined;
    report(target, 'pushed', CLEAN, result.fields, message);
  }

  function report(
    { template, id }: Target,
    what: string,
    code: number,
    fields?: Result['fields'],
    message?: string,
  ): void {
    results.push({
      folder: template.folder,
      id,
      state: what,
      code,
      ...(fields && { fields }),
      ...(message !== undefined && { message }),
    });
    if (command.json === true) return;
    const names = Array.isArray(fields)
      ? fields
      : Object.entries(fields ?? {}).map(([field, change]) => `${field} (${change})`);
    const line = [`${template.folder} → ${service.id} #${id}`, what, names.join(', '), message]
      .filter(Boolean)
      .join('  ');
    if (what !== 'same' || command.verbose === true) output.print(line);
  }
}

interface Compared {
  readonly target: Target;
  readonly comparison: TemplateComparison;
}

/** Reads files, and writes none. */
class DryFiles implements Files {
  readonly #files: NodeFiles;
  constructor(root: string) {
    this.#files = new NodeFiles(root);
  }
  read(path: string): Promise<string | undefined> {
    return this.#files.read(path);
  }
  async write(): Promise<void> {}
}
