import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createPositionFinder, findChange } from '../../email/html/text.ts';
import { formatPair, plural } from '../../l10n.ts';
import { escapeMessage } from '../../service/text.ts';
import { mayHaveParts } from '../../sync/parts/check.ts';
import { confirm, showInfo, withProgress } from '../../ui/messages.ts';
import { findPartName, readFile, readPartTexts, type PartTexts } from '../language/mailDocuments.ts';
import type { ExtensionServices } from '../services.ts';
import { FileEdits } from './fileEdits.ts';
import { findEmails, type LinkedParts, type PartsEmail } from './linkedParts.ts';

const CONCURRENT_READS = 50;

interface Proposal {
  readonly changes: readonly { readonly uri: vscode.Uri; readonly before: string; readonly after: string }[];
  /** What can't be applied, and its place. */
  readonly problems: readonly string[];
}

export const getUpdateTitle = (count: number): string =>
  plural(count, t('Update {0} Template…'), t('Update {0} Templates…'));

/** Shows how the emails of all workspace folders change with the current texts of their parts, and writes only what it has shown last. */
export class PartUpdates implements vscode.Disposable {
  readonly #services: ExtensionServices;
  readonly #parts: LinkedParts;
  readonly #subscription: vscode.Disposable;
  #shown: Proposal = { changes: [], problems: [] };

  constructor(services: ExtensionServices, parts: LinkedParts) {
    this.#services = services;
    this.#parts = parts;
    this.#subscription = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const name = findPartName(uri);
      if (name !== undefined) void this.#offer(name);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Shows the changes, and offers to write them. Resolves with the number of changed emails. */
  async review(): Promise<number> {
    const proposal = await this.#propose();
    this.#setShown(proposal);
    const { changes, problems } = proposal;
    const [problem = ''] = problems;
    if (changes.length === 0) {
      const upToDate = t('The linked parts in all files are up to date. Templates without files are not updated.');
      offer(problem || upToDate, { [t('Map Templates…')]: 'mailing.folders.map' });
      return 0;
    }
    const { snapshots } = this.#services.documents;
    const versions = changes.map(({ uri, after }) => [uri, uri, snapshots.add(uri.path, after)]);
    await vscode.commands.executeCommand('vscode.changes', t('Update Templates'), versions);
    offer(`${t('Review the changes.')} ${problem}`, {
      [t('Update Templates')]: 'mailing.parts.applyUpdate',
      [t('Compare Emails…')]: 'mailing.parts.compareUpdate',
    });
    return changes.length;
  }

  /** Writes the changes, after a confirmation if there are problems. If they aren't those that were shown, shows them again instead. */
  async apply(): Promise<number | undefined> {
    const proposal = await this.#propose();
    const { changes, problems } = proposal;
    const toText = (each: Proposal) =>
      JSON.stringify([each.problems, each.changes.map(({ uri, ...texts }) => [uri.toString(), texts])]);
    if (changes.length === 0 || toText(proposal) !== toText(this.#shown)) return this.review();
    const format = (one: string, other: string) => plural(changes.length, one, other);
    const question = format(
      t('Update {0} template with these problems?'),
      t('Update {0} templates with these problems?'),
    );
    if (problems.length > 0 && !(await confirm(question, problems, t('Update')))) return undefined;
    const edits = new FileEdits();
    await Promise.all(
      changes.map(({ uri, before, after }) => {
        const { offset, length, text } = findChange(before, after);
        return edits.add(uri, before, [{ start: offset, end: offset + length, text }]);
      }),
    );
    await edits.apply();
    this.#setShown({ changes: [], problems: [] });
    offer(format(t('Updated {0} template.'), t('Updated {0} templates.')), { [t('Push…')]: 'mailing.folders.push' });
    return changes.length;
  }

  /** Shows an email that the user picks before and after the update, as it is sent. */
  async compare(): Promise<unknown> {
    const items = this.#shown.changes.map(({ uri, after }) => ({
      label: escapeMessage(vscode.workspace.asRelativePath(uri)),
      argument: { resourceUri: uri, text: after },
    }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: t('Select an email') });
    return picked && vscode.commands.executeCommand('mailing.compareRendered', picked.argument);
  }

  async #offer(name: string) {
    await this.#parts.update();
    const { length } = this.#parts.emails.filter(({ uses }) => uses.some(({ isOutdated }) => isOutdated));
    if (length > 0) offer(t`Part "${name}" has changed.`, { [getUpdateTitle(length)]: 'mailing.parts.update' });
  }

  #setShown(proposal: Proposal) {
    this.#shown = proposal;
    void vscode.commands.executeCommand('setContext', 'mailing.reviewsParts', proposal.changes.length > 0);
  }

  #propose(): Promise<Proposal> {
    return withProgress(t('Updating linked parts'), async (signal) => {
      const worker = await this.#services.worker();
      const held = worker.hold();
      const texts = new Map<string, Promise<PartTexts>>();
      const propose = async ({ uri, root }: PartsEmail): Promise<Proposal> => {
        const before = (await readFile(uri)) ?? '';
        if (!mayHaveParts(before)) return { changes: [], problems: [] };
        const parts = texts.get(root.toString()) ?? readPartTexts(root);
        texts.set(root.toString(), parts);
        const result = await worker.run('applyParts', [before, await parts], { signal });
        const findPosition = createPositionFinder(before);
        const problems = result.problems.map(({ start, message }) =>
          formatPair(`${vscode.workspace.asRelativePath(uri)}:${findPosition(start)[0] + 1}`, message),
        );
        return { changes: result.text === before ? [] : [{ uri, before, after: result.text }], problems };
      };
      const emails = [...(await findEmails()).values()];
      const proposals: Proposal[] = [];
      try {
        for (let at = 0; at < emails.length; at += CONCURRENT_READS)
          proposals.push(...(await Promise.all(emails.slice(at, at + CONCURRENT_READS).map(propose))));
      } finally {
        held.dispose();
      }
      return {
        changes: proposals.flatMap(({ changes }) => changes),
        problems: proposals.flatMap(({ problems }) => problems),
      };
    });
  }
}

/** Shows a message with buttons for commands. */
function offer(message: string, commands: Readonly<Record<string, string>>) {
  void showInfo(message, ...Object.keys(commands)).then((chosen) => {
    const command = commands[chosen ?? ''];
    return command !== undefined && vscode.commands.executeCommand(command);
  });
}
