import { MailingClient, type MailingClientOptions, type Subscriber } from '../../service/client/index.ts';

/** What the API document and the service's own tables call the fields of subscribers; any other is the site's own. */
const STANDARD_FIELDS: ReadonlySet<string> = new Set([
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
/** What a site may call a field: services name it by its label. */
const FIELD_NAME_PATTERN = /^(?=.*\p{L})[^\p{C}{}[\]|:;<>=!~%"'\\]{1,60}$/u;
/** Records of a page that are looked at: all have the same fields. */
const MAX_SAMPLED_RECORDS = 20;
/** Fields that are remembered, at most. */
const MAX_FIELD_NAMES = 200;

/** A client that tells the names of the fields that a site has given its subscribers, as they are read. */
export class CustomFieldsClient extends MailingClient {
  readonly #names: Set<string>;

  /** `seen` takes the names. */
  constructor(options: MailingClientOptions, seen: Set<string>) {
    super(options);
    this.#names = seen;
  }

  override async getSubscribersFromLists(
    ...asked: Parameters<MailingClient['getSubscribersFromLists']>
  ): Promise<Subscriber[]> {
    return this.#collectNames(await super.getSubscribersFromLists(...asked));
  }

  override async getUnsubscribedUsersFromLists(
    ...asked: Parameters<MailingClient['getUnsubscribedUsersFromLists']>
  ): Promise<Subscriber[]> {
    return this.#collectNames(await super.getUnsubscribedUsersFromLists(...asked));
  }

  #collectNames(page: Subscriber[]): Subscriber[] {
    for (const name of page.slice(0, MAX_SAMPLED_RECORDS).flatMap((subscriber) => Object.keys(subscriber))) {
      if (this.#names.size < MAX_FIELD_NAMES && !STANDARD_FIELDS.has(name) && FIELD_NAME_PATTERN.test(name))
        this.#names.add(name);
    }
    return page;
  }
}
