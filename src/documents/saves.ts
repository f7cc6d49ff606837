import type { ApiError, ApiErrorKind } from '../api/errors.ts';
import { inMessage } from '../ui/text.ts';
import type { AnyKind, AnyRecord, Fields, DocumentAddress, RecordAddress } from './model.ts';
import type { OpenDocument, WriteBase } from './openDocument.ts';
import { sameValue, withMarkOf } from './text.ts';

/** A save that waits for its record's turn. */
export interface PendingSave {
  readonly document: OpenDocument;
  readonly address: DocumentAddress;
  readonly text: string;
  readonly fields: Fields;
  readonly base: WriteBase;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Why a document was not stored, or not seen to be. Its text stays in its tab. */
export class NotStored extends Error {
  readonly reason: 'failed' | 'gone' | 'readOnly';
  constructor(message: string, reason: 'failed' | 'gone' | 'readOnly' = 'failed') {
    super(message);
    this.reason = reason;
  }
}

/** What an update is to send: the fields that differ from the record's. */
export function changedFields(saves: readonly PendingSave[], before: AnyRecord, kind: AnyKind): Fields {
  const fields = saves.flatMap((save) => Object.entries(save.fields));
  const differing = fields.filter(([name, value]) => !sameValue(value, kind.field(before, name)));
  return Object.fromEntries(differing.map(([name, value]) => [name, withMarkOf(value, kind.field(before, name))]));
}

/** Two tabs of one document, under an old name and a new one, whose texts differ: the second is compared with what the first stored. */
export function clash(one: PendingSave, other: PendingSave): boolean {
  return Object.entries(one.fields).some(([name, value]) => name in other.fields && !sameValue(value, other.fields[name]));
}

/** The fields that the service does not hold as they were sent. */
export interface Differences {
  /** Still as they were before. */
  readonly ignored: readonly string[];
  /** As neither side knew them. */
  readonly foreign: readonly string[];
}

export function differences({ kind }: RecordAddress, fields: Fields, before: AnyRecord, after: AnyRecord): Differences {
  const differing = Object.keys(fields).filter((name) => !sameValue(fields[name], kind.field(after, name)));
  const isIgnored = (name: string): boolean => sameValue(kind.field(before, name), kind.field(after, name));
  return { ignored: differing.filter(isIgnored), foreign: differing.filter((name) => !isIgnored(name)) };
}

const causes: Readonly<Partial<Record<ApiErrorKind, string>>> = {
  timeout: 'The service did not answer in time',
  network: 'The connection was lost',
  notJson: 'The answer was not that of a mailing service',
};

/** Why it was not known whether a record was stored. */
export function causeOf({ kind, status, serverMessage }: ApiError): string {
  const said = status === undefined ? '' : ` (HTTP ${status}${serverMessage === undefined ? '' : `: ${inMessage(serverMessage)}`})`;
  return `${causes[kind] ?? 'The service failed'}${said}`;
}
