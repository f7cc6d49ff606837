import * as vscode from 'vscode';
import { showInfo } from '../../platform/ui/messages.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import type { CommandActivity } from '../../platform/ui/commands.ts';
import { isMapped, mappableRoots, MAPPING_OFFERED_KEY } from './model.ts';

/** A tool that builds emails. Globs are relative to a workspace folder. */
interface Builder {
  readonly id: string;
  readonly title: string;
  /** A file that identifies the tool's projects. */
  readonly markerFile: string;
  /** Returns whether the marker file's text identifies the tool, if its name alone doesn't. */
  matchesText?(text: string): boolean;
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
    matchesText: dependsOnReactEmail,
    sources: '**/emails/**/*.{jsx,tsx}',
  },
];

const EXCLUDED_GLOB = '**/node_modules/**';
/** Partials and build output. */
const NON_SOURCE_GLOB = '**/{node_modules,layouts,components,partials,includes,dist,build,build_*}/**';
const MAX_SOURCES = 500;

interface DetectedBuilder {
  readonly root: vscode.Uri;
  readonly builder: Builder;
}

/** Offers to map the built emails of the workspace, once regardless of the user's choice. */
export class MappingOffer {
  readonly #activity: CommandActivity;
  readonly #state: vscode.Memento;
  #detection: Promise<DetectedBuilder | undefined> | undefined;

  constructor(activity: CommandActivity, state: vscode.Memento) {
    this.#activity = activity;
    this.#state = state;
  }

  /** Shows the offer if there are emails to map and no command is running. Searches the workspace only once. */
  async show(): Promise<void> {
    const found = await (this.#detection ??= detectBuilder());
    if (found === undefined || (await isMapped(found.root))) return;
    // A command may have started during the search, or the offer may have been shown.
    if (!this.#activity.isIdle || this.#state.get(MAPPING_OFFERED_KEY) !== undefined) return;
    const { root, builder } = found;
    void this.#state.update(MAPPING_OFFERED_KEY, builder.id);
    const [map, never] = ['Map to Templates…', "Don't Ask Again"];
    const message = `This workspace builds emails with ${builder.title}. Map them to templates of a service, to compare, push and pull?`;
    if ((await showInfo(message, map, never)) === map) await mapOne(root, builder);
  }
}

/** Returns the first unmapped workspace folder with a build tool. */
async function detectBuilder(): Promise<DetectedBuilder | undefined> {
  for (const root of mappableRoots()) {
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

/** Maps the only email, or the one that the user picks. The active editor's email is listed first. */
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
