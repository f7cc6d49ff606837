import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { Debouncer } from '../../ui/async.ts';
import { showError, showWarning } from '../../ui/messages.ts';
import { SerialQueue } from '../../sync/exclusive.ts';
import type { ProjectTarget } from './project.ts';
import { deduplicate, findTargets, type FolderTools } from './selection.ts';
import { push, pushChanged } from './transfers.ts';

const PUSH_DEBOUNCE_MS = 300;

/** Pushes templates when their files are saved, as configured in `mailing.sync.pushOnSave`. */
export function registerPushOnSave(tools: FolderTools): vscode.Disposable {
  /** Documents that VS Code is saving automatically. These saves push nothing. */
  const autoSaved = new Set<string>();
  /** Saved documents waiting for a push. */
  const pending = new Map<string, vscode.Uri>();
  const pushes = new Debouncer(PUSH_DEBOUNCE_MS);
  /** Files saved during a push are pushed after it. */
  const queue = new SerialQueue();
  const pushPending = () =>
    queue.run(async () => {
      const uris = [...pending.values()];
      pending.clear();
      await pushAt(tools, uris).catch((error: unknown) => void showError(error, { title: t('Push on save') }));
    });
  return vscode.Disposable.from(
    pushes,
    vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      if (reason === vscode.TextDocumentSaveReason.Manual) autoSaved.delete(document.uri.toString());
      else autoSaved.add(document.uri.toString());
    }),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const key = uri.toString();
      const isSkipped = autoSaved.delete(key) || tools.savingUris.has(key) || readSetting(uri) === 'off';
      if (isSkipped || findTargetsWith(tools, uri).length === 0) return;
      pending.set(key, uri);
      pushes.run(pushPending);
    }),
  );
}

async function pushAt(tools: FolderTools, uris: readonly vscode.Uri[]) {
  // The settings of an untrusted workspace are ignored, and nothing in it is pushed.
  if (!vscode.workspace.isTrusted) return;
  const targets = uris.flatMap((uri) =>
    findTargetsWith(tools, uri).map((target) => {
      const isAsked = readSetting(uri) === 'ask' || target.project.isProtected(target.connection);
      return { ...target, onSave: isAsked ? ('ask' as const) : ('on' as const) };
    }),
  );
  const saved = deduplicate(targets);
  const stale = await tools.builds.findStaleOutputs(saved);
  if (stale.length > 0) void reportStale(tools, stale, new Set(stale.map((one) => one.staleness.cause)));
  const current = saved.filter((item) => !stale.some(({ template }) => template === item.template));
  for (const onSave of ['on', 'ask'] as const) {
    const items = current.filter((item) => item.onSave === onSave);
    await pushChanged(tools, items, { kind: 'push', onSave });
  }
}

async function reportStale(tools: FolderTools, skipped: readonly ProjectTarget[], causes: ReadonlySet<string>) {
  const again = t('Push');
  try {
    if ((await showWarning(t`Not pushed: ${[...causes].join(' ')}`, again)) === again) await push(tools, skipped);
  } catch (error) {
    await showError(error, { title: again });
  }
}

/** Returns the templates with a field in a file. */
function findTargetsWith({ folders }: FolderTools, uri: vscode.Uri) {
  return findTargets(folders, uri).filter(({ project: { files, folder }, template }) =>
    folder.paths(template).includes(files.relativePath(uri) ?? ''),
  );
}

function readSetting(uri: vscode.Uri) {
  return vscode.workspace.getConfiguration('mailing.sync', uri).get('pushOnSave', 'off');
}
