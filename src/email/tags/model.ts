/** A part of an email: the service replaces not every tag in each. */
export type TagLocation = 'body' | 'subject' | 'preheader' | 'headers';

/** Where a family's value comes from. */
export type ValueSource =
  'subscriber' | 'account' | 'date' | 'list' | 'mail' | 'automail' | 'choice' | 'translation' | 'site' | 'example';

/** What the service looks up a tag's id in, beyond the ids of its table. */
export type IdSource = 'customFields' | 'dateFormat' | 'choices' | 'translations' | 'anything';

export interface TagId {
  readonly id: string;
  readonly title: string;
  /** What typically comes out. */
  readonly example: string;
  /** What the value is, where it is no plain text. */
  readonly type?: 'date' | 'number';
}

export interface TagParameter {
  readonly name: string;
  readonly title: string;
  /** Values to offer, with what each does; none: the parameter stands alone; undefined: any text. */
  readonly values?: readonly { readonly value: string; readonly title: string }[];
  /** Whether the name stands alone, takes a value, or may do either. */
  readonly value: 'never' | 'always' | 'maybe';
  /** How it is written, for the table of the documentation. */
  readonly example: string;
}

export interface TagFamily {
  readonly name: string;
  /** Other names of the same family. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly about: string;
  readonly ids: readonly TagId[];
  readonly idSources: readonly IdSource[];
  readonly idsIgnoreCase: boolean;
  /** Names of the parameters that act on this family. */
  readonly parameters: readonly string[];
  readonly source: ValueSource;
  readonly where: readonly TagLocation[];
  /** A whole tag, as one would write it. */
  readonly example: string;
  readonly exampleOutput: string;
}

export interface TagPair {
  readonly name: string;
  /** Pairs of one group may close each other. */
  readonly group: string;
  readonly title: string;
  readonly about: string;
  /** The text that is offered between the halves. */
  readonly text: string;
  readonly parameters: readonly string[];
  /** What the service's link does; undefined: the pair stands for its own content. */
  readonly task?: string;
  readonly where: readonly TagLocation[];
}

export interface TagOperator {
  readonly sign: string;
  readonly title: string;
}

export interface TagConditions {
  readonly name: string;
  readonly about: string;
  readonly operators: readonly TagOperator[];
  /** How many may stand within each other. */
  readonly levels: number;
  readonly where: readonly TagLocation[];
  readonly example: string;
}

/** One pass of the service over the text. */
export type TagStep =
  | { readonly kind: 'pairs'; readonly group: string }
  | { readonly kind: 'family'; readonly family: string }
  | { readonly kind: 'extensionMarks' }
  | { readonly kind: 'conditions' };

/** The language of merge tags of one service, as data. */
export interface TagLanguage {
  readonly name: string;
  readonly families: readonly TagFamily[];
  readonly pairs: readonly TagPair[];
  readonly parameters: readonly TagParameter[];
  readonly conditions?: TagConditions;
  /** The passes of the service, in their order. */
  readonly steps: readonly TagStep[];
  /** What the site's own words are, by their keys. */
  readonly translations: Readonly<Record<string, string>>;
}

export interface CustomField {
  /** Its name in tags. */
  readonly namekey: string;
  /** Its name in conditions. */
  readonly label: string;
  readonly type?: string;
  /** Whether the namekey is not known for sure. */
  readonly isGuessed?: boolean;
}

export interface FieldValue extends CustomField {
  readonly value: string;
  /** What the choices of a field are called, by their values. */
  readonly titles?: Readonly<Record<string, string>>;
}

/** A subscriber; id 0: nobody who is stored. Further columns of the service's table of subscribers may stand beside these. */
export interface Person {
  readonly id?: number;
  readonly name?: string;
  readonly email?: string;
  readonly fields?: readonly FieldValue[];
  readonly [column: string]: unknown;
}

export interface MailData {
  readonly id?: number | string;
  readonly campaignId?: number | string;
  readonly subject?: string;
  readonly name?: string;
  /** Ids of the lists it goes to. */
  readonly lists?: readonly (number | string)[];
  readonly [field: string]: unknown;
}

export interface SiteData {
  readonly name?: string;
  readonly address?: string;
  readonly language?: string;
}

/** An account of the site. */
export interface AccountData {
  readonly name?: string;
  readonly email?: string;
  readonly login?: string;
}

/** A list that the person is on. */
export interface ListData {
  readonly id?: number | string;
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly owner?: AccountData;
}

/** Whom an email goes to, and all that its tags may ask for. */
export interface Rendering {
  readonly where: TagLocation;
  readonly person: Person;
  readonly now: Date;
  readonly mail?: MailData;
  readonly site?: SiteData;
  readonly sender?: AccountData;
  readonly lists?: readonly ListData[];
  /** The address of a link the service makes, such as `unsubscribe` or `subscribe lists=11,12`. */
  link(task: string): string;
  /** One of the choices of a `{rand:…}`. Default: the first. */
  pick?(choices: string[]): string;
  /** Whether what stands in a condition is shown, in place of what it comes to for the person. */
  decide?(condition: string, shown: boolean): boolean;
}

/** A stretch of the output, and what of the source it comes from. UTF-16 offsets. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly sourceStart: number;
  readonly sourceEnd: number;
  /** `text`: copied letter by letter; `tag`: put there for a tag. */
  readonly kind: 'text' | 'tag';
}

export interface Rendered {
  readonly text: string;
  /** They cover the output without gaps, in its order. */
  readonly pieces: readonly Piece[];
}

/** A replacement in a text. UTF-16 offsets. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface TagParam extends TextRange {
  readonly name: string;
  /** True: it stands alone. */
  readonly value: string | true;
}

/** A stretch of a text. UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A tag as it stands in a text, or one half of a pair or a condition. `value`: `{family:id}`; `open` and `close`: halves of a pair; `if`
 * and
 * `endIf`: halves of a condition; `unknown`: looks like a tag, and is none of the language.
 */
export interface Tag extends TextRange {
  readonly kind: 'value' | 'open' | 'close' | 'if' | 'endIf' | 'unknown';
  /** The name in the language's table; of an unknown one, as written. */
  readonly family: string;
  /** The name as written. */
  readonly name: string;
  readonly nameRange: TextRange;
  /** As the service reads it; of a condition, the condition. */
  readonly id: string;
  readonly idRange: TextRange;
  readonly params: readonly TagParam[];
  /** Whether the closing brace is there. */
  readonly isClosed: boolean;
  /** Whether braces are percent-encoded, as in addresses. */
  readonly isEncoded: boolean;
  /** Of halves: the index of the other half in the result; undefined: there is none. */
  readonly partner?: number;
  /** Of conditions: 1 for an outer one, 2 for one within it, and so on. */
  readonly level?: number;
}
