import * as vscode from 'vscode';
import { isApiError } from '../../service/client/errors.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import { errorText, isCanceled } from '../../platform/ui/errors.ts';
import { contentHash, type FieldTexts } from './fields.ts';
import { saveOpenFiles } from './openFiles.ts';
import { ensureCurrentOutputs } from './outputs.ts';
import type { FolderProject } from './project.ts';
import { isRemoteOnly, type TemplateComparison, type PullResult, type PushResult, type Target } from './sync.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';

const STATUS_MESSAGE_MS = 5000;

interface TransferOutcome<T> extends ProjectTarget {
  readonly result?: T;
  readonly error?: unknown;
}

interface PushOptions {
  readonly title: 'Push' | 'Push Mine over the Service' | 'Promote';
  /** Returns the hashes of the service's texts that the user was shown and chose to overwrite, by field. */
  getOverwrite(item: ProjectTarget): Readonly<Record<string, string>>;
  /** The push follows a save. `on` asks only if there is a warning or a protected connection, and notifies only about failures. */
  readonly onSave?: 'ask' | 'on';
  /** Files changed after the last confirmation. */
  readonly isRepeated?: boolean;
}

interface PendingPush extends ProjectTarget {
  readonly overwrite: Readonly<Record<string, string>>;
  /** The fields to store, with the texts that were compared. */
  readonly texts: FieldTexts;
  /** Fields that changed on the service, which block the push. */
  readonly newerFields: readonly string[];
}

const DEFAULT_PUSH: PushOptions = { title: 'Push', getOverwrite: () => ({}) };

/** Pushes the folders' changes after a confirmation. Resolves with the number of stored templates; undefined if the user cancels. */
export async function push(tools: FolderTools, items: readonly ProjectTarget[]): Promise<number | undefined> {
  return pushCurrent(tools, items, DEFAULT_PUSH);
}

/** Pushes the folders' changes and overwrites the service's changes that were shown to the user. */
export async function forcePush(tools: FolderTools, items: readonly ProjectTarget[]): Promise<number | undefined> {
  return pushCurrent(tools, items, {
    title: 'Push Mine over the Service',
    getOverwrite: (item) => hashShownTexts(item),
  });
}

/** Returns a function that pushes after a confirmation. In fields without a base, it overwrites the service's texts that are shown now. */
export function preparePromotion(tools: FolderTools, item: ProjectTarget): () => Promise<number | undefined> {
  const shown = hashShownTexts(item, (field) => getFieldBase(item, field) === undefined);
  return () => pushCurrent(tools, [item], { title: 'Promote', getOverwrite: () => shown });
}

async function pushCurrent(
  tools: FolderTools,
  items: readonly ProjectTarget[],
  options: PushOptions,
): Promise<number | undefined> {
  if (items.length === 0) return undefined;
  if (!vscode.workspace.isTrusted) throw new Error('Nothing is pushed from a workspace that is not trusted.');
  await saveOpenFiles(tools, items);
  if (
    !(await ensureCurrentOutputs(
      tools,
      items.map(({ project, target }) => ({ project, template: target.template })),
    ))
  )
    return undefined;
  return pushChanged(tools, items, options);
}

/** Pushes templates whose files were just saved. */
export async function pushSaved(
  tools: FolderTools,
  items: readonly ProjectTarget[],
  mode: 'ask' | 'on',
): Promise<void> {
  if (items.length > 0) await pushChanged(tools, items, { ...DEFAULT_PUSH, onSave: mode });
}

