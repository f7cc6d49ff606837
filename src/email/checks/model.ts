import { t } from '../../l10n.ts';
import type { Range, TextEdit } from '../html/text.ts';
import type { Email as StoredEmail, SentOptions } from '../sent/model.ts';
import type { CustomField, TagLanguage } from '../tags/index.ts';

/** The editable parts of an email, named as in the API. Absent parts are not checked. */
export interface Email extends StoredEmail {
  readonly fromEmail?: string;
}

/** The most severe first. */
export const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;
export type Severity = (typeof SEVERITIES)[number];
export type EmailPart = 'body' | 'stylesheet' | 'details';
/** The details field that an offset refers to. */
export type DetailsField = 'subject' | 'preheader' | 'headers' | 'fromEmail';

/** A half-open range in UTF-16 units of a part's text; in `details`, of the given field's text. */
export interface PartRange {
  readonly part: EmailPart;
  readonly start: number;
  readonly end: number;
  readonly field?: DetailsField;
}

export interface PartEdit extends PartRange {
  readonly text: string;
}

/** Edits that are applied together and don't touch each other. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly PartEdit[];
}

export interface Finding extends PartRange {
  /** The rule's id: a number as text, or `name` if it has none. */
  readonly rule: string;
  /** The rule's name, which settings and comments use. */
  readonly name: string;
  readonly severity: Severity;
  readonly message: string;
  /** Names of the affected clients; undefined if all clients are affected. */
  readonly clients?: readonly string[];
  /** Page that explains the problem. */
  readonly url?: string;
  /** Other ranges with the same problem, or ranges that cause it. */
  readonly related?: readonly PartRange[];
  readonly fixes?: readonly Fix[];
  /** Whether the fix needs no decision. */
  readonly isMechanical?: boolean;
  /** Whether the service removes this code, so that no recipient gets it. */
  readonly unnecessary?: boolean;
  /** Whether its offsets are those of the file, which has no public addresses of images. */
  readonly isOfFile?: boolean;
}

/** A finding of a rule about linked parts, in the body's file. */
export interface LinkedPartFinding extends Range {
  /** The rule's name. */
  readonly rule: string;
  readonly message: string;
  readonly fixes: readonly { readonly title: string; readonly edits: readonly TextEdit[] }[];
}

export interface CheckOptions {
  /** Names or ids of the client families to check; see `clients.ts`. */
  readonly clients?: readonly string[];
  /** Severity overrides by rule id or name. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /** The service's profile; some rules apply to `acymailing` only. */
  readonly profile?: string;
  /** The service's tag language; defaults to that of the profile. Without either, tags are not checked. */
  readonly language?: TagLanguage;
  /** Subscriber fields that the service has returned so far: tags may use them. */
  readonly fields?: readonly CustomField[];
  /** Share of opens, 0 to 1, by names or ids of client families; added to messages. */
  readonly shares?: Readonly<Record<string, number>>;
  /** The site's own stylesheet for emails of its visual editor, and its content management system (`SentOptions`). */
  readonly editorStylesheet?: string | undefined;
  readonly cms?: SentOptions['cms'] | undefined;
  /** Checks the linked parts in a body, or in the file that it was read from. */
  readonly checkParts?: (body: string) => readonly LinkedPartFinding[];
  /** Whether recipients are about to get the email: what is left of a draft is a warning then. */
  readonly isForSending?: boolean;
  /** Whether the installation stores stylesheets; absent if undetermined. */
  readonly supportsStylesheet?: boolean;
}

/** The result of checking an email. */
export interface CheckResult {
  readonly findings: readonly Finding[];
  /** Size of the sent email; undefined if the email could not be checked, or if styles that the service adds are unknown. */
  readonly bytes?: number;
}

/** Returns a fix that inserts a comment to disable a finding's rule in the whole email. */
export function createIgnoreFix({ body }: Pick<Email, 'body'>, { name }: Pick<Finding, 'name'>): Fix {
  // Content before the doctype would put browsers and some clients into quirks mode.
  const start = /^\s*<!doctype[^>]*>/iu.exec(body)?.[0].length ?? 0;
  const comment = `<!-- mailing-ignore ${name} -->`;
  const text = start > 0 ? `\n${comment}` : `${comment}\n`;
  return { title: t`Ignore rule "${name}" in this email`, edits: [{ part: 'body', start, end: start, text }] };
}

/** The rule id of a finding that reports a failure of the checks themselves. */
export const NOT_CHECKED_RULE = 'not-checked';

/** Reports a failure as a finding at the start of the body, so that missing findings are not mistaken for a clean email. */
export const createFailure = ({ body }: Pick<Email, 'body'>, name: string, message: string): CheckResult => ({
  findings: [{ rule: name, name, severity: 'warning', part: 'body', start: 0, end: Math.min(1, body.length), message }],
});
