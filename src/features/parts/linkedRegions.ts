import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Range, TextEdit } from '../../email/html/text.ts';
import { createUnlinkEdits } from '../../sync/parts/check.ts';
import type { Marked } from '../../sync/parts/marks.ts';
import { Debouncer } from '../../ui/async.ts';
import { showWarning } from '../../ui/messages.ts';
import { findPartName } from '../language/mailDocuments.ts';
import { toEditorRange } from '../language/tags/tagProviders.ts';
import { getPartUri, getRoot, readUsesOnce, type LinkedParts } from './linkedParts.ts';

const DEBOUNCE_MS = 500;
/** As much of the text before an edit as is searched in the part. */
const MAX_CONTEXT_CHARS = 64;

/**
 * Shows which text of emails belongs to parts, and asks once per use and session what an edit of it should change. Whatever the user answers,
 * no typed text is lost without a possible Undo.
 */
export class LinkedRegions implements vscode.Disposable {
  readonly #parts: LinkedParts;
  readonly #decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('textCodeBlock.background'),
  });
  readonly #debouncer = new Debouncer(DEBOUNCE_MS);
  /** The text that was typed last, in the active email. */
  #edited: { readonly document: vscode.TextDocument; readonly offset: number; readonly end: number } | undefined;
  readonly #asked = new Set<string>();
  readonly #subscriptions: vscode.Disposable;

  constructor(parts: LinkedParts) {
    const { window, workspace } = vscode;
    this.#parts = parts;
    this.#subscriptions = vscode.Disposable.from(
      this.#decoration,
      this.#debouncer,
      window.onDidChangeVisibleTextEditors(() => this.#decorate()),
      workspace.onDidChangeTextDocument(({ document, contentChanges: [change], reason }) => {
        if (!change || document.languageId !== 'html') return;
        const isTyped = reason === undefined && window.activeTextEditor?.document === document;
        if (isTyped) {
          const { rangeOffset, text } = change;
          const offset = this.#edited?.end === rangeOffset ? this.#edited.offset : rangeOffset;
          this.#edited = { document, offset, end: rangeOffset + text.length };
        }
        this.#debouncer.run(() => {
          this.#decorate();
          void this.#ask();
        });
      }),
    );
    this.#decorate();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #decorate() {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (document.languageId !== 'html') continue;
      const uses = findPartName(document.uri) === undefined ? readUsesOnce(document) : [];
      const ranges = uses.flatMap(findLinkedRanges).map((range) => toEditorRange(document, range));
      editor.setDecorations(this.#decoration, ranges);
    }
  }

  async #ask() {
    const { document, offset = 0 } = this.#edited ?? {};
    this.#edited = undefined;
    // Reading a changed file again is no edit.
    if (!document?.isDirty || findPartName(document.uri) !== undefined) return;
    const root = getRoot(document.uri);
    const uses = readUsesOnce(document);
    const edited = uses.map((_, index) => index).filter((index) => isTextOf(uses[index], offset));
    const [outer = -1, inner = outer] = [edited[0], edited.at(-1)];
    const { name = '' } = uses[outer] ?? {};
    const key = `${document.uri.toString()} ${outer} ${name}`;
    if (!uses[inner] || this.#asked.has(key)) return;
    const { uses: checked } = await this.#parts.check(root, document.getText());
    if (checked[outer]?.isOutdated !== true) return;
    this.#asked.add(key);
    const [editPart, unlink, undo] = [t('Edit the Part'), t('Edit Here Only'), t('Undo')];
    const message = t`This text belongs to the linked part "${uses[inner].name}". The next update replaces your edit.`;
    const before = document.getText().slice(Math.max(uses[inner].inner.start, offset - MAX_CONTEXT_CHARS), offset);
    const chosen = await showWarning(message, editPart, unlink, undo);
    if (chosen === editPart) return openPart(getPartUri(root, uses[inner].name), before);
    if (chosen === undefined) return;
    // The user may have typed more meanwhile, or closed the file.
    const reopened = await vscode.workspace.openTextDocument(document.uri);
    const current = readUsesOnce(reopened);
    if (current[outer]?.name !== name) return;
    if (chosen === unlink)
      return applyEdits(reopened, createUnlinkEdits(edited.flatMap((index) => current[index] ?? [])));
    const { findings } = await this.#parts.check(root, reopened.getText());
    const update = findings.find((each) => each.rule === 'part-outdated' && each.start === current[outer]?.start);
    return applyEdits(reopened, update?.fixes[0]?.edits ?? []);
  }
}

/** Returns the outermost slots and orphans in a part, whose content is the email's own. */
const findOwnContent = ({ children }: Marked): readonly Marked[] =>
  children.flatMap((child) =>
    'where' in child ? [] : child.kind === 'part' || child.isPassing ? findOwnContent(child) : child,
  );

/** Returns whether the text at an offset is that of a part, also of one that the part's text contains. */
const isTextOf = (part: Marked | undefined, offset: number) =>
  part !== undefined &&
  part.start < offset &&
  offset < part.end &&
  !findOwnContent(part).some(({ inner }) => inner.start <= offset && offset <= inner.end);

/** Returns the ranges that an update replaces. */
function findLinkedRanges(part: Marked): readonly Range[] {
  const own = findOwnContent(part).map(({ inner }) => inner);
  const starts = [part.start, ...own.map(({ end }) => end)];
  return starts.map((start, index) => ({ start, end: own[index]?.start ?? part.end }));
}

/** Opens the text of a part, at the place with the longest part of the text before the edit. */
async function openPart(uri: vscode.Uri, before: string) {
  const document = await vscode.workspace.openTextDocument(uri);
  const text = document.getText();
  const starts = Array.from(before, (_, index) => before.slice(index));
  const found = starts.find((start) => text.includes(start)) ?? '';
  const position = document.positionAt(text.indexOf(found) + found.length);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
}

async function applyEdits(document: vscode.TextDocument, edits: readonly TextEdit[]) {
  const edit = new vscode.WorkspaceEdit();
  for (const { text, ...range } of edits) edit.replace(document.uri, toEditorRange(document, range), text);
  await vscode.workspace.applyEdit(edit);
}
