import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { readEnvelope } from '../../email/compose/compose.ts';
import type { Documents } from '../../platform/documents/documents.ts';
import { parseArgument } from '../../platform/documents/recordCommands.ts';
import { findMailDocuments } from '../language/mailDocuments.ts';
import type { Explorer } from '../../platform/explorer/explorer.ts';
import { getActiveEditorUris } from '../../platform/documents/unsaved.ts';
import type { Previews } from '../preview/activeEditorPreviews.ts';
import type { PreviewSource } from '../preview/source.ts';
import { readDocumentText } from '../sending/testSend/testMessage.ts';
import { type CommandArgument, type CommandHandlers, getFields } from '../../ui/commands.ts';
import { toSingleLine } from '../../service/text.ts';
import { chooseRecord, type RecordPickServices } from '../../platform/documents/chooseRecord.ts';

export interface RecordCommandServices extends RecordPickServices {
  readonly documents: Documents;
  readonly explorer: Explorer;
  readonly previews: Previews;
}

/** Handlers of the commands that apply to records of all types. Without an argument, they use the active or selected record. */
export function createHandlers(services: RecordCommandServices) {
  const { explorer } = services;
  return {
    'mailing.record.open': async (argument) => {
      const chosen = await chooseRecord(services, argument, t('Open'), 'open');
      return chosen?.collection.open(chosen.ref, getFields(argument)['preview'] === true);
    },
    'mailing.record.duplicate': async (argument) => {
      const chosen = await chooseRecord(services, findTarget(services, argument), t('Duplicate'), 'duplicate');
      return chosen?.collection.duplicate(chosen.ref, chosen.argument);
    },
    // The active editor names no record to delete, because the user may think of another one.
    'mailing.record.delete': async (argument) => {
      // The Delete key applies to all nodes of the tree.
      const kind = getFields(argument)['kind'];
      if (kind !== undefined && kind !== 'record') {
        vscode.window.setStatusBarMessage(t('The Delete key does nothing here.'), 3000);
        return undefined;
      }
      const chosen = await chooseRecord(services, argument ?? explorer.selectedRecord, t('Delete'), 'delete');
      return chosen?.collection.delete(chosen.ref);
    },
    'mailing.preview': (argument) => openPreview(services, argument),
  } satisfies CommandHandlers;
}

/** Opens the preview of a document or record. Returns its body, and its record if it has one. */
async function openPreview(
  services: RecordCommandServices,
  argument: CommandArgument,
): Promise<{ readonly uri: vscode.Uri } | undefined> {
  const { previews } = services;
  const source = await findSource();
  if (source === undefined) return undefined;
  await previews.show(source);
  const { connection, id } = parseArgument(source.body);
  return { uri: source.body, ...(id !== undefined && { connection, id }) };

  async function findSource() {
    if (argument instanceof vscode.Uri) return previews.require(argument);
    for (const document of argument === undefined ? getActiveEditorUris() : []) {
      const found = await previews.resolve(document);
      if (found !== undefined) return found;
    }
    const chosen = await chooseRecord(services, findTarget(services, argument), t('Open Preview'), 'findBody');
    const body = await chosen?.collection.findBody(chosen.ref, chosen.argument);
    return body && previews.require(body);
  }
}

/** Returns the record to use without an argument: the active or selected one. The active editor may show a local file, which is no record. */
const findTarget = ({ previews, explorer }: RecordCommandServices, argument: CommandArgument): CommandArgument =>
  argument ?? [previews.activeDocument, explorer.selectedRecord].find((each) => parseArgument(each).id !== undefined);

/** Returns the preview source of a document of an email; undefined for any other document. */
export async function findRecordSource(
  { documents }: RecordCommandServices,
  uri: vscode.Uri,
): Promise<PreviewSource | undefined> {
  const [uris, address] = [findMailDocuments(documents, uri)?.uris, documents.find(uri)];
  if (uris === undefined || address === undefined) return undefined;
  const { kind, part } = address;
  const [, name = ''] = /([^/]*)\.html$/u.exec(uris.body.path) ?? [];
  return {
    ...uris,
    title: (part.file !== undefined && (await readSubject(uris.details))) || name,
    readRecord: async () => (await documents.getRecord(kind.collection, address)).lastRead,
  };
}

/** Returns the subject in a details document. Empty if the document can't be read, which the preview reports. */
async function readSubject(details: vscode.Uri | undefined) {
  try {
    return details === undefined ? '' : toSingleLine(readEnvelope(await readDocumentText(details)).subject, 80);
  } catch {
    return '';
  }
}
