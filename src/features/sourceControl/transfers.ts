import { t } from '@vscode/l10n';
import { isUnconfirmed } from '../../service/client/shapes.ts';
import * as vscode from 'vscode';
import { formatList, formatPair, localized, plural } from '../../l10n.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';
import { confirm, showError, showInfo, showWarning, withProgress } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import type { FieldTexts } from '../../sync/fields/fields.ts';
import {
  hashShownTexts,
  type CheckedPlan,
  type PullResult,
  type PushResult,
  type TemplateComparison,
} from '../../sync/push/plan.ts';
import type { FolderProject, ProjectTarget } from './project.ts';
import { createUntrustedError, saveOpenFiles, type FolderTools } from './selection.ts';

const STATUS_MESSAGE_MS = 5000;
/** What the user is asked about before each push. */
const ASKED_ABOUT = ['unconfirmed', 'protected'] as const;

type Targets = readonly ProjectTarget[];

interface PushOptions {
  readonly kind: 'push' | 'overwrite' | 'promote';
  /** Hashes of the service's texts that the user was shown and chose to overwrite. `overwrite` overwrites all that the confirmation shows. */
  readonly overwrite?: FieldTexts;
  /** The push follows a save. `on` asks only if there is a warning or a protected connection, and notifies only about failures. */
  readonly onSave?: 'ask' | 'on';
  /** Files changed after the last confirmation. */
  readonly isRepeated?: boolean;
}

/** A template, with the result of a step. */
type Transfer<R> = ProjectTarget & { readonly result: R };

/** Pushes the folders' changes after a confirmation. Resolves with the number of stored templates; undefined if the user cancels. */
export async function push(
  tools: FolderTools,
  items: Targets,
  options: PushOptions = { kind: 'push' },
): Promise<number | undefined> {
  if (items.length === 0) return undefined;
  if (!vscode.workspace.isTrusted) throw createUntrustedError();
  await saveOpenFiles(tools, items);
  return (await tools.builds.ensureCurrentOutputs(items)) ? pushChanged(tools, items, options) : undefined;
}

/** Pushes the folders' changes and overwrites the service's changes that were shown to the user. */
export function forcePush(tools: FolderTools, items: Targets): Promise<number | undefined> {
  return push(tools, items, { kind: 'overwrite' });
}

/** Pushes the changes of saved files after a confirmation, if one is needed. */
export async function pushChanged(
  tools: FolderTools,
  selected: Targets,
  options: PushOptions,
): Promise<number | undefined> {
  for (const project of groupByProject(selected).keys()) await project.checkPush();
  const items = await findCurrent(selected);
  // A push reads each template right before it writes. Only overwritten and conflicting fields need the service's current texts now.
  await compareFiles(items);
  const hasRemoteChanges = (item: ProjectTarget) =>
    [...(item.project.getComparison(item)?.changes.values() ?? [])].some((state) => state !== 'push');
  await refreshTargets(options.kind === 'push' ? items.filter(hasRemoteChanges) : items);
  // Fix the texts before the confirmation opens: a refresh during it may read newer texts.
  const compared = listCompared(tools, items);
  const planned = await Promise.all(
    compared.map(async ({ result: comparison, ...item }) => {
      const overwrite = options.kind === 'overwrite' ? hashShownTexts(comparison) : options.overwrite;
      return { ...item, result: await item.project.sync.planPush(item, comparison, ASKED_ABOUT, overwrite) };
    }),
  );
  const changed = planned.filter(({ result }) => result.hasOwnChanges);
  reportRefused(
    tools,
    changed.map(({ result, ...item }) => ({ ...item, result: result.refusal })),
  );
  const ready = changed
    .filter(({ result }) => result.refusal === undefined)
    .map((item) => ({ ...item, ...tools.connections.getService(item.connection) }));
  if (ready.length === 0) {
    if (changed.length === 0 && compared.length === items.length && options.onSave === undefined)
      void showInfo(t('There is nothing to push.'));
    return 0;
  }
  if (!(await confirmPush(tools, ready, options))) return undefined;
  const transfers = await tools.pushQueue.run(() =>
    transferEach(tools, t('Pushing templates'), ready, (item, signal) =>
      item.project.journal.push(() => item.project.sync.push(item, item.result, signal)),
    ),
  );
  reportPushed(tools, transfers, options.onSave === 'on');
  const stored = transfers.filter(({ result }) => result.kind === 'stored').length;
  const changedAgain = transfers.filter(({ result }) => result.kind === 'changed');
  if (changedAgain.length === 0) return stored;
  return stored + ((await pushChanged(tools, changedAgain, { ...options, isRepeated: true })) ?? 0);
}

