import type { GenericSchema, InferOutput } from 'valibot';

/** Formats fields as JSON with one field per line. */
export function writeJson(fields: object): string {
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/**
 * Parses a JSON document with a schema. Loads the parser and the schema library on first use.
 * @throws {InvalidDocumentError} at the position of the first syntax error or invalid value
 */
export async function readJson<S extends GenericSchema>(
  text: string,
  loadSchema: () => Promise<S>,
): Promise<InferOutput<S>> {
  const [{ readBySchema }, schema] = await Promise.all([import('./jsonReader.ts'), loadSchema()]);
  return readBySchema(text, schema);
}
