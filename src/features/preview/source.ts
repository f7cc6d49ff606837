import * as v from 'valibot';
import * as vscode from 'vscode';
import { outboxScheme } from '../../platform/connections/sandbox.ts';
import { toSingleLine } from '../../service/text.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import type { Row } from '../../service/client/shapes.ts';
import type { Range } from '../../email/html/text.ts';
import type { Email, Sent, SentOptions } from '../../email/sent/index.ts';

/** Composes the sent version of an email in a worker thread. */
export type Compose = (email: Email, options: SentOptions) => Promise<Sent>;

/** The dependencies of every preview. */
export interface PreviewServices {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  readonly compose: Compose;
}

/** The documents that a preview shows: those of one record, or a local file. */
export interface PreviewSource {
  readonly title: string;
  /** The body document. It identifies the preview. */
  readonly body: vscode.Uri;
  /** The connection that a local file is mapped to. */
  readonly connection?: string;
  /** Returns the text that is shown for that of the body; undefined for the body alone. */
  readonly embed?: (body: string) => Promise<EmbeddedBody | undefined>;
  /** The folder that relative addresses refer to. Defaults to the folder of the body. */
  readonly folder?: vscode.Uri | undefined;
  /** The folder that local pictures may be loaded from. Defaults to the one above. */
  readonly root?: vscode.Uri;
  /** The stylesheet document, if the record has one. */
  readonly stylesheet?: vscode.Uri;
  /** The document with subject, preheader, sender and headers. */
  readonly details?: vscode.Uri;
  /** It has a preview of its own, which doesn't follow the active editor. */
  readonly message?: ReceivedMessage;
  /** Returns the record as last read. */
  readonly readRecord?: () => Promise<Row | undefined>;
}

/** A text, and the range in it that comes from the body. */
export interface EmbeddedBody extends Range {
  readonly text: string;
}

/** A message that the sandbox sent, as its recipient got it: there is nothing to compose, and nothing to edit. */
export type ReceivedMessage = v.InferOutput<typeof messageSchema>;

const messageSchema = v.object({
  envelope: v.object({ subject: v.string(), preheader: v.string(), from_name: v.string(), from_email: v.string() }),
  to: v.string(),
  /** The plain-text part. */
  text: v.string(),
});

/** The suffixes of a record's documents that make up an email. */
export interface MailParts {
  readonly body: string;
  readonly stylesheet?: string;
  readonly details: string;
}

const remoteSources = ['https:', 'http:'];

/** The page of previews and comparisons, and what it may load. */
export const previewPage = {
  page: 'preview',
  policy: { images: remoteSources, styles: remoteSources, fonts: ['data:', ...remoteSources] },
} as const;

/** Returns the preview source of a local file, or undefined if it isn't HTML. */
export function getLocalSource(body: vscode.Uri): PreviewSource | undefined {
  // Documents of a service are resolved by their feature, which knows the record's other documents.
  if (body.scheme === 'mailing') return undefined;
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === body.toString());
  if (!/\.html?$/i.test(body.path) && open?.languageId !== 'html') return undefined;
  return { title: body.path.slice(body.path.lastIndexOf('/') + 1), body };
}

/** Returns the preview source of a message in the sandbox's outbox, or undefined if it isn't there. */
export async function getMessageSource(body: vscode.Uri): Promise<PreviewSource | undefined> {
  if (body.scheme !== outboxScheme || !body.path.endsWith('.html')) return undefined;
  const uri = body.with({ path: body.path.replace(/html$/u, 'json') });
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const message = v.parse(messageSchema, JSON.parse(document.getText()));
    return { title: toSingleLine(message.envelope.subject, 80), body, message };
  } catch {
    return undefined;
  }
}

/** Returns the folder that relative addresses of a body refer to, or undefined if it has none. */
export function getFolder(body: vscode.Uri): vscode.Uri | undefined {
  return ['mailing', 'untitled', outboxScheme].includes(body.scheme) ? undefined : vscode.Uri.joinPath(body, '..');
}

/** Returns a folder's address in a page, which ends in a slash. */
export const toWebviewFolder = (webview: vscode.Webview, folder: vscode.Uri): string =>
  `${webview.asWebviewUri(folder).toString().replace(/\/$/u, '')}/`;

/** The problems of an email. */
export interface MailProblems {
  readonly errors: number;
  readonly warnings: number;
  /** The first of the most severe problems. */
  readonly first: vscode.Location;
}