async function pushChanged(
  tools: FolderTools,
  items: readonly ProjectTarget[],
  options: PushOptions,
): Promise<number | undefined> {
  for (const project of new Set(items.map((item) => item.project))) await project.checkPush();
  // A push reads each template right before it writes. Only overwritten and conflicting fields need the service's current texts now.
  await compareFiles(tools, items);
  const isOverwrite = options.title !== 'Push';
  await refreshTargets(
    tools,
    isOverwrite ? items : items.filter((item) => findFields(item, (state) => state !== 'push').length > 0),
  );
  const unread = reportUnread(tools, items);
  // Fix the texts before the confirmation opens: a refresh during it may read newer texts.
  const candidates = items.map((item): PendingPush => {
    const overwrite = options.getOverwrite(item);
    const isOverwritten = (field: string): boolean => overwrite[field] !== undefined;
    return {
      ...item,
      overwrite,
      texts: getLocalTexts(
        item,
        findFields(item, (state, field) => state === 'push' || isOverwritten(field)),
      ),
      newerFields: findFields(
        item,
        (state, field) => state !== 'push' && !isOverwritten(field) && !isRemoteOnlyField(item, field),
      ),
    };
  });
  const changed = candidates.filter(
    (item) => Object.keys(item.texts).length > 0 || findFields(item, (state) => state === 'both').length > 0,
  );
  const behind = changed.filter(({ newerFields }) => newerFields.length > 0);
  reportBehind(tools, behind);
  const ready = changed.filter(({ newerFields }) => newerFields.length === 0);
  if (ready.length === 0) {
    if (behind.length + unread.length === 0 && options.onSave === undefined) void showInfo('There is nothing to push.');
    return 0;
  }
  if (!(await confirmPush(tools, ready, options))) return undefined;
  const outcomes = await tools.pushQueue.run(() =>
    transferEach(options.title, ready, ({ project, target, overwrite, texts }, signal) =>
      project.sync.push(target, { texts, overwrite }, signal),
    ),
  );
  await compareFiles(tools, items);
  reportPushed(tools, outcomes, options.onSave === 'on');
  const stored = outcomes.filter(({ result }) => result?.kind === 'stored').length;
  const changedAgain = outcomes
    .filter(({ result }) => result?.kind === 'changed')
    .map(({ project, target }) => ({ project, target }));
  if (changedAgain.length === 0) return stored;
  return stored + ((await pushChanged(tools, changedAgain, { ...options, isRepeated: true })) ?? 0);
}

/** Asks for confirmation unless the push follows a save, has no warning, and goes to no protected connection. */
async function confirmPush(
  tools: FolderTools,
  pending: readonly PendingPush[],
  { title, onSave, isRepeated }: PushOptions,
): Promise<boolean> {
  const localImages = await findLocalImages(pending);
  const isProtected = pending.some(({ project, target }) => project.isProtected(target.connection));
  if (onSave === 'on' && localImages.length === 0 && !isProtected) return true;
  const lines = pending.map((item) => `${describeTarget(tools, item)}: ${Object.keys(item.texts).join(', ')}`);
  if (isRepeated) lines.push('', 'The files changed after you confirmed. Nothing was stored yet.');
  lines.push(
    ...protectedLines(
      tools,
      pending.map(({ project, target }) => ({ project, connection: target.connection })),
    ),
  );
  if (localImages.length > 0)
    lines.push('', `No reader will see these images, which are files of this folder: ${localImages.join(', ')}`);
  const note = 'What the service has in these fields is replaced. It stays among the earlier states of each template.';
  if (pending.some(({ texts, overwrite }) => Object.keys(texts).some((field) => overwrite[field] !== undefined)))
    lines.push('', note);
  const action = localImages.length > 0 ? `${title} All the Same` : title;
  return confirm(`${title}: ${formatAmount(pending.length, 'template')}?`, lines, action);
}

/** Returns the lines of a confirmation that name the protected connections. */
export function protectedLines(
  { targets }: FolderTools,
  items: readonly { readonly project: FolderProject; readonly connection: string }[],
): readonly string[] {
  const ids = new Set(
    items.filter(({ project, connection }) => project.isProtected(connection)).map(({ connection }) => connection),
  );
  return ids.size === 0
    ? []
    : ['', ...[...ids].map((id) => `${targets.getServiceName(id)} is a protected connection.`)];
}

/** Pulls templates. Resolves with the number of pulled templates; undefined if none is selected. */
export async function pull(tools: FolderTools, items: readonly ProjectTarget[]): Promise<number | undefined> {
  if (items.length === 0) return undefined;
  await saveOpenFiles(tools, items);
  const outcomes = await transferEach('Pull', items, ({ project, target }, signal) =>
    project.sync.pull(
      target,
      { local: 'this folder', remote: tools.targets.getServiceName(target.connection) },
      signal,
    ),
  );
  await compareFiles(tools, items);
  const pulled = outcomes.filter(({ result }) => result?.kind === 'pulled');
  await reportPulled(tools, outcomes);
  return pulled.length;
}

