import * as vscode from 'vscode';
import { showInfo } from '../../platform/ui/messages.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import type { CommandActivity } from '../../platform/ui/commandActivity.ts';
import { isMapped, mappableRoots, MAPPING_OFFERED_KEY } from './model.ts';

/** A tool that builds emails. Globs are below a workspace folder. */
interface Builder {
  readonly id: string;
  readonly title: string;
  /** A file that only its projects have. */
  readonly markerFile: string;
  /** Whether the text of that file says so, where its name alone does not. */
  matchesText?(text: string): boolean;
  /** Where its emails are written. */
  readonly sources: string;
}

const BUILDERS: readonly Builder[] = [
  { id: 'mjml', title: 'MJML', markerFile: '**/*.mjml', sources: '**/*.mjml' },
  { id: 'maizzle', title: 'Maizzle', markerFile: '**/maizzle.config.*', sources: '**/{emails,templates}/**/*.html' },
  {
    id: 'react-email',
    title: 'React Email',
    markerFile: 'package.json',
    matchesText: dependsOnReactEmail,
    sources: '**/emails/**/*.{jsx,tsx}',
  },
];

const EXCLUDED_GLOB = '**/node_modules/**';
/** Parts of emails, and what is built. */
const NON_SOURCE_GLOB = '**/{node_modules,layouts,components,partials,includes,dist,build,build_*}/**';
/** Emails that are offered, at most. */
const MAX_SOURCES = 500;

/** A workspace folder whose emails a tool builds. */
interface DetectedBuilder {
  readonly root: vscode.Uri;
  readonly builder: Builder;
}

/** The offer to map emails that are built in the workspace: once, however it is answered. */
export class MappingOffer {
  readonly #activity: CommandActivity;
  readonly #state: vscode.Memento;
  #detection: Promise<DetectedBuilder | undefined> | undefined;

  constructor(activity: CommandActivity, state: vscode.Memento) {
    this.#activity = activity;
    this.#state = state;
  }

  /** Offers it, where there is something to map and no command is at something. The workspace is looked through once. */
  async show(): Promise<void> {
    const found = await (this.#detection ??= detectBuilder());
    if (found === undefined || (await isMapped(found.root))) return;
    // Meanwhile a command may have begun to ask something, or this was offered.
    if (!this.#activity.isIdle || this.#state.get(MAPPING_OFFERED_KEY) !== undefined) return;
    const { root, builder } = found;
    void this.#state.update(MAPPING_OFFERED_KEY, builder.id);
    const [map, never] = ['Map to Templates…', "Don't Ask Again"];
    const message = `This workspace builds emails with ${builder.title}. Map them to templates of a service, to compare, push and pull?`;
    if ((await showInfo(message, map, never)) === map) await mapOne(root, builder);
  }
}

/** The first folder without a mapping whose emails a tool builds. */
async function detectBuilder(): Promise<DetectedBuilder | undefined> {
  for (const root of mappableRoots(vscode.workspace.workspaceFolders)) {
    if (await isMapped(root)) continue;
    for (const builder of BUILDERS) if (await isUsedIn(root, builder)) return { root, builder };
  }
  return undefined;
}

async function isUsedIn(root: vscode.Uri, { markerFile: mark, matchesText: isSaidIn }: Builder): Promise<boolean> {
  const [file] = await vscode.workspace.findFiles(new vscode.RelativePattern(root, mark), EXCLUDED_GLOB, 1);
  if (file === undefined || isSaidIn === undefined) return file !== undefined;
  return isSaidIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
}

/** Whether a `package.json` depends on React Email. */
function dependsOnReactEmail(text: string): boolean {
  try {
    const { dependencies, devDependencies } = { ...(JSON.parse(text) as Readonly<Record<string, unknown>>) };
    return [dependencies, devDependencies].some((packages) =>
      Object.keys({ ...(packages as object | undefined) }).some(
        (name) => name === 'react-email' || name.startsWith('@react-email/'),
      ),
    );
  } catch {
    return false;
  }
}

/** Maps the email that is picked: that in front stands first, and the only one is not asked for. */
async function mapOne(root: vscode.Uri, { title, sources }: Builder): Promise<void> {
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
    void showInfo(`Open an email that ${title} builds, and run "Mailing: Map This File to a Template…".`);
    return;
  }
  const placeHolder = 'Which email first? The others are mapped from the Explorer.';
  const picked =
    items.length === 1
      ? items[0]
      : await vscode.window.showQuickPick(items, { title: 'Map to Templates', placeHolder });
  if (picked !== undefined) await vscode.commands.executeCommand('mailing.folders.mapFile', picked.uri);
}
