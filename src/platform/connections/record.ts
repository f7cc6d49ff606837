/** Where a record lives: every command takes one as its first argument, every tree node of a record is one. */
export interface RecordRef {
  /** Id of the connection. */
  readonly connection: string;
  /** The service's id of the record. */
  readonly id: number;
}

/** What a command may be given: a tree node, a part of a reference, or the URI of one of the record's documents. */
export type RecordTarget = Partial<RecordRef>;
