/** A replacement in a document. UTF-16 offsets. */
export interface FindingEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly FindingEdit[];
}

/** What is wrong with a document, and how to mend it: whichever room found it. UTF-16 offsets of the document. */
export interface Finding {
  /** The rule that it breaks: the same word in every message, setting and page about it. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly start: number;
  readonly end: number;
  readonly message: string;
  /** A page that says more. */
  readonly url?: string;
  readonly fixes: readonly Fix[];
}

/** What a room looks for in a document. */
export interface Finder<Document> {
  find(document: Document): readonly Finding[];
}
