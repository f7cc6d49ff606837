import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { findFirstIndex, type Range } from '../../email/html/ranges.ts';
import { plural } from '../../l10n.ts';
import type { Marked } from '../../sync/parts/marks.ts';
import { partName } from '../../sync/parts/values.ts';
import { findPartName, readFile } from '../language/mailDocuments.ts';
import { toEditorRange } from '../language/tags/tagProviders.ts';
import type { CommandHandlers } from '../../ui/commands.ts';
import type { ExtensionServices } from '../services.ts';
import { getPartUri, LinkedParts, readMarks, readMarksOnce } from './linkedParts.ts';
import { LinkedRegions } from './linkedRegions.ts';
import { extractPart } from './extraction.ts';
import { getUpdateTitle, PartUpdates } from './partUpdates.ts';

const MAX_MARK_CHARS = 1000;
/** A mark up to a name that the user types: of a part, a slot, or an attribute of a part. */
const startedMark =
  /<!--\s*(part|slot)\s*:\s*(?:([a-z0-9-]+)(?:\s+[a-z0-9-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']+))*\s+)?[a-z0-9-]*$/u;

/** The name of a part or a slot in a mark. */
interface MarkName extends Range {
  readonly part: string;
  readonly slot?: string | undefined;
}

/** @param ownName the name of the part whose text it is */
function findNames(text: string, marks: readonly Marked[], ownName: string | undefined): readonly MarkName[] {
  return marks.flatMap(({ kind, name, start: from, owner }) => {
    const part = kind === 'part' ? name : owner?.name || ownName;
    const start = text.indexOf(name, text.indexOf(':', from));
    const slot = kind === 'slot' ? name : undefined;
    return part === undefined || kind === 'orphan' ? [] : { part, slot, start, end: start + name.length };
  });
}

/** Returns a function that converts offsets in a text to positions. */
function createLocator(text: string) {
  const starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/gu), ({ 0: end, index }) => index + end.length)];
  return (offset: number) => {
    const line = findFirstIndex(starts, (start) => start > offset) - 1;
    return new vscode.Position(line, offset - (starts[line] ?? 0));
  };
}

