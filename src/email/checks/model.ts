import type { CustomField, TagLanguage } from '../tags/index.ts';

/** An email as it is edited, by the API document's names. What is absent is not known, and not checked. */
export interface Email {
  /** A fragment, or a whole document. */
  readonly body: string;
  readonly stylesheet?: string;
  readonly subject?: string;
  readonly preheader?: string;
  /** What is added to the email's head. */
  readonly headers?: string;
  readonly fromEmail?: string;
}

export type Severity = 'error' | 'warning' | 'info' | 'hint';
export type EmailPart = 'body' | 'stylesheet' | 'details';
/** Which text of the details an offset counts in. */
export type DetailsField = 'subject' | 'preheader' | 'headers' | 'fromEmail';

/** A half-open range in UTF-16 units of a part's text; in `details`, of the text of the one field that is named. */
export interface PartRange {
  readonly part: EmailPart;
  readonly start: number;
  readonly end: number;
  readonly field?: DetailsField;
}

export interface PartEdit extends PartRange {
  readonly text: string;
}

/** Edits that belong together. None touches another. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly PartEdit[];
}

export interface Finding extends PartRange {
  /** The rule's id: a number as text. */
  readonly rule: string;
  readonly severity: Severity;
  /** One or two sentences for people. */
  readonly message: string;
  /** Names of the clients concerned, where it is not all of them. */
  readonly clients?: readonly string[];
  /** The page that explains it. */
  readonly url?: string;
  /** Where else the same is the matter, or what it is the matter with. */
  readonly related?: readonly PartRange[];
  readonly fixes?: readonly Fix[];
  /** Its fix needs no decision. */
  readonly isMechanical?: boolean;
  /** The service takes it out, so that no reader ever gets it. */
  readonly unnecessary?: boolean;
}

export interface CheckOptions {
  /** Names or ids of the families of clients that count; see `clients.ts`. */
  readonly clients?: readonly string[];
  /** By id or name of the rule: another severity, or none. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /** The service's profile: what only `acymailing` does is checked only there. */
  readonly profile?: string;
  /** The tags of the service; those of the profile where it is left out. Without either, tags are not checked. */
  readonly language?: TagLanguage;
  /** Fields of the service's subscribers, as far as they were seen: tags may name them. */
  readonly fields?: readonly CustomField[];
  /** Share of the opens, 0 to 1, by names or ids of the families of clients: findings then say it. */
  readonly shares?: Readonly<Record<string, number>>;
  /** Whether the installation takes a stylesheet; absent where that is not known. */
  readonly supportsStylesheet?: boolean;
}

/** What a rule finds: the first place is where it shows. */
export interface RuleFinding {
  readonly ranges: readonly PartRange[];
  readonly message: string;
  readonly clients?: readonly string[];
  readonly url?: string;
  /** Where it is not the rule's own. */
  readonly severity?: Severity;
  readonly fixes?: readonly Fix[];
}
