import * as vscode from 'vscode';
import { showInfo } from '../../platform/ui/messages.ts';
import { inMessage } from '../../platform/ui/text.ts';
import type { CommandActivity } from '../../platform/ui/commandActivity.ts';
import { isMapped, mappableRoots, offeredKey } from './model.ts';

/** A tool that builds emails. Globs are below a workspace folder. */
interface Builder {
  readonly id: string;
  readonly title: string;
  /** A file that only its projects have. */
  readonly mark: string;
  /** Whether the text of that file says so, where its name alone does not. */
  isSaidIn?(text: string): boolean;
  /** Where its emails are written. */
  readonly sources: string;
}

const builders: readonly Builder[] = [
  { id: 'mjml', title: 'MJML', mark: '**/*.mjml', sources: '**/*.mjml' },
  { id: 'maizzle', title: 'Maizzle', mark: '**/maizzle.config.*', sources: '**/{emails,templates}/**/*.html' },
  {
    id: 'react-email',
    title: 'React Email',
    mark: 'package.json',
    isSaidIn: needsReactEmail,
    sources: '**/emails/**/*.{jsx,tsx}',
  },
];

const foreign = '**/node_modules/**';
/** Parts of emails, and what is built. */
const noSources = '**/{node_modules,layouts,components,partials,includes,dist,build,build_*}/**';
/** Emails that are offered, at most. */
const mostSources = 500;

/** A workspace folder whose emails a tool builds. */
interface Found {
  readonly root: vscode.Uri;
  readonly builder: Builder;
}

/** The offer to map emails that are built in the workspace: once, however it is answered. */
export class Offer {
  readonly #activity: CommandActivity;
  readonly #state: vscode.Memento;
  #finding: Promise<Found | undefined> | undefined;

  constructor(activity: CommandActivity, state: vscode.Memento) {
    this.#activity = activity;
    this.#state = state;
  }

  /** Offers it, where there is something to map and no command is at something. The workspace is looked through once. */
  async make(): Promise<void> {
    const found = await (this.#finding ??= findBuilt());
    if (found === undefined || (await isMapped(found.root))) return;
    // Meanwhile a command may have begun to ask something, or this was offered.
    if (!this.#activity.isIdle || this.#state.get(offeredKey) !== undefined) return;
    const { root, builder } = found;
    void this.#state.update(offeredKey, builder.id);
    const [map, never] = ['Map to Templates…', "Don't Ask Again"];
    const message = `This workspace builds emails with ${builder.title}. Map them to templates of a service, to compare, push and pull?`;
    if ((await showInfo(message, map, never)) === map) await mapOne(root, builder);
  }
}

/** The first folder without a mapping whose emails a tool builds. */
async function findBuilt(): Promise<Found | undefined> {
  for (const root of mappableRoots(vscode.workspace.workspaceFolders)) {
    if (await isMapped(root)) continue;
    for (const builder of builders) if (await isUsedIn(root, builder)) return { root, builder };
  }
  return undefined;
}

async function isUsedIn(root: vscode.Uri, { mark, isSaidIn }: Builder): Promise<boolean> {
  const [file] = await vscode.workspace.findFiles(new vscode.RelativePattern(root, mark), foreign, 1);
  if (file === undefined || isSaidIn === undefined) return file !== undefined;
  return isSaidIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
}

/** Whether a `package.json` depends on React Email. */
function needsReactEmail(text: string): boolean {
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
  const files = await vscode.workspace.findFiles(new vscode.RelativePattern(root, sources), noSources, mostSources);
  const front = vscode.window.activeTextEditor?.document.uri.toString();
  const items = files
    .map((uri) => ({
      label: inMessage(vscode.workspace.asRelativePath(uri, false)),
      isFront: uri.toString() === front,
      uri,
    }))
    .toSorted((a, b) => Number(b.isFront) - Number(a.isFront) || a.label.localeCompare(b.label));
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
