import { subscriberColumns } from '../../email/tags/index.ts';
import { MailingClient, type CallOptions, type MailingClientOptions } from '../../service/client/index.ts';
import type { Results } from '../../service/client/routes.ts';

/** Valid names of custom fields: services use the field's label. */
const FIELD_NAME_PATTERN = /^(?=.*\p{L})[^\p{C}{}[\]|:;<>=!~%"'\\]{1,60}$/u;
const MAX_FIELD_NAMES = 200;

/** A client that collects the names of custom subscriber fields from its responses. */
export class CustomFieldsClient extends MailingClient {
  readonly #names: Set<string>;

  /** @param names receives the names */
  constructor(options: MailingClientOptions, names: Set<string>) {
    super(options);
    this.#names = names;
  }

  protected override async call<N extends keyof Results>(operation: N, args: object, options?: CallOptions) {
    const result = await super.call(operation, args, options);
    const records: readonly object[] = Array.isArray(result) && /Users|Subscribers/.test(operation) ? result : [];
    if (records.length === 0) return result;
    const columns = subscriberColumns();
    for (const name of records.flatMap(Object.keys))
      if (this.#names.size < MAX_FIELD_NAMES && !columns.has(name) && FIELD_NAME_PATTERN.test(name))
        this.#names.add(name);

    return result;
  }
}
