/** What is wrong with a field, in words that can stand beside it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Everything that the API document requires and these details lack; empty where they can be sent. Loads the schema library. */
export async function validate(details: unknown): Promise<readonly Problem[]> {
  const [{ safeParse }, { detailsSchema }] = await Promise.all([import('valibot'), import('./detailsSchema.ts')]);
  const result = safeParse(detailsSchema, details);
  if (result.success) return [];
  return result.issues.map(({ path, message }) => ({ path: (path ?? []).map(({ key }) => key as string | number), message }));
}
