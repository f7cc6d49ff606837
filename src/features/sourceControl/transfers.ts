import * as vscode from 'vscode';
import { isApiError } from '../../service/client/errors.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { inMessage } from '../../platform/ui/text.ts';
import { errorText, isCancelled } from '../../platform/ui/errors.ts';
import { contentHash, type FieldTexts } from './fields.ts';
import { saveOpenFiles } from './openFiles.ts';
import { currentOutputs } from './outputs.ts';
import type { FolderProject } from './project.ts';
import { isRemoteOnly, type Comparison, type PullResult, type PushResult, type Target } from './sync.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';

/** How long the status bar tells of a push that nobody asked about, in ms. */
const quietMs = 5000;

/** What came of one template. */
interface Outcome<T> extends ProjectTarget {
  readonly result?: T;
  readonly error?: unknown;
}

/** How texts are pushed. */
interface Way {
  readonly title: 'Push' | 'Push Mine over the Service' | 'Promote';
  /** Fingerprints of what the service was shown to have in fields that are replaced, whoever changed them. */
  replaced(one: ProjectTarget): Readonly<Record<string, string>>;
  /** It follows a save: `on` asks nobody where everything is as it should be, and only what went wrong is told with a message. */
  readonly onSave?: 'ask' | 'on';
  /** Files changed after the last confirmation. */
  readonly isRepeated?: boolean;
}

/** A template that is to be pushed. */
interface Sending extends ProjectTarget {
  readonly replaced: Readonly<Record<string, string>>;
  /** The fields that go out, with the texts that were compared. */
  readonly texts: FieldTexts;
  /** Fields that are newer on the service, and hold it up. */
  readonly newer: readonly string[];
}

const plainPush: Way = { title: 'Push', replaced: () => ({}) };

/** Stores what was changed in the folders, after a question that says what goes where. */
export async function push(tools: FolderTools, chosen: readonly ProjectTarget[]): Promise<number | undefined> {
  return send(tools, chosen, plainPush);
}

/** Stores what was changed in the folders over what the service has, as it was shown. */
export async function overwrite(tools: FolderTools, chosen: readonly ProjectTarget[]): Promise<number | undefined> {
  return send(tools, chosen, { title: 'Push Mine over the Service', replaced: (one) => shownOf(one) });
}

/**
 * Gives what stores the folder's texts after a question, based on the differences that are shown now: also where folder and service never
 * agreed on anything before.
 */
export function promotion(tools: FolderTools, chosen: ProjectTarget): () => Promise<number | undefined> {
  const shown = shownOf(chosen, (field) => baseOf(chosen, field) === undefined);
  return () => send(tools, [chosen], { title: 'Promote', replaced: () => shown });
}

async function send(tools: FolderTools, chosen: readonly ProjectTarget[], way: Way): Promise<number | undefined> {
  if (chosen.length === 0) return undefined;
  if (!vscode.workspace.isTrusted) throw new Error('Nothing is pushed from a workspace that is not trusted.');
  await saveOpenFiles(tools, chosen);
  if (
    !(await currentOutputs(
      tools,
      chosen.map(({ project, target }) => ({ project, template: target.template })),
    ))
  )
    return undefined;
  return sendChanged(tools, chosen, way);
}

/** Stores what was just saved: without a question, but where there is something to be told first. */
export async function pushSaved(
  tools: FolderTools,
  chosen: readonly ProjectTarget[],
  onSave: 'ask' | 'on',
): Promise<void> {
  if (chosen.length > 0) await sendChanged(tools, chosen, { ...plainPush, onSave });
}

