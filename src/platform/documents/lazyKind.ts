import { once } from '../ui/once.ts';
import { findPart, type DocumentKind, type DocumentPart } from './model.ts';

/** What is known of a kind before its first record was read. */
interface EagerKindFields<R extends { readonly id: number }> extends Pick<
  DocumentKind<R>,
  'collection' | 'noun' | 'name' | 'readOnlyCommand'
> {
  /** What its documents end in. */
  readonly suffixes: readonly string[];
}

/** A kind whose code is loaded with its first record. Nothing else can ask about a record: who has one has read it by the same kind. */
export function createLazyKind<R extends { readonly id: number }>(
  { suffixes, ...face }: EagerKindFields<R>,
  load: () => Promise<DocumentKind<R>>,
): DocumentKind<R> {
  let loaded: DocumentKind<R> | undefined;
  const kind = once(async () => (loaded = await load()));
  const known = (): DocumentKind<R> => {
    if (loaded === undefined) throw new Error(`No ${face.noun} was read so far.`);
    return loaded;
  };
  const partIn = (found: DocumentKind<R>, suffix: string): DocumentPart<R> => {
    const part = findPart(found, suffix);
    if (part === undefined) throw new Error(`A ${face.noun} has no ${suffix} document.`);
    return part;
  };
  return {
    ...face,
    parts: suffixes.map((suffix) => ({
      suffix,
      render: (record) => partIn(known(), suffix).render(record),
      parse: async (text) => partIn(await kind(), suffix).parse(text),
    })),
    getCreationTime: (record) => known().getCreationTime(record),
    list: async function* (client, options) {
      yield* (await kind()).list(client, options);
    },
    read: async (client, id, context) => (await kind()).read(client, id, context),
    update: async (client, record, fields, context) => (await kind()).update(client, record, fields, context),
    getField: (record, name) => known().getField(record, name),
    getReadOnlyReason: (record) => known().getReadOnlyReason(record),
  };
}
