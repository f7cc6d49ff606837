import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { showInfo } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { once } from '../../ui/async.ts';
import type { CommandActivity } from '../../ui/commands.ts';
import { isMapped, mappableRoots, MAPPING_OFFERED_KEY } from './model.ts';

/** A tool that builds emails. Globs are relative to a workspace folder. */
interface Builder {
  readonly id: string;
  readonly title: string;
  /** A file that identifies the tool's projects. */
  readonly markerFile: string;
  /** Matches the marker file's text, if its name alone doesn't identify the tool. */
  readonly markerText?: RegExp;
  /** Glob of the tool's emails. */
  readonly sources: string;
}

const BUILDERS: readonly Builder[] = [
  { id: 'mjml', title: 'MJML', markerFile: '**/*.mjml', sources: '**/*.mjml' },
  { id: 'maizzle', title: 'Maizzle', markerFile: '**/maizzle.config.*', sources: '**/{emails,templates}/**/*.html' },
  {
    id: 'react-email',
    title: 'React Email',
    markerFile: 'package.json',
    markerText: /"(?:react-email|@react-email\/[^"]*)"\s*:/u,
    sources: '**/emails/**/*.{jsx,tsx}',
  },
];

const EXCLUDED_GLOB = '**/node_modules/**';
/** Partials and build output. */
const NON_SOURCE_GLOB = '**/{node_modules,layouts,components,partials,includes,dist,build,build_*}/**';
const MAX_SOURCES = 500;

/**
 * Returns a function that offers to map the built emails of the workspace if there are any and no command is running. Offers once regardless
 * of the user's choice, and searches the workspace only once.
 */
export function createMappingOffer(activity: CommandActivity, state: vscode.Memento): () => Promise<void> {
  const detect = once(detectBuilder);
  return async () => {
    const found = await detect();
    if (found === undefined || (await isMapped(found.root))) return;
    // A command may have started during the search, or the offer may have been shown.
    if (!activity.isIdle || state.get(MAPPING_OFFERED_KEY) !== undefined) return;
    const { root, builder } = found;
    void state.update(MAPPING_OFFERED_KEY, builder.id);
    const [map, never] = [t('Map to Templates…'), t("Don't Ask Again")];
    const message = t`This workspace builds emails with ${builder.title}. Map them to templates on a service to compare, push and pull them?`;
    if ((await showInfo(message, map, never)) === map) await mapOne(root, builder);
  };
}

/** Returns the first unmapped workspace folder with a build tool. */
async function detectBuilder() {
  for (const root of mappableRoots()) {
    if (await isMapped(root)) continue;
    for (const builder of BUILDERS) if (await isUsedIn(root, builder)) return { root, builder };
  }
  return undefined;
}

async function isUsedIn(root: vscode.Uri, { markerFile, markerText }: Builder) {
  const [file] = await vscode.workspace.findFiles(new vscode.RelativePattern(root, markerFile), EXCLUDED_GLOB, 1);
  if (file === undefined || markerText === undefined) return file !== undefined;
  return markerText.test(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
}

/** Maps the only email, or the one that the user picks. The active editor's email is listed first. */
async function mapOne(root: vscode.Uri, { title, sources }: Builder) {
  const files = await vscode.workspace.findFiles(
    new vscode.RelativePattern(root, sources),
    NON_SOURCE_GLOB,
    MAX_SOURCES,
  );
  const activeUri = vscode.window.activeTextEditor?.document.uri.toString();
  const items = files
    .map((uri) => ({
      label: escapeMessage(vscode.workspace.asRelativePath(uri, false)),
      isActive: uri.toString() === activeUri,
      uri,
    }))
    .toSorted((a, b) => Number(b.isActive) - Number(a.isActive) || a.label.localeCompare(b.label));
  if (items.length === 0) {
    void showInfo(t`Open an email that ${title} builds, and run "Mailing: Map This File to a Template…".`);
    return;
  }
  const placeHolder = t('Select the email to map first. You can map the others from the Explorer.');
  const options = { title: t('Map to Templates'), placeHolder };
  const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, options);
  if (picked !== undefined) await vscode.commands.executeCommand('mailing.folders.mapFile', picked.uri);
}
