import { once } from '../ui/async.ts';
import { findPart, type DocumentKind, type DocumentPart } from './model.ts';

/** The parts of a kind that are available before its code is loaded. */
interface EagerKindFields<R extends { readonly id: number }> extends Pick<
  DocumentKind<R>,
  'collection' | 'noun' | 'name' | 'readOnlyCommand'
> {
  /** The suffixes of its documents. */
  readonly suffixes: readonly string[];
}

/**
 * Creates a kind whose code is loaded with its first record. Methods that take a record need no loading: a record can only have been read
 * by the loaded kind.
 */
export function createLazyKind<R extends { readonly id: number }>(
  { suffixes, ...eager }: EagerKindFields<R>,
  load: () => Promise<DocumentKind<R>>,
): DocumentKind<R> {
  let loaded: DocumentKind<R> | undefined;
  const loadKind = once(async () => (loaded = await load()));
  const getLoaded = (): DocumentKind<R> => {
    if (loaded === undefined) throw new Error(`No ${eager.noun} was read so far.`);
    return loaded;
  };
  const getPart = (kind: DocumentKind<R>, suffix: string): DocumentPart<R> => {
    const part = findPart(kind, suffix);
    if (part === undefined) throw new Error(`A ${eager.noun} has no ${suffix} document.`);
    return part;
  };
  return {
    ...eager,
    parts: suffixes.map((suffix) => ({
      suffix,
      render: (record) => getPart(getLoaded(), suffix).render(record),
      parse: async (text) => getPart(await loadKind(), suffix).parse(text),
    })),
    getCreationTime: (record) => getLoaded().getCreationTime(record),
    list: async function* (client, options) {
      yield* (await loadKind()).list(client, options);
    },
    read: async (client, id, context) => (await loadKind()).read(client, id, context),
    update: async (client, record, fields, context) => (await loadKind()).update(client, record, fields, context),
    getField: (record, name) => getLoaded().getField(record, name),
    getReadOnlyReason: (record) => getLoaded().getReadOnlyReason(record),
  };
}