/** Returns the questions of confirmations, and their buttons without and with a warning. */
const getQuestions = localized(() => ({
  push: {
    one: t('Push changes to {0} template on {1}?'),
    other: t('Push changes to {0} templates on {1}?'),
    actions: [t('Push'), t('Push Anyway')],
  },
  overwrite: {
    one: t('Overwrite {0} template on {1} with your version?'),
    other: t('Overwrite {0} templates on {1} with your version?'),
    actions: [t('Overwrite'), t('Overwrite Anyway')],
  },
  promote: {
    one: t('Promote {0} template to {1}?'),
    other: t('Promote {0} templates to {1}?'),
    actions: [t('Promote'), t('Promote Anyway')],
  },
}));

/** Asks for confirmation unless the push follows a save, has no warning, and goes to no protected connection. */
async function confirmPush(
  tools: FolderTools,
  pending: readonly Transfer<CheckedPlan>[],
  { kind, onSave, isRepeated }: PushOptions,
) {
  const localImages = [...new Set(pending.flatMap(({ result }) => result.localImages))];
  const protectedNames = describeProtected(tools, pending);
  if (onSave === 'on' && localImages.length === 0 && protectedNames.length === 0) return true;
  const overwritten = t(
    'These fields are overwritten on the service. You can restore them from the earlier states of each template.',
  );
  const lines = [
    ...pending.map((item) => formatPair(describeTarget(tools, item), Object.keys(item.result.texts).join(', '))),
    ...(isRepeated ? ['', t('The files changed after you confirmed. Nothing was stored yet.')] : []),
    ...protectedNames,
    ...describeLocalImages(localImages),
    ...(pending.some(({ result }) => result.isOverwriting) ? ['', overwritten] : []),
  ];
  const services = formatList(new Set(pending.map(({ connection }) => tools.targets.getServiceName(connection))));
  const { one, other, actions } = getQuestions()[kind];
  return confirm(plural(pending.length, one, other, services), lines, actions[localImages.length > 0 ? 1 : 0] ?? '');
}

/** Returns the lines of a confirmation that name the protected connections. */
export function describeProtected(
  { targets }: FolderTools,
  items: readonly Pick<ProjectTarget, 'project' | 'connection'>[],
): readonly string[] {
  const protectedItems = items.filter(({ project, connection }) => project.isProtected(connection));
  const names = new Set(protectedItems.map(({ connection }) => targets.getServiceName(connection)));
  return names.size === 0 ? [] : ['', ...Array.from(names, (name) => t`${name} is a protected connection.`)];
}

/** Returns the lines of a confirmation that name the images that recipients can't load. */
export function describeLocalImages(images: readonly string[]): readonly string[] {
  return images.length === 0
    ? []
    : ['', t`Recipients can't see these images, because they are local files: ${images.join(', ')}`];
}

/** Pulls templates. Resolves with the number of pulled templates; undefined if none is selected. */
export async function pull(tools: FolderTools, items: Targets): Promise<number | undefined> {
  if (items.length === 0) return undefined;
  await saveOpenFiles(tools, items);
  const transfers = await transferEach(tools, t('Pulling templates'), await findCurrent(items), (item, signal) => {
    const local = t({ message: 'this folder', comment: 'One side of a conflict: <<<<<<< this folder' });
    const names = { local, remote: tools.targets.getServiceName(item.connection) };
    return item.project.sync.pull(item, names, signal);
  });
  for (const transfer of transfers) reportPulled(transfer);
  return transfers.filter(({ result }) => result.kind === 'pulled').length;
}

