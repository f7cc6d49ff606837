/** Identifies a record. Commands accept it as their first argument, and tree nodes of records have its fields. */
export interface RecordRef {
  /** The id of the connection. */
  readonly connection: string;
  /** The id of the record on the service. */
  readonly id: number;
}

/** A reference whose parts may be missing. */
export type RecordTarget = Partial<RecordRef>;
