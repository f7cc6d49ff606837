import type { Range } from '../../../email/html/ranges.ts';
import * as vscode from 'vscode';
import {
  completeTags,
  explainTag,
  getExampleOutput,
  renderTags,
  type TagCompletion,
} from '../../../email/tags/index.ts';
import { escapeMessage, toSingleLine } from '../../ui/text.ts';
import { findPairAt, createNameValidator, getPairRanges, type TagPair } from './tagPairs.ts';
import type { TagContext } from './tagContext.ts';
import { findTagTextAt, type TagText } from './tagTexts.ts';
import { formatCompletion, formatExplanation } from './hoverMarkdown.ts';

const completionKinds: Readonly<Record<TagCompletion['kind'], vscode.CompletionItemKind>> = {
  family: vscode.CompletionItemKind.Module,
  field: vscode.CompletionItemKind.Field,
  pair: vscode.CompletionItemKind.Snippet,
  condition: vscode.CompletionItemKind.Snippet,
  parameter: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  close: vscode.CompletionItemKind.Keyword,
};

const triggerSuggest: vscode.Command = { command: 'editor.action.triggerSuggest', title: 'Suggest' };

const toEditorRange = (document: vscode.TextDocument, { start, end }: Range): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

const getTagRange = (document: vscode.TextDocument, text: TagText, { start, end }: Range): vscode.Range =>
  toEditorRange(document, { start: text.toDocument(start), end: text.toDocument(end) });

/** Completion, hover, highlights, linked editing, rename and folding for tags. */
export class TagProviders
  implements
    vscode.CompletionItemProvider,
    vscode.HoverProvider,
    vscode.DocumentHighlightProvider,
    vscode.LinkedEditingRangeProvider,
    vscode.RenameProvider,
    vscode.FoldingRangeProvider
{
  readonly #context: TagContext;

  constructor(context: TagContext) {
    this.#context = context;
  }

  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    const offset = document.offsetAt(position);
    const text = findTagTextAt(this.#context.texts(document), offset);
    if (!text) return [];
    const { uri } = document;
    const context = {
      where: text.where,
      fields: this.#context.fields(uri),
      rendering: this.#context.getRendering(uri),
    };
    return completeTags(text.text, text.fromDocument(offset), this.#context.language(uri), context).map(
      (found, index) => createCompletionItem(document, text, position, found, index),
    );
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const offset = document.offsetAt(position);
    const text = findTagTextAt(this.#context.texts(document), offset);
    if (!text) return undefined;
    const { uri } = document;
    const to = { ...this.#context.getRendering(uri), where: text.where };
    const found = explainTag(text.text, text.fromDocument(offset), this.#context.language(uri), {
      fields: this.#context.fields(uri),
      rendering: to,
    });
    return (
      found &&
      new vscode.Hover(new vscode.MarkdownString(formatExplanation(found, to)), getTagRange(document, text, found))
    );
  }

  provideDocumentHighlights(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.DocumentHighlight[] | undefined {
    return this.#findPair(document, position)?.tagRanges.map(
      (stretch) => new vscode.DocumentHighlight(toEditorRange(document, stretch)),
    );
  }

  provideLinkedEditingRanges(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.LinkedEditingRanges | undefined {
    const halves = this.#findPairByName(document, position);
    if (!halves || new Set(halves.nameRanges.map((name) => document.getText(toEditorRange(document, name)))).size > 1)
      return undefined;
    return new vscode.LinkedEditingRanges(
      halves.nameRanges.map((name) => toEditorRange(document, name)),
      /[a-z_]+/i,
    );
  }

  prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): { range: vscode.Range; placeholder: string } {
    const halves = this.#findPairByName(document, position);
    if (!halves) throw new Error('Only paired tags can be renamed.');
    return { range: toEditorRange(document, halves.nameRange), placeholder: halves.name };
  }

  provideRenameEdits(document: vscode.TextDocument, position: vscode.Position, name: string): vscode.WorkspaceEdit {
    const halves = this.#findPairByName(document, position);
    if (!halves) throw new Error('Only paired tags can be renamed.');
    const problem = createNameValidator(this.#context.language(document.uri), halves.name)(name);
    if (problem !== undefined)
      throw new Error(escapeMessage(`Can't rename to "${toSingleLine(name, 40)}". ${problem}`, 400));
    const edit = new vscode.WorkspaceEdit();
    for (const stretch of halves.nameRanges) edit.replace(document.uri, toEditorRange(document, stretch), name);
    return edit;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    return getPairRanges(this.#context.texts(document), this.#context.language(document.uri), this.#context.tags)
      .map((span) => toEditorRange(document, span))
      .map(({ start, end }) => new vscode.FoldingRange(start.line, end.line - 1))
      .filter(({ start, end }) => end > start);
  }

  #findPair(document: vscode.TextDocument, position: vscode.Position): TagPair | undefined {
    return findPairAt(
      this.#context.texts(document),
      document.offsetAt(position),
      this.#context.language(document.uri),
      this.#context.tags,
    );
  }

  /** Returns the pair if the position is in one of its names. */
  #findPairByName(document: vscode.TextDocument, position: vscode.Position): TagPair | undefined {
    const halves = this.#findPair(document, position);
    return halves && toEditorRange(document, halves.nameRange).contains(position) ? halves : undefined;
  }
}

/** Shows the value of each tag as an inlay hint. */
export class TagHints implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #context: TagContext;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#changes.event;

  constructor(context: TagContext) {
    this.#context = context;
  }

  refresh(): void {
    this.#changes.fire();
  }

  dispose(): void {
    this.#changes.dispose();
  }

  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    const { uri } = document;
    if (!vscode.workspace.getConfiguration('mailing', uri).get<boolean>('tags.inlayHints', false)) return [];
    const language = this.#context.language(uri);
    const person = this.#context.getRendering(uri);
    return this.#context.texts(document).flatMap((text) => {
      const to = { ...person, where: text.where };
      return this.#context
        .tags(text, language)
        .filter(({ kind, isClosed }) => kind === 'value' && isClosed)
        .map((tag) => ({ tag, position: document.positionAt(text.toDocument(tag.end)) }))
        .filter(({ position }) => range.contains(position))
        .map(({ tag, position }) => {
          const value = toSingleLine(renderTags(text.text.slice(tag.start, tag.end), language, to).text, 40);
          return Object.assign(new vscode.InlayHint(position, value || 'empty'), { paddingLeft: true });
        });
    });
  }
}

function createCompletionItem(
  document: vscode.TextDocument,
  text: TagText,
  position: vscode.Position,
  found: TagCompletion,
  index: number,
): vscode.CompletionItem {
  const example = toSingleLine(getExampleOutput(found), 50);
  const label = example === '' || found.kind === 'pair' ? found.label : { label: found.label, description: example };
  const item = new vscode.CompletionItem(label, completionKinds[found.kind]);
  const range = getTagRange(document, text, found);
  item.range = { inserting: range.with({ end: position }), replacing: range };
  // Snippets use backslashes of their own, so text that needs JSON escapes is inserted without a snippet.
  const written = text.write(found.text);
  item.insertText =
    found.snippet !== undefined && written === found.text ? new vscode.SnippetString(found.snippet) : written;
  item.documentation = new vscode.MarkdownString(formatCompletion(found));
  item.sortText = String(index).padStart(4, '0');
  if (found.shouldRetrigger) item.command = triggerSuggest;
  return item;
}