/** Replaces the folders' changes with the service's texts after a confirmation. */
export async function discard(tools: FolderTools, items: readonly ProjectTarget[]): Promise<number | undefined> {
  if (items.length === 0) return undefined;
  await saveOpenFiles(tools, items);
  await refreshTargets(tools, items);
  reportUnread(tools, items);
  const ready = items.flatMap((item): (ProjectTarget & { readonly shown: TemplateComparison })[] => {
    const status = item.project.getStatus(item.target);
    return status?.kind === 'compared' ? [{ ...item, shown: status.comparison }] : [];
  });
  if (ready.length === 0) return 0;
  const lines = ready.map((item) => `${describeTarget(tools, item)}: ${[...item.shown.changes.keys()].join(', ')}`);
  const notice = ['', 'The texts of the folder stay among the earlier states of each template.'];
  if (
    !(await confirm(
      `Discard the changes of ${formatAmount(ready.length, 'template')}?`,
      [...lines, ...notice],
      'Discard',
    ))
  )
    return undefined;
  const outcomes = await transferEach('Discard', ready, ({ project, target, shown }, signal) =>
    project.sync.discard(target, shown, signal),
  );
  await compareFiles(tools, items);
  reportErrors(tools, outcomes);
  return outcomes.filter(({ result }) => result !== undefined).length;
}

/** Handles templates one after the other until the user cancels. An error doesn't stop the rest. */
async function transferEach<C extends ProjectTarget, T>(
  title: string,
  items: readonly C[],
  act: (item: C, signal: AbortSignal) => Promise<T>,
): Promise<readonly TransferOutcome<T>[]> {
  return withProgress(title, async (signal, report) => {
    const outcomes: TransferOutcome<T>[] = [];
    for (const item of items) {
      if (signal.aborted) break;
      report(item.target.template.folder, 100 / items.length);
      try {
        outcomes.push({ ...item, result: await act(item, signal) });
      } catch (error) {
        if (isCanceled(error)) break;
        outcomes.push({ ...item, error });
      }
    }
    return outcomes;
  });
}

/** Compares the files with the last texts of the services. Reads only templates that weren't read before. */
async function compareFiles({ folders }: FolderTools, items: readonly ProjectTarget[]): Promise<void> {
  for (const [project, targets] of groupTargets(items)) await folders.compare(project, targets);
}

async function refreshTargets({ folders }: FolderTools, items: readonly ProjectTarget[]): Promise<void> {
  for (const [project, targets] of groupTargets(items)) await folders.refresh(project, targets);
}

function groupTargets(items: readonly ProjectTarget[]): ReadonlyMap<ProjectTarget['project'], readonly Target[]> {
  return new Map(
    items.map(({ project }) => [project, items.filter((item) => item.project === project).map(({ target }) => target)]),
  );
}

function findFields(
  { project, target }: ProjectTarget,
  isIncluded: (state: string, field: string) => boolean = () => true,
): readonly string[] {
  const status = project.getStatus(target);
  const changes = status?.kind === 'compared' ? [...status.comparison.changes] : [];
  return changes.filter(([field, state]) => isIncluded(state, field)).map(([field]) => field);
}

/** Returns the hashes of the service's texts in the fields that differ and that the folder contains. */
function hashShownTexts(
  { project, target }: ProjectTarget,
  isIncluded: (field: string) => boolean = () => true,
): Readonly<Record<string, string>> {
  const status = project.getStatus(target);
  if (status?.kind !== 'compared') return {};
  const { changes, local, remote } = status.comparison;
  const fields = [...changes.keys()].filter((field) => local[field] !== undefined && isIncluded(field));
  return Object.fromEntries(fields.map((field) => [field, contentHash(remote[field] ?? '')]));
}

function getLocalTexts({ project, target }: ProjectTarget, fields: readonly string[]): FieldTexts {
  const status = project.getStatus(target);
  return Object.fromEntries(
    fields.map((field) => [field, status?.kind === 'compared' ? (status.comparison.local[field] ?? '') : '']),
  );
}

function isRemoteOnlyField({ project, target }: ProjectTarget, field: string): boolean {
  const status = project.getStatus(target);
  return status?.kind === 'compared' && isRemoteOnly(status.comparison, field);
}

function getFieldBase({ project, target }: ProjectTarget, field: string): unknown {
  const status = project.getStatus(target);
  return status?.kind === 'compared' ? status.comparison.base[field] : undefined;
}

async function findLocalImages(items: readonly ProjectTarget[]): Promise<readonly string[]> {
  const found = await Promise.all(
    items.map(async ({ project, target }) => {
      const status = project.getStatus(target);
      return status?.kind === 'compared' ? project.folder.findLocalImages(status.comparison.local) : [];
    }),
  );
  return [...new Set(found.flat())];
}

function describeTarget(tools: FolderTools, { target }: ProjectTarget): string {
  return `${target.template.folder} → ${tools.targets.getServiceName(target.connection)} #${target.id}`;
}

