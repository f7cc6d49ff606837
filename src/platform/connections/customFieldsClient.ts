import { MailingClient, type MailingClientOptions, type Subscriber } from '../../service/client/index.ts';

/** Field names in the API document and AcyMailing's tables. All others are custom fields. */
const STANDARD_FIELDS = new Set([
  'id',
  'user_id',
  'list_id',
  'email',
  'name',
  'status',
  'confirmed',
  'subscription_date',
  'unsubscribe_date',
]);
/** Valid names of custom fields: services use the field's label. */
const FIELD_NAME_PATTERN = /^(?=.*\p{L})[^\p{C}{}[\]|:;<>=!~%"'\\]{1,60}$/u;
/** All records of a page have the same fields, so a sample is enough. */
const MAX_SAMPLED_RECORDS = 20;
const MAX_FIELD_NAMES = 200;

/** A client that collects the names of custom subscriber fields from its responses. */
export class CustomFieldsClient extends MailingClient {
  readonly #names: Set<string>;

  /** @param names receives the names */
  constructor(options: MailingClientOptions, names: Set<string>) {
    super(options);
    this.#names = names;
  }

  override async getSubscribersFromLists(
    ...args: Parameters<MailingClient['getSubscribersFromLists']>
  ): Promise<Subscriber[]> {
    return this.#collectNames(await super.getSubscribersFromLists(...args));
  }

  override async getUnsubscribedUsersFromLists(
    ...args: Parameters<MailingClient['getUnsubscribedUsersFromLists']>
  ): Promise<Subscriber[]> {
    return this.#collectNames(await super.getUnsubscribedUsersFromLists(...args));
  }

  #collectNames(page: Subscriber[]) {
    for (const name of page.slice(0, MAX_SAMPLED_RECORDS).flatMap((subscriber) => Object.keys(subscriber))) {
      if (this.#names.size < MAX_FIELD_NAMES && !STANDARD_FIELDS.has(name) && FIELD_NAME_PATTERN.test(name))
        this.#names.add(name);
    }
    return page;
  }
}
