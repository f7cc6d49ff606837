import { requestOnce } from './requestOnce.ts';

/** The result of an update that the service confirmed: the record as read back, or why it couldn't be read. */
export type UpdateResult<R> = { readonly after: R } | { readonly readBackError: unknown };

/**
 * Sends an update and reads the record back. Never repeats the update.
 * @param hasStored returns whether a record has the sent fields. After a lost response, only a read that shows them confirms that they were stored
 * @throws if nothing was stored, or the outcome is unconfirmed
 */
export async function updateOnce<R>(
  update: () => Promise<unknown>,
  read: () => Promise<R>,
  hasStored: (record: R) => boolean,
): Promise<UpdateResult<R>> {
  return requestOnce<UpdateResult<R>>(
    async () => {
      await update();
      return read().then(
        (after) => ({ after }),
        (readBackError: unknown) => ({ readBackError }),
      );
    },
    async (error) => {
      const after = await read().catch(() => undefined);
      if (after === undefined || !hasStored(after)) throw error;
      return { after };
    },
  );
}
