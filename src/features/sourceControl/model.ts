import * as vscode from 'vscode';
import type { RecordRef, ServiceRef } from '../../platform/connections/model.ts';
import type { AnyKind, AnyRecord } from '../../platform/documents/model.ts';
import type { RecordSource } from '../../platform/documents/recordCommands.ts';
import type { FieldTexts } from '../../sync/fields/fields.ts';
import { mappingName } from '../../sync/paths.ts';

/** Workspace state key of the build tool that the mapping offer was shown for. */
export const MAPPING_OFFERED_KEY = 'mailing.folders.offered';

/** A record type that can be mapped to folders. */
export interface MappedKind {
  readonly kind: AnyKind;
  readonly picking: RecordSource;
  /** Returns the texts of a record that a folder manages. */
  readonly readTexts: (record: AnyRecord) => FieldTexts;
  /**
   * Creates a record on a service. Never retries.
   * @param onFound is called if the response was lost and a later check finds the record
   * @returns undefined if the outcome is unconfirmed; the user is notified
   * @throws if the service refused the request
   */
  create(
    service: ServiceRef,
    name: string,
    texts: FieldTexts,
    onFound: (ref: RecordRef) => unknown,
  ): Promise<RecordRef | undefined>;
}

/** Returns whether a workspace folder has a `mailing.json`. */
export function isMapped(root: vscode.Uri): Thenable<boolean> {
  return exists(vscode.Uri.joinPath(root, mappingName));
}

export function exists(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** Returns the workspace folders that can be mapped, which excludes mounted services. */
export function mappableRoots(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme !== 'mailing');
}