async function sendChanged(
  tools: FolderTools,
  chosen: readonly ProjectTarget[],
  way: Way,
): Promise<number | undefined> {
  for (const project of new Set(chosen.map((one) => one.project))) await project.checkPush();
  // A push reads each template right before it writes. What is to be overwritten, or may have to be pulled, is told as it is now.
  await compareAgain(tools, chosen);
  const isOver = way.title !== 'Push';
  await lookAgain(
    tools,
    isOver ? chosen : chosen.filter((one) => changesOf(one, (state) => state !== 'push').length > 0),
  );
  const unread = tellUnread(tools, chosen);
  // As it is now: while the question is open more may be read, which nobody has seen.
  const some = chosen.map((one): Sending => {
    const replaced = way.replaced(one);
    const isReplaced = (field: string): boolean => replaced[field] !== undefined;
    return {
      ...one,
      replaced,
      texts: localTexts(
        one,
        changesOf(one, (state, field) => state === 'push' || isReplaced(field)),
      ),
      newer: changesOf(one, (state, field) => state !== 'push' && !isReplaced(field) && !isForeignTo(one, field)),
    };
  });
  const changed = some.filter(
    (one) => Object.keys(one.texts).length > 0 || changesOf(one, (state) => state === 'both').length > 0,
  );
  const behind = changed.filter(({ newer }) => newer.length > 0);
  tellBehind(tools, behind);
  const ready = changed.filter(({ newer }) => newer.length === 0);
  if (ready.length === 0) {
    if (behind.length + unread.length === 0 && way.onSave === undefined) void showInfo('There is nothing to push.');
    return 0;
  }
  if (!(await isAgreed(tools, ready, way))) return undefined;
  const outcomes = await tools.pushQueue.run(() =>
    each(way.title, ready, ({ project, target, replaced, texts }, signal) =>
      project.sync.push(target, { texts, overwrite: replaced }, signal),
    ),
  );
  await compareAgain(tools, chosen);
  tellPushed(tools, outcomes, way.onSave === 'on');
  const stored = outcomes.filter(({ result }) => result?.kind === 'stored').length;
  const changedAgain = outcomes
    .filter(({ result }) => result?.kind === 'changed')
    .map(({ project, target }) => ({ project, target }));
  if (changedAgain.length === 0) return stored;
  return stored + ((await sendChanged(tools, changedAgain, { ...way, isRepeated: true })) ?? 0);
}

/** Asks with what goes where. Nobody is asked where it follows a save, and nothing is to be said first. */
async function isAgreed(
  tools: FolderTools,
  sending: readonly Sending[],
  { title, onSave, isRepeated }: Way,
): Promise<boolean> {
  const unseen = await unseenImages(sending);
  const isProtected = sending.some(({ project, target }) => project.isProtected(target.connection));
  if (onSave === 'on' && unseen.length === 0 && !isProtected) return true;
  const lines = sending.map((one) => `${lineOf(tools, one)}: ${Object.keys(one.texts).join(', ')}`);
  if (isRepeated) lines.push('', 'The files changed after you confirmed. Nothing was stored yet.');
  lines.push(
    ...protectedLines(
      tools,
      sending.map(({ project, target }) => ({ project, connection: target.connection })),
    ),
  );
  if (unseen.length > 0)
    lines.push('', `No reader will see these images, which are files of this folder: ${unseen.join(', ')}`);
  const lost = 'What the service has in these fields is replaced. It stays among the earlier states of each template.';
  if (sending.some(({ texts, replaced }) => Object.keys(texts).some((field) => replaced[field] !== undefined)))
    lines.push('', lost);
  const action = unseen.length > 0 ? `${title} All the Same` : title;
  return confirm(`${title}: ${formatAmount(sending.length, 'template')}?`, lines, action);
}

/** What is said of connections that are protected, before anything goes to one. */
export function protectedLines(
  { targets }: FolderTools,
  where: readonly { readonly project: FolderProject; readonly connection: string }[],
): readonly string[] {
  const ids = new Set(
    where.filter(({ project, connection }) => project.isProtected(connection)).map(({ connection }) => connection),
  );
  return ids.size === 0
    ? []
    : ['', ...[...ids].map((id) => `${targets.getServiceName(id)} is a protected connection.`)];
}

/** Takes over what is new on the service, and merges what both sides changed. */
export async function pull(tools: FolderTools, chosen: readonly ProjectTarget[]): Promise<number | undefined> {
  if (chosen.length === 0) return undefined;
  await saveOpenFiles(tools, chosen);
  const outcomes = await each('Pull', chosen, ({ project, target }, signal) =>
    project.sync.pull(
      target,
      { local: 'this folder', remote: tools.targets.getServiceName(target.connection) },
      signal,
    ),
  );
  await compareAgain(tools, chosen);
  const pulled = outcomes.filter(({ result }) => result?.kind === 'pulled');
  await tellPulled(tools, outcomes);
  return pulled.length;
}

