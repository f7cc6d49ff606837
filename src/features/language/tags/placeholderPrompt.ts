import * as vscode from 'vscode';
import { findPlaceholders } from '../../../email/compose/placeholders.ts';
import { t } from '../../../l10n.ts';
import { showInfo } from '../../../ui/messages.ts';

/** A range that the user edited, which moves with later edits, and its text before. */
interface EditedRange {
  start: number;
  end: number;
  readonly text: string;
}

/** Asks once per document whether the user wants to edit a placeholder of the visual editor. */
export class PlaceholderPrompt {
  readonly #texts = new WeakMap<vscode.TextDocument, string>();
  readonly #edited = new Map<string, EditedRange>();

  /** Stores the text of a document, to compare its first change with. */
  watch(document: vscode.TextDocument): void {
    if (document.uri.scheme === 'mailing' && document.languageId === 'html')
      this.#texts.set(document, document.getText());
  }

  /** Asks if a change is the first in a placeholder that the user types. Resolves after the answer. */
  async handleChange({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): Promise<void> {
    const key = document.uri.toString();
    const tracked = this.#edited.get(key);
    if (tracked) return moveRange(tracked, contentChanges);
    const before = this.#texts.get(document) ?? '';
    this.watch(document);
    const editor = vscode.window.activeTextEditor;
    // The selection still is as before the change. Texts that a service or a quick fix changes are elsewhere.
    const isTyped = contentChanges.some(({ range }) => editor?.selections.some((each) => range.intersection(each)));
    if (editor?.document !== document || !isTyped || reason !== undefined) return;
    const changes = contentChanges.map(({ rangeOffset: start, rangeLength }) => ({ start, end: start + rangeLength }));
    const placeholder = findPlaceholders(before).find(
      ({ state, start, end }) =>
        state === 'whole' &&
        changes.some((each) => each.start < end && each.end > start && (each.start > start || each.end < end)),
    );
    if (!placeholder) return;
    const start = Math.min(placeholder.start, ...changes.map((each) => each.start));
    const end = Math.max(placeholder.end, ...changes.map((each) => each.end));
    const edited = { start, end, text: before.slice(start, end) };
    this.#edited.set(key, edited);
    moveRange(edited, contentChanges);
    const undo = t('Undo Edit');
    const message = t(
      'This is a placeholder of the visual editor. AcyMailing replaces its content when sending, and a broken one deletes other content.',
    );
    if ((await showInfo(message, undo, t('Edit Anyway'))) !== undo || document.isClosed) return;
    const range = new vscode.Range(document.positionAt(edited.start), document.positionAt(edited.end));
    const restored = new vscode.WorkspaceEdit();
    restored.replace(document.uri, range, edited.text);
    await vscode.workspace.applyEdit(restored);
  }
}

function moveRange(range: EditedRange, changes: readonly vscode.TextDocumentContentChangeEvent[]) {
  for (const { rangeOffset, rangeLength, text } of changes) {
    const added = text.length - rangeLength;
    if (rangeOffset + rangeLength <= range.start) range.start += added;
    else range.start = Math.min(range.start, rangeOffset);
    if (rangeOffset < range.end) range.end += added;
  }
}