/** Replaces the folders' changes with the service's texts after a confirmation. */
export async function discard(tools: FolderTools, selected: Targets): Promise<number | undefined> {
  if (selected.length === 0) return undefined;
  await saveOpenFiles(tools, selected);
  const items = await findCurrent(selected);
  await refreshTargets(items);
  const ready = listCompared(tools, items);
  if (ready.length === 0) return 0;
  const lines = [
    ...ready.map((item) => formatPair(describeTarget(tools, item), [...item.result.changes.keys()].join(', '))),
    '',
    t('You can restore the discarded texts from the earlier states of each template.'),
  ];
  const question = plural(ready.length, t('Discard changes to {0} template?'), t('Discard changes to {0} templates?'));
  if (!(await confirm(question, lines, t('Discard')))) return undefined;
  const transfers = await transferEach(tools, t('Discarding changes'), ready, (item, signal) =>
    item.project.sync.discard(item, item.result, signal),
  );
  return transfers.length;
}

/** Handles templates one after the other until the user cancels. Reports errors without stopping the rest. */
async function transferEach<C extends ProjectTarget, R>(
  tools: FolderTools,
  title: string,
  items: readonly C[],
  transfer: (item: C, signal: AbortSignal) => Promise<R>,
) {
  const transfers = await withProgress(title, async (signal, report) => {
    const done: Transfer<R>[] = [];
    for (const item of items) {
      if (signal.aborted) break;
      report(item.template.folder, 100 / items.length);
      try {
        done.push({ ...item, result: await transfer(item, signal) });
      } catch (error) {
        if (isCanceled(error)) break;
        const next = t("The change may have been stored. Refresh, and push again if it wasn't.");
        reportError(tools, item, isUnconfirmed(error) ? new Error(`${errorText(error)} ${next}`) : error);
      }
    }
    return done;
  });
  await compareFiles(items);
  return transfers;
}

/** Returns templates as `mailing.json` maps them now: it may have changed since they were selected. @throws if it no longer does */
async function findCurrent(items: Targets): Promise<Targets> {
  for (const project of groupByProject(items).keys()) await project.updateMapping();
  return items.map(({ project, template: { folder }, connection }) => {
    const current = project.targets.find((one) => one.template.folder === folder && one.connection === connection);
    if (current === undefined) throw new Error(t`mailing.json no longer maps "${folder}".`);
    return current;
  });
}

/** Compares the files with the last texts of the services. Reads only templates that weren't read before. */
async function compareFiles(items: Targets) {
  for (const [project, targets] of groupByProject(items)) await project.compare(targets, true);
}

async function refreshTargets(items: Targets) {
  for (const [project, targets] of groupByProject(items)) await project.refresh(targets);
}

function groupByProject(items: Targets) {
  return Map.groupBy(items, ({ project }) => project);
}

function describeTarget({ targets }: FolderTools, { template, connection, id }: ProjectTarget) {
  return `${template.folder} → ${targets.getServiceName(connection)} #${id}`;
}

/** Returns the templates that could be compared with the service, and reports the others. */
function listCompared(tools: FolderTools, items: Targets): readonly Transfer<TemplateComparison>[] {
  return items.flatMap((item) => {
    const status = item.project.sync.getStatus(item);
    if (status?.kind === 'compared') return [{ ...item, result: status.comparison }];
    const deleted = new Error(t('The template was deleted on the service.'));
    reportError(tools, item, status?.kind === 'failed' ? status.error : deleted);
    return [];
  });
}

function reportError(tools: FolderTools, item: ProjectTarget, error: unknown) {
  void showError(error, { title: describeTarget(tools, item) });
}

