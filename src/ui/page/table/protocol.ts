import * as v from 'valibot';
import { countSchema, recordSchema } from '../../protocol.ts';

/** A record with any fields. All text is untrusted. */
export type TableRow = Readonly<Record<string, unknown>>;

/** Messages to a page with tables in tabs. `generation` is the one of the request. */
export type TableToPage =
  /** Rows from `page * pageSize` on. `isLast`: no rows follow. */
  | {
      readonly type: 'rows';
      readonly generation: number;
      readonly page: number;
      readonly rows: readonly TableRow[];
      readonly isLast: boolean;
    }
  | { readonly type: 'failed'; readonly generation: number; readonly page: number; readonly message: string }
  /** Number of rows. If it can't be determined, `message` has the reason. */
  | { readonly type: 'count'; readonly generation: number; readonly count?: number; readonly message?: string };

/** More pages than the longest table needs at a time. */
const MAX_REQUESTED_PAGES = 1000;

/** Creates the schemas of the messages from a page with tables in tabs. */
export const createTableSchemas = <Tab extends string>(tabs: readonly Tab[]) =>
  [
    /**
     * Requests the missing pages that the table needs now, and cancels requests for all other pages. `generation` changes with the tab and
     * each reload.
     */
    v.object({
      type: v.literal('requestPages'),
      generation: countSchema,
      tab: v.picklist(tabs),
      pages: v.pipe(v.array(countSchema), v.maxLength(MAX_REQUESTED_PAGES), v.readonly()),
    }),
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
