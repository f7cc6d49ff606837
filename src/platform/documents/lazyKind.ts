import { once } from '../../ui/async.ts';
import { findPart, type DocumentKind, type DocumentPart } from './model.ts';

/** The parts of a kind that are available before its code is loaded. */
interface EagerKindFields<R extends { readonly id: number }> extends Pick<
  DocumentKind<R>,
  'collection' | 'noun' | 'name' | 'readOnlyCommand'
> {
  /** The suffixes of its documents. */
  readonly suffixes: readonly string[];
  /** Its folder. `pattern`: the names of the files in it. */
  readonly folder?: { readonly name: string; readonly pattern: RegExp };
}

/**
 * Creates a kind whose code is loaded with its first record. Methods that take a record need no loading: a record can only have been read
 * by the loaded kind.
 */
export function createLazyKind<R extends { readonly id: number }>(
  { suffixes, folder, ...eager }: EagerKindFields<R>,
  load: () => Promise<DocumentKind<R>>,
): DocumentKind<R> {
  let loaded: DocumentKind<R> | undefined;
  const loadKind = once(async () => (loaded = await load()));
  const getLoaded = () => {
    if (!loaded) throw new Error(`No ${eager.noun} was read so far.`);
    return loaded;
  };
  const createPart = (suffix: string, file?: string): DocumentPart<R> => {
    const getPart = (kind: DocumentKind<R>) => {
      const part = findPart(kind, file ?? suffix);
      if (!part) throw new Error(`A ${eager.noun} has no ${file ?? suffix} document.`);
      return part;
    };
    return {
      suffix,
      ...(file !== undefined && { file }),
      getMissingReason: (record) => getPart(getLoaded()).getMissingReason?.(record),
      render: (record) => getPart(getLoaded()).render(record),
      parse: async (text) => getPart(await loadKind()).parse(text),
    };
  };
  return {
    ...eager,
    parts: suffixes.map((suffix) => createPart(suffix)),
    ...(folder && {
      folder: {
        name: folder.name,
        part: (file) =>
          folder.pattern.test(file) ? createPart(file.slice(file.indexOf('.')), `${folder.name}/${file}`) : undefined,
        parts: (record) => getLoaded().folder?.parts(record) ?? [],
      },
    }),
    getCreationDate: (record) => getLoaded().getCreationDate?.(record),
    list: async function* (client, options) {
      yield* (await loadKind()).list(client, options);
    },
    read: async (client, id, context) => (await loadKind()).read(client, id, context),
    update: async (client, record, fields, context) => (await loadKind()).update(client, record, fields, context),
    getField: (record, name) => getLoaded().getField(record, name),
    getReadOnlyReason: (record) => getLoaded().getReadOnlyReason(record),
  };
}