/** Offers to pull templates that are behind, and shows the files with conflict markers. */
function reportRefused(tools: FolderTools, transfers: readonly Transfer<PushResult | undefined>[]) {
  const behind = transfers.filter(({ result }) => result && ['noBase', 'older', 'newer'].includes(result.kind));
  const pullFirst = t('Pull');
  const message = behind.some(({ result }) => result?.kind === 'older')
    ? t`Couldn't push ${listFolders(behind)}: the files are older than the texts on the service. Pull, or overwrite the service version.`
    : t`Couldn't push ${listFolders(behind)} because of newer changes on the service. Pull first.`;
  if (behind.length > 0)
    void showWarning(message, pullFirst).then((choice) => (choice === pullFirst ? pull(tools, behind) : undefined));
  for (const { result, ...item } of transfers) if (result?.kind === 'unresolved') reportUnresolved(item, result.fields);
}

function reportPushed(tools: FolderTools, transfers: readonly Transfer<PushResult>[], isQuiet: boolean) {
  reportRefused(tools, transfers);
  const confirmed: ProjectTarget[] = [];
  const differentFields: string[] = [];
  for (const { result, ...item } of transfers) {
    if (result.kind !== 'stored') continue;
    if (result.lockError !== undefined) {
      const what = t`Stored on the service, but mailing.lock.json wasn't updated: ${errorText(result.lockError)} Correct this and pull.`;
      reportError(tools, item, new Error(what));
    } else if ('readBackError' in result) {
      const what = t`Stored on the service, but not confirmed: ${result.fields.join(', ')}.`;
      reportError(tools, item, new Error(`${what} ${errorText(result.readBackError)}`));
    } else {
      confirmed.push(item);
      differentFields.push(...result.storedDifferently.map((field) => formatPair(item.template.folder, field)));
    }
  }
  if (differentFields.length > 0)
    void showWarning(t`Stored, but the service changed these fields: ${differentFields.join('; ')}.`);
  else if (confirmed.length > 0 && isQuiet)
    vscode.window.setStatusBarMessage(escapeMessage(t`Pushed ${listFolders(confirmed)}.`), STATUS_MESSAGE_MS);
  else if (confirmed.length > 0) void showInfo(t`Pushed ${listFolders(confirmed)}.`);
}

function listFolders(items: Targets) {
  return formatList(new Set(items.map(({ template }) => template.folder)));
}

/** Reports the files with conflict markers, which can't be pushed or pulled. */
function reportUnresolved({ project, template }: ProjectTarget, fields: readonly string[]) {
  const paths = [...new Set(fields.map((field) => project.folder.path(template, field)))];
  const open = t('Open File');
  void showWarning(
    t`Nothing was changed, because ${formatList(paths)} contains conflict markers. Resolve them first.`,
    open,
  ).then((choice) => (choice === open ? openFiles(project, paths) : undefined));
}

async function openFiles({ files }: FolderProject, paths: readonly string[]) {
  for (const path of paths) await vscode.window.showTextDocument(files.uri(path), { preview: false });
}

function reportPulled({ result, ...item }: Transfer<PullResult>) {
  const { project, template } = item;
  if (result.kind === 'unresolved') return reportUnresolved(item, result.fields);
  if (result.skipped.length > 0) {
    const output = project.folder.bodyPath(template);
    void showWarning(
      t`${output} changed on the service, but a tool builds it here. Change its source and push your version.`,
    );
  }
  const listPaths = (fields: readonly string[]) => [
    ...new Set(fields.map((field) => project.folder.path(template, field))),
  ];
  const paths = listPaths(result.conflicts);
  if (paths.length === 0) return;
  const sentences = [t`Conflict in ${formatList(paths)}: edited here and on the service.`];
  const tooLarge = listPaths(result.tooLarge ?? []).join(', ');
  if (tooLarge !== '') sentences.push(t`Too large to merge line by line, so choose a version: ${tooLarge}.`);
  const resolve = t('Resolve');
  void showWarning(sentences.join(' '), resolve).then((choice) =>
    choice === resolve ? openFiles(project, paths) : undefined,
  );
}
