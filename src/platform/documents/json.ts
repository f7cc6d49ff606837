import type { GenericSchema, InferOutput } from 'valibot';

/** Writes fields the way `readJson` reads them: two spaces, one field a line. */
export function writeJson(fields: object): string {
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/**
 * Reads a JSON document by a schema. The parser and the schema library are loaded when the first document is read.
 *
 * Throws `InvalidDocument` at the place of the first mistake, in syntax or in values.
 */
export async function readJson<S extends GenericSchema>(
  text: string,
  loadSchema: () => Promise<S>,
): Promise<InferOutput<S>> {
  const [{ readBySchema }, schema] = await Promise.all([import('./jsonReader.ts'), loadSchema()]);
  return readBySchema(text, schema);
}
