import * as vscode from 'vscode';
import { findPlaceholderAt, findPlaceholders } from '../../../email/compose/placeholders.ts';
import type { Range } from '../../../email/html/text.ts';
import {
  completeTags,
  explainTag,
  getExampleOutput,
  sampleRendering,
  tagLanguage,
  type TagCompletion,
} from '../../../email/tags/index.ts';
import { t } from '../../../l10n.ts';
import { getComposingProfile } from '../../../platform/connections/model.ts';
import type { ExtensionServices } from '../../services.ts';
import { escapeMessage, toSingleLine } from '../../../service/text.ts';
import { getCustomFields, getTagLanguage } from '../checks/checkOptions.ts';
import { createHoverContent } from '../docs.ts';
import { formatCompletion, formatExplanation } from './hoverMarkdown.ts';
import { PlaceholderPrompt } from './placeholderPrompt.ts';
import {
  findNameProblem,
  findPairAt,
  findTagTextAt,
  getPairRanges,
  getTagTexts,
  toDocumentRange,
  type TagText,
} from './tagTexts.ts';

/** Documents with tags: bodies, and details with subject and preheader. */
const taggedDocuments: vscode.DocumentSelector = ['html', 'json'].map((language) => ({ scheme: 'mailing', language }));

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

export const toEditorRange = (document: vscode.TextDocument, { start, end }: Range): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** Returns a function that parses a document once per version, or again with another setting. */
export function oncePerVersion<Setting, Parsed>(
  getSetting: (document: vscode.TextDocument) => Setting,
  parse: (document: vscode.TextDocument, setting: Setting) => Parsed,
): (document: vscode.TextDocument) => Parsed {
  const last = new WeakMap<vscode.TextDocument, { version: number; setting: Setting; parsed: Parsed }>();
  return (document) => {
    const [{ version }, setting, stored] = [document, getSetting(document), last.get(document)];
    if (stored?.version === version && stored.setting === setting) return stored.parsed;
    const parsed = parse(document, setting);
    last.set(document, { version, setting, parsed });
    return parsed;
  };
}

/** The tags and placeholders of documents. Each version of a document is parsed once, for all providers. */
class TagDocuments {
  readonly #services: Pick<ExtensionServices, 'connections' | 'previews'>;

  constructor(services: Pick<ExtensionServices, 'connections' | 'previews'>) {
    this.#services = services;
  }

  readonly read = oncePerVersion(
    ({ uri }) => getTagLanguage(this.#services.connections, uri),
    (document, language) => ({ language, texts: getTagTexts(document.languageId, document.getText(), language) }),
  );

  readonly isComposed = ({ uri, languageId }: vscode.TextDocument): boolean =>
    languageId === 'html' && getComposingProfile(this.#services.connections.get(uri.authority)) === 'acymailing';

  readonly readPlaceholders = oncePerVersion(this.isComposed, (document, hasPlaceholders) =>
    hasPlaceholders ? findPlaceholders(document.getText()) : [],
  );

  /** Returns the text at a position, and how to complete and explain its tags. */
  getContext(document: vscode.TextDocument, position: vscode.Position) {
    const { connections, previews } = this.#services;
    const { language, texts } = this.read(document);
    const offset = document.offsetAt(position);
    const text = findTagTextAt(texts, offset);
    // Examples are for the person that the document's preview shows, or else a typical one.
    const rendering = previews.getRendering(document.uri) ?? sampleRendering();
    const context = { fields: getCustomFields(connections, document.uri), rendering };
    return text && { text, offset: text.fromDocument(offset), language, context };
  }

  findPair(document: vscode.TextDocument, position: vscode.Position) {
    return findPairAt(this.read(document).texts, document.offsetAt(position));
  }

  /** Returns the pair if the position is in one of its names. */
  findPairByName(document: vscode.TextDocument, position: vscode.Position) {
    const pair = this.findPair(document, position);
    return pair && toEditorRange(document, pair[0].nameRange).contains(position) ? pair : undefined;
  }
}

/** Registers completion, hover, highlights, linked editing, rename and folding for tags. */
export function registerTagProviders(services: Pick<ExtensionServices, 'connections' | 'previews'>): vscode.Disposable {
  const { languages, workspace } = vscode;
  const tags = new TagDocuments(services);
  const prompt = new PlaceholderPrompt();
  for (const document of workspace.textDocuments) prompt.watch(document);
  return vscode.Disposable.from(
    workspace.onDidOpenTextDocument((document) => prompt.watch(document)),
    workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.scheme === 'mailing' && tags.isComposed(event.document)) void prompt.handleChange(event);
    }),
    languages.registerCompletionItemProvider(taggedDocuments, createCompletions(tags), '{', ':', '|', '/'),
    languages.registerHoverProvider(taggedDocuments, createHover(tags)),
    languages.registerDocumentHighlightProvider(taggedDocuments, {
      provideDocumentHighlights: (document, position) =>
        tags.findPair(document, position)?.map((tag) => new vscode.DocumentHighlight(toEditorRange(document, tag))),
    }),
    languages.registerLinkedEditingRangeProvider(taggedDocuments, {
      provideLinkedEditingRanges(document, position) {
        const pair = tags.findPairByName(document, position);
        const ranges = pair?.map((tag) => toEditorRange(document, tag.nameRange));
        return ranges && new Set(ranges.map((range) => document.getText(range))).size === 1
          ? new vscode.LinkedEditingRanges(ranges, /[a-z_]+/i)
          : undefined;
      },
    }),
    languages.registerRenameProvider(taggedDocuments, createRename(tags)),
    languages.registerFoldingRangeProvider(taggedDocuments, {
      provideFoldingRanges: (document) =>
        [...getPairRanges(tags.read(document).texts), ...tags.readPlaceholders(document)]
          .map((pair) => toEditorRange(document, pair))
          .map(({ start, end }) => new vscode.FoldingRange(start.line, end.line - 1))
          .filter(({ start, end }) => end > start),
    }),
  );
}

