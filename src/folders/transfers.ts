import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import { formatAmount } from '../ui/format.ts';
import { confirm, showError, showInfo, showWarning } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import { errorText, isCancelled } from '../ui/words.ts';
import { printOf } from './fields.ts';
import type { Chosen, FolderTools } from './tools.ts';
import type { Pulled, Pushed, Target } from './sync.ts';

/** What came of one template. */
interface Outcome<T> extends Chosen {
  readonly result?: T;
  readonly error?: unknown;
}

/** Stores what was changed in the folders, after a question that says what goes where. */
export async function push(tools: FolderTools, chosen: readonly Chosen[]): Promise<number | undefined> {
  return send(tools, chosen, 'Push');
}

/** Stores what was changed in the folders over what the service has, as it was shown. */
export async function overwrite(tools: FolderTools, chosen: readonly Chosen[]): Promise<number | undefined> {
  return send(tools, chosen, 'Push Mine over the Service');
}

async function send(
  tools: FolderTools,
  chosen: readonly Chosen[],
  title: 'Push' | 'Push Mine over the Service',
): Promise<number | undefined> {
  if (chosen.length === 0) return undefined;
  if (!vscode.workspace.isTrusted) throw new Error('Nothing is pushed from a workspace that is not trusted.');
  await saveOpenFiles(chosen);
  const isOver = title !== 'Push';
  // A push reads each template right before it writes. What is to be overwritten, or may have to be pulled, is told as it is now.
  await compareAgain(tools, chosen);
  await lookAgain(tools, isOver ? chosen : chosen.filter((one) => changesOf(one, (state) => state !== 'push').length > 0));
  const isMeant = (state: string): boolean => isOver || state === 'push';
  const changed = chosen.filter((one) => changesOf(one, isMeant).length > 0);
  if (changed.length === 0) {
    void showInfo('There is nothing to push.');
    return 0;
  }
  const lines = changed.map((one) => `${lineOf(tools, one)}: ${changesOf(one, isMeant).join(', ')}`);
  const unseen = await unseenImages(changed);
  if (unseen.length > 0) lines.push('', `No reader will see these images, which are files of this folder: ${unseen.join(', ')}`);
  const question = `${title}: ${formatAmount(changed.length, 'template')}?`;
  const lost = isOver ? ['', 'What the service has in these fields is replaced. It stays among the earlier states of each template.'] : [];
  if (!(await confirm(question, [...lines, ...lost], unseen.length > 0 ? `${title} All the Same` : title))) return undefined;
  const outcomes = await each(title, changed, async ({ project, target }, signal) => {
    return project.sync.push(target, isOver ? shownOf({ project, target }) : {}, signal);
  });
  await compareAgain(tools, chosen);
  await tellPushed(tools, outcomes, chosen);
  return outcomes.filter(({ result }) => result?.kind === 'stored').length;
}

/** Takes over what is new on the service, and merges what both sides changed. */
export async function pull(tools: FolderTools, chosen: readonly Chosen[]): Promise<number | undefined> {
  if (chosen.length === 0) return undefined;
  await saveOpenFiles(chosen);
  const outcomes = await each('Pull', chosen, ({ project, target }, signal) =>
    project.sync.pull(target, { local: 'this folder', remote: tools.targets.service(target.connection) }, signal));
  await compareAgain(tools, chosen);
  const pulled = outcomes.filter(({ result }) => result?.kind === 'pulled');
  await tellPulled(tools, outcomes);
  return pulled.length;
}

/** Puts what the service has in place of changes of the folders. */
export async function discard(tools: FolderTools, chosen: readonly Chosen[]): Promise<number | undefined> {
  if (chosen.length === 0) return undefined;
  await saveOpenFiles(chosen);
  await lookAgain(tools, chosen);
  const lines = chosen.map((one) => `${lineOf(tools, one)}: ${changesOf(one).join(', ')}`);
  const kept = ['', 'The texts of the folder stay among the earlier states of each template.'];
  if (!(await confirm(`Discard the changes of ${formatAmount(chosen.length, 'template')}?`, [...lines, ...kept], 'Discard')))
    return undefined;
  const outcomes = await each('Discard', chosen, ({ project, target }, signal) => project.sync.discard(target, signal));
  await compareAgain(tools, chosen);
  tellErrors(tools, outcomes);
  return outcomes.filter(({ result }) => result !== undefined).length;
}