/** Puts what the service has in place of changes of the folders. */
export async function discard(tools: FolderTools, chosen: readonly ProjectTarget[]): Promise<number | undefined> {
  if (chosen.length === 0) return undefined;
  await saveOpenFiles(tools, chosen);
  await lookAgain(tools, chosen);
  tellUnread(tools, chosen);
  const ready = chosen.flatMap((one): (ProjectTarget & { readonly shown: Comparison })[] => {
    const known = one.project.getStatus(one.target);
    return known?.kind === 'compared' ? [{ ...one, shown: known.comparison }] : [];
  });
  if (ready.length === 0) return 0;
  const lines = ready.map((one) => `${lineOf(tools, one)}: ${[...one.shown.changes.keys()].join(', ')}`);
  const kept = ['', 'The texts of the folder stay among the earlier states of each template.'];
  if (
    !(await confirm(
      `Discard the changes of ${formatAmount(ready.length, 'template')}?`,
      [...lines, ...kept],
      'Discard',
    ))
  )
    return undefined;
  const outcomes = await each('Discard', ready, ({ project, target, shown }, signal) =>
    project.sync.discard(target, shown, signal),
  );
  await compareAgain(tools, chosen);
  tellErrors(tools, outcomes);
  return outcomes.filter(({ result }) => result !== undefined).length;
}

/** One after the other, so that cancelling stops between two. What fails leaves the others. */
async function each<C extends ProjectTarget, T>(
  title: string,
  chosen: readonly C[],
  act: (one: C, signal: AbortSignal) => Promise<T>,
): Promise<readonly Outcome<T>[]> {
  return withProgress(title, async (signal, report) => {
    const outcomes: Outcome<T>[] = [];
    for (const one of chosen) {
      if (signal.aborted) break;
      report(one.target.template.folder, 100 / chosen.length);
      try {
        outcomes.push({ ...one, result: await act(one, signal) });
      } catch (error) {
        if (isCancelled(error)) break;
        outcomes.push({ ...one, error });
      }
    }
    return outcomes;
  });
}

/** Compares the files with what was last read of the services, without asking them for what is known. */
async function compareAgain({ folders }: FolderTools, chosen: readonly ProjectTarget[]): Promise<void> {
  for (const [project, targets] of targetsOf(chosen)) await folders.compare(project, targets);
}

/** Reads both sides. */
async function lookAgain({ folders }: FolderTools, chosen: readonly ProjectTarget[]): Promise<void> {
  for (const [project, targets] of targetsOf(chosen)) await folders.refresh(project, targets);
}

function targetsOf(chosen: readonly ProjectTarget[]): ReadonlyMap<ProjectTarget['project'], readonly Target[]> {
  return new Map(
    chosen.map(({ project }) => [project, chosen.filter((one) => one.project === project).map(({ target }) => target)]),
  );
}

function changesOf(
  { project, target }: ProjectTarget,
  isMeant: (state: string, field: string) => boolean = () => true,
): readonly string[] {
  const known = project.getStatus(target);
  const changes = known?.kind === 'compared' ? [...known.comparison.changes] : [];
  return changes.filter(([field, state]) => isMeant(state, field)).map(([field]) => field);
}

/** Fingerprints of what the service was shown to have in fields that differ, and that the folder has. */
function shownOf(
  { project, target }: ProjectTarget,
  isMeant: (field: string) => boolean = () => true,
): Readonly<Record<string, string>> {
  const known = project.getStatus(target);
  if (known?.kind !== 'compared') return {};
  const { changes, local, remote } = known.comparison;
  const fields = [...changes.keys()].filter((field) => local[field] !== undefined && isMeant(field));
  return Object.fromEntries(fields.map((field) => [field, contentHash(remote[field] ?? '')]));
}

function localTexts({ project, target }: ProjectTarget, fields: readonly string[]): FieldTexts {
  const known = project.getStatus(target);
  return Object.fromEntries(
    fields.map((field) => [field, known?.kind === 'compared' ? (known.comparison.local[field] ?? '') : '']),
  );
}

function isForeignTo({ project, target }: ProjectTarget, field: string): boolean {
  const known = project.getStatus(target);
  return known?.kind === 'compared' && isRemoteOnly(known.comparison, field);
}

