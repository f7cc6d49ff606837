import type * as vscode from 'vscode';
import type { Envelope } from '../../../email/compose/compose.ts';

/** The documents that a preview shows: those of one record, or a local file. */
export interface PreviewSource {
  readonly title: string;
  /** The body document. It identifies the preview. */
  readonly body: vscode.Uri;
  /** The folder that local pictures may be loaded from. Defaults to the folder of the body. */
  readonly root?: vscode.Uri;
  /** The stylesheet document, if the record has one. */
  readonly stylesheet?: vscode.Uri;
  /** The document with subject, preheader, sender and headers. Its readers must not throw on incomplete text. */
  readonly details?: {
    readonly uri: vscode.Uri;
    readEnvelope(text: string): Envelope;
    readHeaders(text: string): string;
  };
}