/** Reports and returns the templates that couldn't be compared with the service. */
function reportUnread(tools: FolderTools, items: readonly ProjectTarget[]): readonly ProjectTarget[] {
  const unread = items.filter(({ project, target }) => project.getStatus(target)?.kind !== 'compared');
  for (const item of unread) {
    const status = item.project.getStatus(item.target);
    const cause = status?.kind === 'failed' ? status.message : 'There is no such template on the service any more.';
    void showError(new Error(cause), { title: describeTarget(tools, item), connection: item.target.connection });
  }
  return unread;
}

function reportBehind(tools: FolderTools, behind: readonly ProjectTarget[]): void {
  if (behind.length === 0) return;
  const message = `Not pushed, because the service has changed since: ${listFolders(behind)}. Pull first.`;
  void showWarning(message, 'Pull').then((choice) => (choice === 'Pull' ? pull(tools, behind) : undefined));
}

function reportPushed(tools: FolderTools, outcomes: readonly TransferOutcome<PushResult>[], isQuiet: boolean): void {
  reportErrors(tools, outcomes);
  const withKind = (kind: PushResult['kind']): readonly TransferOutcome<PushResult>[] =>
    outcomes.filter(({ result }) => result?.kind === kind);
  const [behind, unresolved] = [withKind('behind'), withKind('unresolved')];
  reportBehind(tools, behind);
  if (unresolved.length > 0)
    void showWarning(`Not pushed, because conflicts are not resolved: ${listFolders(unresolved)}.`);
  const stored = outcomes.flatMap((item) => (item.result?.kind === 'stored' ? [{ ...item, result: item.result }] : []));
  const [confirmed, unread] = [
    stored.filter(({ result }) => !('readBackError' in result)),
    stored.filter(({ result }) => 'readBackError' in result),
  ];
  for (const item of unread) {
    const what = `Stored, but unconfirmed: ${item.result.fields.join(', ')}.`;
    const error = new Error(`${what} ${errorText(item.result.readBackError)}`);
    void showError(error, { title: describeTarget(tools, item), connection: item.target.connection });
  }
  const differentFields = confirmed.flatMap(({ result: { storedDifferently }, target: { template } }) =>
    storedDifferently.map((field) => `${template.folder}: ${field}`),
  );
  if (differentFields.length > 0)
    void showWarning(`Stored, but the service keeps it in other words: ${differentFields.join('; ')}.`);
  else if (confirmed.length > 0 && isQuiet)
    vscode.window.setStatusBarMessage(`Pushed: ${escapeMessage(listFolders(confirmed))}`, STATUS_MESSAGE_MS);
  else if (confirmed.length > 0) void showInfo(`Pushed: ${listFolders(confirmed)}.`);
}

function listFolders(items: readonly ProjectTarget[]): string {
  return [...new Set(items.map(({ target }) => target.template.folder))].join(', ');
}

async function reportPulled(tools: FolderTools, outcomes: readonly TransferOutcome<PullResult>[]): Promise<void> {
  reportErrors(tools, outcomes);
  for (const { project, target, result } of outcomes) {
    const { folder } = target.template;
    if (result?.kind === 'unresolved') void showWarning(`Not pulled, because conflicts are not resolved: ${folder}.`);
    if (result?.kind !== 'pulled') continue;
    if (result.skipped.length > 0) {
      const next = 'Change its source, then push over the service.';
      void showWarning(`${folder}: ${result.skipped.join(', ')} changed on the service, and is built here. ${next}`);
    }
    const paths = [...new Set(result.conflicts.map((field) => project.folder.path(target.template, field)))];
    if (paths.length === 0) continue;
    const tooLarge = (result.tooLarge ?? []).map((field) => project.folder.path(target.template, field));
    const whole =
      tooLarge.length === 0 ? '' : ` Too large to merge line by line, so choose a version: ${tooLarge.join(', ')}.`;
    const message = `${folder}: both sides changed the same place of ${paths.join(', ')}.${whole}`;
    void showWarning(message, 'Resolve').then(async (choice) => {
      if (choice === 'Resolve')
        for (const path of paths) await vscode.window.showTextDocument(project.files.uri(path), { preview: false });
    });
  }
}

function reportErrors(tools: FolderTools, outcomes: readonly TransferOutcome<unknown>[]): void {
  for (const item of outcomes) {
    if (item.error === undefined) continue;
    const isUnknown = isApiError(item.error) && item.error.outcome === 'unknown';
    const next = 'It is not known whether it was stored: refresh, and push again if it was not.';
    const error = isUnknown ? new Error(`${errorText(item.error)} ${next}`) : item.error;
    void showError(error, { title: describeTarget(tools, item), connection: item.target.connection });
  }
}