const createCompletions = (tags: TagDocuments): vscode.CompletionItemProvider => ({
  provideCompletionItems(document, position) {
    const found = tags.getContext(document, position);
    if (!found) return [];
    const { text, offset, language, context } = found;
    return completeTags(text.text, offset, language, { ...context, where: text.where }).map((completion, index) => {
      const item = createCompletionItem(text, completion);
      const range = toEditorRange(document, toDocumentRange(completion, text));
      item.range = completion.kind === 'close' ? range : { inserting: range.with({ end: position }), replacing: range };
      item.sortText = String(index).padStart(4, '0');
      return item;
    });
  },
});

const createHover = (tags: TagDocuments): vscode.HoverProvider => ({
  provideHover(document, position) {
    const found = tags.getContext(document, position);
    if (!found) return undefined;
    const { text, offset, language, context } = found;
    const rendering = { ...context.rendering, where: text.where };
    const explain = (at: number) => explainTag(text.text, at, language, { ...context, rendering });
    const typed = explain(offset);
    const placeholder = typed ? undefined : findPlaceholderAt(tags.readPlaceholders(document), offset);
    const tag = placeholder ? explain(placeholder.tag.start) : typed;
    if (!tag) return undefined;
    const range = toEditorRange(document, placeholder ?? toDocumentRange(tag, text));
    const isDocumented = language === tagLanguage('acymailing');
    return new vscode.Hover(createHoverContent(formatExplanation(tag, rendering, isDocumented)), range);
  },
});

const createRename = (tags: TagDocuments): vscode.RenameProvider => ({
  prepareRename(document, position) {
    const [{ name, nameRange }] = getPairToRename(tags, document, position);
    return { range: toEditorRange(document, nameRange), placeholder: name };
  },
  provideRenameEdits(document, position, name) {
    const pair = getPairToRename(tags, document, position);
    const problem = findNameProblem(tags.read(document).language, pair[0].name, name);
    if (problem !== undefined)
      throw new Error(escapeMessage(`${t`Can't rename to "${toSingleLine(name, 40)}".`} ${problem}`, 400));
    const edit = new vscode.WorkspaceEdit();
    for (const { nameRange } of pair) edit.replace(document.uri, toEditorRange(document, nameRange), name);
    return edit;
  },
});

function getPairToRename(tags: TagDocuments, document: vscode.TextDocument, position: vscode.Position) {
  const pair = tags.findPairByName(document, position);
  if (!pair) throw new Error(t('Only paired tags can be renamed.'));
  return pair;
}

function createCompletionItem(text: TagText, completion: TagCompletion) {
  const { kind, label, snippet, shouldRetrigger } = completion;
  const description = toSingleLine(getExampleOutput(completion), 50);
  const item = new vscode.CompletionItem(
    description === '' || kind === 'pair' ? label : { label, description },
    completionKinds[kind],
  );
  // Snippets use backslashes of their own, so text that needs JSON escapes is inserted without a snippet.
  const written = text.write(completion.text);
  item.insertText = snippet !== undefined && written === completion.text ? new vscode.SnippetString(snippet) : written;
  item.documentation = new vscode.MarkdownString(formatCompletion(completion));
  if (shouldRetrigger) item.command = triggerSuggest;
  return item;
}