/** Lenses, navigation, renaming, completion, folding and the outline of linked parts. */
class PartProviders
  implements
    vscode.CodeLensProvider,
    vscode.DefinitionProvider,
    vscode.ReferenceProvider,
    vscode.RenameProvider,
    vscode.CompletionItemProvider,
    vscode.FoldingRangeProvider,
    vscode.DocumentSymbolProvider
{
  readonly #parts: LinkedParts;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(parts: LinkedParts) {
    this.#parts = parts;
    this.onDidChangeCodeLenses = parts.onDidChange;
  }

  provideCodeLenses(document: vscode.TextDocument) {
    const { uri } = document;
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    if (!root) return [];
    const ownName = findPartName(uri);
    const uses = this.#parts.getUses(uri);
    const lenses = readMarksOnce(document)
      .filter(({ kind }) => kind === 'part')
      .map((mark, index) => {
        const { length } = mark.slots;
        const use = uses[index];
        const title = length > 0 ? plural(length, t('linked · {0} slot'), t('linked · {0} slots')) : t('linked');
        const status = use?.name === mark.name && use.isOutdated ? ` · ${t('out of date')}` : '';
        return new vscode.CodeLens(toEditorRange(document, { ...mark, end: mark.start }), {
          title: title + status,
          command: 'vscode.open',
          arguments: [getPartUri(root, mark.name)],
        });
      });
    if (ownName === undefined) return lenses;
    const emails = this.#parts.findEmails(root, ownName);
    const outdated = emails.filter((email) => email.uses.some((use) => use.name === ownName && use.isOutdated));
    const count = plural(emails.length, t('in {0} template'), t('in {0} templates'));
    const title = outdated.length > 0 ? `${count}, ${t('{0} out of date', outdated.length)}` : count;
    const start = new vscode.Position(0, 0);
    const command = { title, command: 'editor.action.findReferences', arguments: [uri, start] };
    const range = new vscode.Range(start, start);
    const update = { title: getUpdateTitle(outdated.length), command: 'mailing.parts.update' };
    const updates = outdated.length > 0 ? [new vscode.CodeLens(range, update)] : [];
    return [new vscode.CodeLens(range, command), ...updates, ...lenses];
  }

  async provideDefinition(document: vscode.TextDocument, position: vscode.Position) {
    const found = this.#findName(document, position);
    if (!found) return undefined;
    const { root, part, slot } = found;
    const uri = getPartUri(root, part);
    const declared = slot === undefined ? [] : await this.#findAll(root, { part, slot }, [uri]);
    return declared[0] ?? new vscode.Location(uri, new vscode.Position(0, 0));
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ) {
    const found = this.#findName(document, position);
    if (!found) return [];
    const uses = await this.#findAll(found.root, found);
    const file = new vscode.Location(getPartUri(found.root, found.part), new vscode.Position(0, 0));
    return includeDeclaration && found.slot === undefined ? [file, ...uses] : uses;
  }

  prepareRename(document: vscode.TextDocument, position: vscode.Position) {
    return toEditorRange(document, this.#getName(document, position));
  }

  async provideRenameEdits(document: vscode.TextDocument, position: vscode.Position, name: string) {
    const { root, part, slot } = this.#getName(document, position);
    const renamed = slot === undefined ? { part: name } : { part, slot: name };
    if (!partName.test(name)) throw new Error(t('Use at most 60 of a-z, 0-9 and hyphens.'));
    const isUsed = Object.hasOwn(await this.#parts.readTexts(root), renamed.part) && slot === undefined;
    if (isUsed || (await this.#findAll(root, renamed)).length > 0) throw new Error(t`"${name}" already exists.`);
    const edit = new vscode.WorkspaceEdit();
    for (const { uri, range } of await this.#findAll(root, { part, slot })) edit.replace(uri, range, name);
    if (slot === undefined) edit.renameFile(getPartUri(root, part), getPartUri(root, name));
    return edit;
  }

  async provideCompletionItems(document: vscode.TextDocument, position: vscode.Position) {
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    const before = document
      .lineAt(position)
      .text.slice(Math.max(0, position.character - MAX_MARK_CHARS), position.character);
    const [, kind, part = ''] = startedMark.exec(before) ?? [];
    if (!root || kind === undefined) return [];
    const texts = await this.#parts.readTexts(root);
    const { Module, Field, Property } = vscode.CompletionItemKind;
    if (kind === 'part' && part === '')
      return Object.keys(texts).map((name) => new vscode.CompletionItem(name, Module));
    if (kind === 'part')
      return Array.from(new Set((texts[part] ?? '').match(/(?<=\[\[\s*)[a-z0-9-]{1,60}(?=\s*\]\])/gu)), (name) =>
        Object.assign(new vscode.CompletionItem(name, Property), {
          insertText: new vscode.SnippetString(`${name}="$1"`),
        }),
      );
    const offset = document.offsetAt(position);
    const around = readMarksOnce(document).findLast(
      (mark) => mark.kind === 'part' && mark.inner.start <= offset && offset <= mark.inner.end,
    );
    const text = texts[around?.name ?? ''] ?? '';
    return findNames(text, readMarks(text, around?.name), around?.name)
      .filter((each) => each.part === around?.name && around.slots.every(({ name }) => name !== each.slot))
      .map(({ slot = '' }) => new vscode.CompletionItem(slot, Field));
  }

  provideFoldingRanges(document: vscode.TextDocument) {
    return readMarksOnce(document)
      .map((mark) => toEditorRange(document, mark))
      .map(({ start, end }) => new vscode.FoldingRange(start.line, end.line - 1))
      .filter(({ start, end }) => end > start);
  }

  provideDocumentSymbols(document: vscode.TextDocument) {
    return readMarksOnce(document).map((mark) => {
      const kind = mark.kind === 'part' ? vscode.SymbolKind.Module : vscode.SymbolKind.Field;
      const start = toEditorRange(document, { ...mark, end: mark.inner.start });
      return new vscode.DocumentSymbol(mark.name, mark.kind ?? '', kind, toEditorRange(document, mark), start);
    });
  }

  /** Returns the name at a position, or the part whose file it is at its start. */
  #findName(document: vscode.TextDocument, position: vscode.Position) {
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    const ownName = findPartName(document.uri);
    const offset = document.offsetAt(position);
    const found = findNames(document.getText(), readMarksOnce(document), ownName).find(
      ({ start, end }) => start <= offset && offset <= end,
    );
    const own =
      ownName !== undefined && offset === 0 ? { part: ownName, slot: undefined, start: 0, end: 0 } : undefined;
    const name = found ?? own;
    return root && name && { ...name, root };
  }

  /** Returns the places of a name in emails and parts. */
  async #findAll(root: vscode.Uri, { part, slot }: Pick<MarkName, 'part' | 'slot'>, uris?: readonly vscode.Uri[]) {
    if (!uris) await this.#parts.update();
    const names = Object.keys(await this.#parts.readTexts(root));
    const files = uris ?? [
      ...this.#parts.findEmails(root, part).map(({ uri }) => uri),
      ...names.map((name) => getPartUri(root, name)),
    ];
    const found: vscode.Location[] = [];
    for (const uri of files) {
      const text = (await readFile(uri)) ?? '';
      const toPosition = createLocator(text);
      const ownName = findPartName(uri);
      for (const { start, end, ...name } of findNames(text, readMarks(text, ownName), ownName))
        if (name.part === part && name.slot === slot)
          found.push(new vscode.Location(uri, new vscode.Range(toPosition(start), toPosition(end))));
    }
    return found;
  }

  #getName(document: vscode.TextDocument, position: vscode.Position) {
    const name = this.#findName(document, position);
    if (!name) throw new Error(t('Only names of parts and slots can be renamed.'));
    return name;
  }
}

/** Creates the editor's features of linked parts. */
export function createPartFeatures(services: ExtensionServices) {
  const { languages } = vscode;
  const parts = new LinkedParts(services);
  const providers = new PartProviders(parts);
  const updates = new PartUpdates(services, parts);
  const handlers = {
    'mailing.parts.extract': (argument) => extractPart(services, parts, argument),
    'mailing.parts.update': () => updates.review(),
    'mailing.parts.applyUpdate': () => updates.apply(),
    'mailing.parts.compareUpdate': () => updates.compare(),
  } satisfies CommandHandlers;
  const all = vscode.Disposable.from(
    parts,
    updates,
    new LinkedRegions(parts),
    languages.registerCodeLensProvider('html', providers),
    languages.registerDefinitionProvider('html', providers),
    languages.registerReferenceProvider('html', providers),
    languages.registerRenameProvider('html', providers),
    languages.registerCompletionItemProvider('html', providers, ':', ' '),
    languages.registerFoldingRangeProvider('html', providers),
    languages.registerDocumentSymbolProvider('html', providers, { label: 'Mailing Studio' }),
  );
  return { handlers, dispose: () => all.dispose() };
}
