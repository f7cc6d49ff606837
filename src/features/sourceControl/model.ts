import * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import type { RecordRef } from '../../platform/connections/record.ts';
import type { Documents } from '../../platform/documents/documents.ts';
import type { AnyKind } from '../../platform/documents/model.ts';
import type { RecordSource } from '../../platform/documents/recordCommands.ts';
import type { Previews } from '../../platform/preview/host/activeEditorPreviews.ts';
import type { CommandHost } from '../../platform/ui/commands.ts';
import type { MailWorker } from '../../platform/worker/index.ts';
import type { FieldTexts } from './fields.ts';
import { lockName, mappingName } from './paths.ts';
import type { FolderLayout } from './templateFolder.ts';

export { lockName, mappingName };

/** Where the workspace's state keeps which tool's emails were offered to be mapped: it is asked once. */
export const MAPPING_OFFERED_KEY = 'mailing.folders.offered';

/** A noun whose records can be mapped to folders. */
export interface MappedKind {
  readonly kind: AnyKind;
  readonly layout: FolderLayout;
  readonly picking: RecordSource;
  /**
   * Makes a record on a service, once.
   * @param found is called where the answer was lost, and the record is seen only when the user looks again
   * @returns undefined where it is not known whether it was made: that is told
   * @throws where the service refused it
   */
  create(
    connection: string,
    name: string,
    texts: FieldTexts,
    found: (ref: RecordRef) => unknown,
  ): Promise<RecordRef | undefined>;
}

/** What is needed of the rest of the extension. */
export interface FolderServices extends CommandHost {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly documents: Documents;
  readonly previews: Previews;
  readonly worker: () => Promise<MailWorker>;
}

/** Whether a workspace folder has a mapping. */
export function isMapped(root: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(vscode.Uri.joinPath(root, mappingName)).then(
    () => true,
    () => false,
  );
}

/** The workspace folders that can be mapped: those that are a service themselves are not. */
export function mappableRoots(folders: readonly vscode.WorkspaceFolder[] | undefined): readonly vscode.Uri[] {
  return (folders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme !== 'mailing');
}
