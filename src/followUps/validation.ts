/** What is wrong with a field, in words that can stand beside it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Everything that the API document requires and these details lack; empty where they can be sent. Loads the schema library. */
export async function validate(details: unknown): Promise<readonly Problem[]> {
  return (await import('./detailsSchema.ts')).problemsOf(details);
}
