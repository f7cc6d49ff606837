import type { Range } from '../html/text.ts';

/** A part of an email. Each tag is replaced in some parts only. */
export type TagLocation = 'body' | 'subject' | 'preheader' | 'headers';

/** Where a family's value comes from. */
type ValueSource =
  | 'subscriber'
  | 'account'
  | 'date'
  | 'list'
  | 'mail'
  | 'automail'
  | 'choice'
  | 'translation'
  | 'site'
  | 'example'
  | 'content';

/** What a content tag inserts: an item by its ID, a list of items, or a value. */
export type ContentForm = 'item' | 'list' | 'value';

/** A field of a family, a suggested value of a parameter, or an operator of conditions. */
export interface TagChoice {
  /** As written in a tag. */
  readonly id: string;
  readonly title: string;
  /** Typical output of a field of a user-defined family. */
  readonly example?: string;
}

export interface TagParameter {
  readonly name: string;
  readonly title: string;
  /** Suggested values. */
  readonly values: readonly TagChoice[];
  readonly needsValue: boolean;
  /** As written in a tag, for the documentation. */
  readonly example: string;
  /** Whether the form of the site's editor leaves it out. */
  readonly isExtra?: boolean;
}

/** What families, pairs and conditions have in common. */
interface TagDefinition {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Names of the parameters that affect the tag. */
  readonly parameters: readonly string[];
  /** Its own parameters, in the order of the site's editor, if it doesn't use those of the language. */
  readonly own?: readonly TagParameter[];
  readonly where: readonly TagLocation[];
}

export interface TagFamily extends TagDefinition {
  /** Other names of the same family. */
  readonly aliases: readonly string[];
  readonly ids: readonly TagChoice[];
  readonly source: ValueSource;
  /** For source `content`. */
  readonly form?: ContentForm;
  /** A complete tag. */
  readonly example: string;
  readonly exampleOutput: string;
}

export interface TagPair extends TagDefinition {
  /** Pairs of a group can close each other. */
  readonly group: string;
  /** Suggested content. */
  readonly text: string;
  /** The action of the service's link. Undefined: the pair outputs its own content. */
  readonly task: string | undefined;
}

export interface TagConditions extends TagDefinition {
  readonly operators: readonly TagChoice[];
  /** Maximum nesting. */
  readonly levels: number;
  readonly example: string;
}

/** A pass of the service over the text. */
export type TagStep =
  | { readonly kind: 'pairs'; readonly group: string }
  | { readonly kind: 'family'; readonly family: string }
  | { readonly kind: 'content' }
  | { readonly kind: 'extensionMarks' }
  | { readonly kind: 'conditions' };

/** The merge tags of a service, as data. */
export interface TagLanguage {
  readonly name: string;
  readonly families: readonly TagFamily[];
  readonly pairs: readonly TagPair[];
  readonly parameters: readonly TagParameter[];
  readonly conditions?: TagConditions;
  /** The passes in the service's order. */
  readonly steps: readonly TagStep[];
  /** The site's texts by key. */
  readonly translations: Readonly<Record<string, string>>;
}

export interface CustomField {
  /** Its name in tags. */
  readonly namekey: string;
  /** Its name in conditions. */
  readonly label: string;
  readonly type?: string;
  /** Whether the namekey is derived from the label. */
  readonly isGuessed?: boolean;
}

export interface FieldValue extends CustomField {
  readonly value: string;
  /** Titles of the field's choices by value. */
  readonly titles?: Readonly<Record<string, string>>;
}

/** A subscriber. Id 0: not stored. May have further columns of the service's subscriber table. */
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
  /** Ids of the email's lists. */
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

/** A post or page of the site, as plain text. */
export interface SitePost {
  readonly title: string;
  readonly text: string;
  readonly link: string;
  /** Empty if it has no picture. */
  readonly image: string;
}

/** Posts by their path in the site's public API: `posts/12`, `pages/3`, or `posts` for the newest. */
export type SitePosts = Readonly<Record<string, readonly SitePost[]>>;

/** The recipient of an email and all other values that tags use. */
export interface Rendering {
  readonly where: TagLocation;
  readonly person: Person;
  readonly now: Date;
  readonly mail?: MailData;
  readonly site?: SiteData;
  readonly sender?: AccountData;
  readonly lists?: readonly ListData[];
  /** What content tags show in place of samples. */
  readonly posts?: SitePosts;
  /** Returns the URL of a link of the service, such as `unsubscribe` or `subscribe lists=11,12`. */
  link(task: string): string;
  /** Picks a choice of a `{rand:…}`. Default: the first. */
  pick?(choices: string[]): string;
  /** Overrides whether a condition's content is shown. */
  decide?(condition: string, shown: boolean): boolean;
}

/** A range of the output and its source range. UTF-16 offsets. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly sourceStart: number;
  readonly sourceEnd: number;
  /** `text`: copied unchanged; `tag`: inserted for a tag. */
  readonly kind: 'text' | 'tag';
}

export interface Rendered {
  readonly text: string;
  /** They cover the output without gaps, in order. */
  readonly pieces: readonly Piece[];
}

export interface TagParam extends Range {
  readonly name: string;
  /** True: without a value. */
  readonly value: string | true;
}

/** A tag, or one half of a pair or condition. `value`: `{family:id}`; `open` and `close`: halves of a pair; `if` and `endIf`: halves of a condition; `unknown`: looks like a tag, but isn't part of the language. */
export interface Tag extends Range {
  readonly kind: 'value' | 'open' | 'close' | 'if' | 'endIf' | 'unknown';
  /** The name in the language's table, or as written for kind `unknown`. */
  readonly family: string;
  /** The name as written. */
  readonly name: string;
  readonly nameRange: Range;
  /** As the service reads it. For conditions, the whole condition. */
  readonly id: string;
  readonly idRange: Range;
  readonly params: readonly TagParam[];
  readonly isClosed: boolean;
  /** Whether its braces are percent-encoded, as in URLs. */
  readonly isEncoded: boolean;
  /** Index of the other half in the result, if there is one. */
  readonly partner?: number;
  /** Nesting level of a condition, from 1. */
  readonly level?: number;
}
