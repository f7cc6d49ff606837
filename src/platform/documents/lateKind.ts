import { once } from '../ui/once.ts';
import { partOf, type DocumentKind, type DocumentPart } from './model.ts';

/** What is known of a kind before its first record was read. */
interface KindFace<R extends { readonly id: number }> extends Pick<
  DocumentKind<R>,
  'collection' | 'noun' | 'name' | 'readOnlyCommand'
> {
  /** What its documents end in. */
  readonly suffixes: readonly string[];
}

/** A kind whose code is loaded with its first record. Nothing else can ask about a record: who has one has read it by the same kind. */
export function lateKind<R extends { readonly id: number }>(
  { suffixes, ...face }: KindFace<R>,
  load: () => Promise<DocumentKind<R>>,
): DocumentKind<R> {
  let loaded: DocumentKind<R> | undefined;
  const kind = once(async () => (loaded = await load()));
  const known = (): DocumentKind<R> => {
    if (loaded === undefined) throw new Error(`No ${face.noun} was read so far.`);
    return loaded;
  };
  const partIn = (found: DocumentKind<R>, suffix: string): DocumentPart<R> => {
    const part = partOf(found, suffix);
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
    created: (record) => known().created(record),
    list: async function* (client, options) {
      yield* (await kind()).list(client, options);
    },
    read: async (client, id, context) => (await kind()).read(client, id, context),
    update: async (client, record, fields, context) => (await kind()).update(client, record, fields, context),
    field: (record, name) => known().field(record, name),
    readOnly: (record) => known().readOnly(record),
  };
}
