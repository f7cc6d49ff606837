import type * as vscode from 'vscode';
import type { Envelope } from '../../../email/compose/compose.ts';

/** What a preview shows: documents of one record, or a local file. */
export interface PreviewSource {
  readonly title: string;
  /** The document that holds the HTML of the body. It identifies the preview: one panel for each. */
  readonly body: vscode.Uri;
  /** The folder that its pictures may be in, for an email of local files. Its own folder, where none is given. */
  readonly root?: vscode.Uri;
  /** The document that holds the stylesheet, where the record has one. */
  readonly stylesheet?: vscode.Uri;
  /** The document that holds subject, preheader, sender and headers, and how to read it: must not throw on half-typed text. */
  readonly details?: {
    readonly uri: vscode.Uri;
    readEnvelope(text: string): Envelope;
    readHeaders(text: string): string;
  };
}
