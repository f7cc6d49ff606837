import * as v from 'valibot';
import { countSchema, recordSchema } from '../../protocol.ts';

/** A record with any fields. All text is untrusted. */
export type TableRow = Readonly<Record<string, unknown>>;

/** Rows from `page * pageSize` on. `isLast`: no rows follow. */
export interface RowsPage {
  readonly rows: readonly TableRow[];
  readonly isLast: boolean;
}

/** The requests of a page with tables in tabs. The number of rows is requested after the first page. Undefined if it can't be determined. */
export type TableRequests<Tab extends string> = {
  readonly rows: { readonly params: { readonly tab: Tab; readonly page: number }; readonly result: RowsPage };
  readonly count: { readonly params: { readonly tab: Tab }; readonly result: number | undefined };
};

/** Creates the schemas of the messages from a page with tables in tabs. */
export const createTableSchemas = <Tab extends string>(tabs: readonly Tab[]) =>
  [
    v.object({ type: v.literal('rows'), requestId: countSchema, tab: v.picklist(tabs), page: countSchema }),
    v.object({ type: v.literal('count'), requestId: countSchema, tab: v.picklist(tabs) }),
    /** Copies rows as CSV. `missing`: number of selected rows that are not loaded. */
    v.object({
      type: v.literal('copy'),
      columns: v.pipe(v.array(v.string()), v.readonly()),
      rows: v.pipe(v.array(recordSchema), v.readonly()),
      missing: countSchema,
    }),
    v.object({ type: v.literal('export'), tab: v.picklist(tabs), expected: v.optional(countSchema) }),
  ] as const;

export type TableFromPage<Tab extends string> = v.InferOutput<ReturnType<typeof createTableSchemas<Tab>>[number]>;