/** One after the other, so that cancelling stops between two. What fails leaves the others. */
async function each<T>(
  title: string,
  chosen: readonly Chosen[],
  act: (one: Chosen, signal: AbortSignal) => Promise<T>,
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

/** What is in editors is what is meant: it is saved first. */
export async function saveOpenFiles(chosen: readonly Chosen[]): Promise<void> {
  for (const { project, target } of chosen) {
    for (const document of vscode.workspace.textDocuments) {
      const path = project.files.pathOf(document.uri);
      if (!document.isDirty || path === undefined || project.folder.fieldsOf(target.template, path).length === 0) continue;
      if (!(await document.save())) throw new Error(`${path} could not be saved.`);
    }
  }
}

/** Compares the files with what was last read of the services, without asking them for what is known. */
async function compareAgain({ folders }: FolderTools, chosen: readonly Chosen[]): Promise<void> {
  for (const [project, targets] of targetsOf(chosen)) await folders.compare(project, targets);
}

/** Reads both sides. */
async function lookAgain({ folders }: FolderTools, chosen: readonly Chosen[]): Promise<void> {
  for (const [project, targets] of targetsOf(chosen)) await folders.refresh(project, targets);
}

function targetsOf(chosen: readonly Chosen[]): ReadonlyMap<Chosen['project'], readonly Target[]> {
  return new Map(chosen.map(({ project }) => [project, chosen.filter((one) => one.project === project).map(({ target }) => target)]));
}

function changesOf({ project, target }: Chosen, isMeant: (state: string) => boolean = () => true): readonly string[] {
  const known = project.known(target);
  const changes = known?.kind === 'looked' ? [...known.look.changes] : [];
  return changes.filter(([, state]) => isMeant(state)).map(([field]) => field);
}

/** Fingerprints of what the service was shown to have in the fields that differ. */
function shownOf({ project, target }: Chosen): Readonly<Record<string, string>> {
  const known = project.known(target);
  if (known?.kind !== 'looked') return {};
  const { changes, remote } = known.look;
  return Object.fromEntries([...changes.keys()].map((name) => [name, printOf(remote[name] ?? '')]));
}

async function unseenImages(chosen: readonly Chosen[]): Promise<readonly string[]> {
  const found = await Promise.all(chosen.map(async ({ project, target }) => {
    const known = project.known(target);
    return known?.kind === 'looked' ? project.folder.unseenImages(known.look.local) : [];
  }));
  return [...new Set(found.flat())];
}

function lineOf(tools: FolderTools, { target }: Chosen): string {
  return `${target.template.folder} → ${tools.targets.service(target.connection)} #${target.id}`;
}

async function tellPushed(tools: FolderTools, outcomes: readonly Outcome<Pushed>[], chosen: readonly Chosen[]): Promise<void> {
  tellErrors(tools, outcomes);
  const told = (kind: Pushed['kind']): readonly string[] =>
    outcomes.filter(({ result }) => result?.kind === kind).map(({ target }) => target.template.folder);
  const [behind, unresolved, stored] = [told('behind'), told('unresolved'), told('stored')];
  if (behind.length > 0) {
    const message = `Not pushed, because the service has changed since: ${behind.join(', ')}. Pull first.`;
    const others = chosen.filter(({ target }) => behind.includes(target.template.folder));
    void showWarning(message, 'Pull').then((choice) => (choice === 'Pull' ? pull(tools, others) : undefined));
  }
  if (unresolved.length > 0) void showWarning(`Not pushed, because conflicts are not resolved: ${unresolved.join(', ')}.`);
  const differently = outcomes.flatMap(({ result, target }) =>
    result?.kind === 'stored' ? result.keptDifferently.map((field) => `${target.template.folder}: ${field}`) : [],
  );
  if (differently.length > 0) void showWarning(`Stored, but the service keeps it in other words: ${differently.join('; ')}.`);
  else if (stored.length > 0) void showInfo(`Pushed: ${stored.join(', ')}.`);
}

async function tellPulled(tools: FolderTools, outcomes: readonly Outcome<Pulled>[]): Promise<void> {
  tellErrors(tools, outcomes);
  for (const { project, target, result } of outcomes) {
    const { folder } = target.template;
    if (result?.kind === 'unresolved') void showWarning(`Not pulled, because conflicts are not resolved: ${folder}.`);
    if (result?.kind !== 'pulled') continue;
    if (result.left.length > 0) {
      const next = 'Change its source, then push over the service.';
      void showWarning(`${folder}: ${result.left.join(', ')} changed on the service, and is built here. ${next}`);
    }
    const paths = [...new Set(result.conflicts.map((field) => project.folder.path(target.template, field)))];
    if (paths.length === 0) continue;
    const message = `${folder}: both sides changed the same place of ${paths.join(', ')}.`;
    void showWarning(message, 'Resolve').then(async (choice) => {
      if (choice === 'Resolve') for (const path of paths) await vscode.window.showTextDocument(project.files.uri(path), { preview: false });
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
