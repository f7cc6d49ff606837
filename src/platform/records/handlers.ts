import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import { parseArgument } from '../documents/recordCommands.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { getActiveEditorUris } from '../documents/unsaved.ts';
import type { Previews } from '../preview/host/activeEditorPreviews.ts';
import { getRecordSource, type PreviewSource } from '../preview/host/source.ts';
import { type CommandArgument, type CommandHandler, getFields } from '../ui/commands.ts';
import { chooseRecord, type RecordPickServices } from './chooseRecord.ts';

export interface RecordCommandServices extends RecordPickServices {
  readonly documents: Documents;
  readonly explorer: Explorer;
  readonly previews: Previews;
}

export type Handlers = Readonly<Record<'open' | 'duplicate' | 'delete' | 'preview', CommandHandler>>;

/** Handlers of the commands that apply to records of all types. Without an argument, they use the active or selected record. */
export function createHandlers(services: RecordCommandServices): Handlers {
  const { explorer, previews } = services;
  return {
    open: async (argument) => {
      const chosen = await chooseRecord(services, argument, l10n.t('Open'), 'open');
      return chosen?.collection.open(chosen.ref, getFields(argument)['preview'] === true);
    },
    duplicate: async (argument) => {
      // The active editor may show a local file, which names no record.
      const implied = [previews.activeDocument, explorer.selectedRecord];
      const target = argument ?? implied.find((each) => parseArgument(each).id !== undefined);
      const chosen = await chooseRecord(services, target, l10n.t('Duplicate'), 'duplicate');
      return chosen?.collection.duplicate(chosen.ref);
    },
    // The active editor names no record to delete, because the user may think of another one.
    delete: async (argument) => {
      // The Delete key applies to all nodes of the tree.
      const kind = getFields(argument)['kind'];
      if (kind !== undefined && kind !== 'record') {
        vscode.window.setStatusBarMessage(l10n.t('The Delete key does nothing here.'), 3000);
        return undefined;
      }
      const chosen = await chooseRecord(services, argument ?? explorer.selectedRecord, l10n.t('Delete'), 'delete');
      return chosen?.collection.delete(chosen.ref);
    },
    preview: (argument) => openPreview(services, argument),
  };
}

/** Opens the preview of a document or record. Returns its body, and its record if it has one. */
async function openPreview(
  services: RecordCommandServices,
  argument: CommandArgument,
): Promise<{ readonly uri: vscode.Uri } | undefined> {
  const { documents, explorer, previews } = services;
  const source = await findSource();
  if (source === undefined) return undefined;
  await previews.show(source);
  const { connection, id } = parseArgument(source.body);
  return { uri: source.body, ...(id !== undefined && { connection, id }) };

  async function findSource(): Promise<PreviewSource | undefined> {
    if (argument instanceof vscode.Uri) return previews.require(argument);
    for (const document of argument === undefined ? getActiveEditorUris() : []) {
      const found = await previews.resolve(document);
      if (found !== undefined) return found;
    }
    const chosen = await chooseRecord(
      services,
      argument ?? explorer.selectedRecord,
      l10n.t('Open Preview'),
      'mailParts',
    );
    if (chosen === undefined) return undefined;
    const { collection, mailParts } = chosen.collection;
    return getRecordSource(
      documents,
      collection,
      mailParts,
      await documents.resolveUri(collection, chosen.ref, mailParts.body),
    );
  }
}

/** Returns the preview source of a record's document; undefined if it belongs to no email. */
export function findRecordSource(
  { documents, records }: RecordCommandServices,
  uri: vscode.Uri,
): PreviewSource | undefined {
  const name = documents.find(uri)?.kind.collection;
  const parts = records.find(({ collection }) => collection === name)?.mailParts;
  return name === undefined || parts === undefined ? undefined : getRecordSource(documents, name, parts, uri);
}