function baseOf({ project, target }: ProjectTarget, field: string): unknown {
  const known = project.getStatus(target);
  return known?.kind === 'compared' ? known.comparison.base[field] : undefined;
}

async function unseenImages(chosen: readonly ProjectTarget[]): Promise<readonly string[]> {
  const found = await Promise.all(
    chosen.map(async ({ project, target }) => {
      const known = project.getStatus(target);
      return known?.kind === 'compared' ? project.folder.findLocalImages(known.comparison.local) : [];
    }),
  );
  return [...new Set(found.flat())];
}

function lineOf(tools: FolderTools, { target }: ProjectTarget): string {
  return `${target.template.folder} → ${tools.targets.getServiceName(target.connection)} #${target.id}`;
}

/** What can't be compared with its service, and so is not pushed. */
function tellUnread(tools: FolderTools, chosen: readonly ProjectTarget[]): readonly ProjectTarget[] {
  const unread = chosen.filter(({ project, target }) => project.getStatus(target)?.kind !== 'compared');
  for (const one of unread) {
    const known = one.project.getStatus(one.target);
    const cause = known?.kind === 'failed' ? known.message : 'There is no such template on the service any more.';
    void showError(new Error(cause), { title: lineOf(tools, one), connection: one.target.connection });
  }
  return unread;
}

/** What was refused because the service is ahead. */
function tellBehind(tools: FolderTools, behind: readonly ProjectTarget[]): void {
  if (behind.length === 0) return;
  const message = `Not pushed, because the service has changed since: ${namesOf(behind)}. Pull first.`;
  void showWarning(message, 'Pull').then((choice) => (choice === 'Pull' ? pull(tools, behind) : undefined));
}

function tellPushed(tools: FolderTools, outcomes: readonly Outcome<PushResult>[], isQuiet: boolean): void {
  tellErrors(tools, outcomes);
  const told = (kind: PushResult['kind']): readonly Outcome<PushResult>[] =>
    outcomes.filter(({ result }) => result?.kind === kind);
  const [behind, unresolved] = [told('behind'), told('unresolved')];
  tellBehind(tools, behind);
  if (unresolved.length > 0)
    void showWarning(`Not pushed, because conflicts are not resolved: ${namesOf(unresolved)}.`);
  const stored = outcomes.flatMap((one) => (one.result?.kind === 'stored' ? [{ ...one, result: one.result }] : []));
  const [confirmed, unread] = [
    stored.filter(({ result }) => !('readBackError' in result)),
    stored.filter(({ result }) => 'readBackError' in result),
  ];
  for (const one of unread) {
    const what = `Stored, but unconfirmed: ${one.result.fields.join(', ')}.`;
    const error = new Error(`${what} ${errorText(one.result.readBackError)}`);
    void showError(error, { title: lineOf(tools, one), connection: one.target.connection });
  }
  const differently = confirmed.flatMap(({ result: { storedDifferently: keptDifferently }, target: { template } }) =>
    keptDifferently.map((field) => `${template.folder}: ${field}`),
  );
  if (differently.length > 0)
    void showWarning(`Stored, but the service keeps it in other words: ${differently.join('; ')}.`);
  else if (confirmed.length > 0 && isQuiet)
    vscode.window.setStatusBarMessage(`Pushed: ${inMessage(namesOf(confirmed))}`, quietMs);
  else if (confirmed.length > 0) void showInfo(`Pushed: ${namesOf(confirmed)}.`);
}

function namesOf(chosen: readonly ProjectTarget[]): string {
  return [...new Set(chosen.map(({ target }) => target.template.folder))].join(', ');
}

async function tellPulled(tools: FolderTools, outcomes: readonly Outcome<PullResult>[]): Promise<void> {
  tellErrors(tools, outcomes);
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

function tellErrors(tools: FolderTools, outcomes: readonly Outcome<unknown>[]): void {
  for (const one of outcomes) {
    if (one.error === undefined) continue;
    const isUnknown = isApiError(one.error) && one.error.outcome === 'unknown';
    const next = 'It is not known whether it was stored: refresh, and push again if it was not.';
    const known = isUnknown ? new Error(`${errorText(one.error)} ${next}`) : one.error;
    void showError(known, { title: lineOf(tools, one), connection: one.target.connection });
  }
}
