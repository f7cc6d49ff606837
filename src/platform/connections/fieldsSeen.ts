import { MailingClient, type MailingClientOptions, type Subscriber } from '../../service/client/index.ts';

/** What the API document and the service's own tables call the fields of subscribers; any other is the site's own. */
const known: ReadonlySet<string> = new Set([
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
const names = /^(?=.*\p{L})[^\p{C}{}[\]|:;<>=!~%"'\\]{1,60}$/u;
/** Records of a page that are looked at: all have the same fields. */
const looked = 20;
/** Fields that are remembered, at most. */
const most = 200;

/** A client that tells the names of the fields that a site has given its subscribers, as they are read. */
export class WatchingClient extends MailingClient {
  readonly #seen: Set<string>;

  /** `seen` takes the names. */
  constructor(options: MailingClientOptions, seen: Set<string>) {
    super(options);
    this.#seen = seen;
  }

  override async getSubscribersFromLists(
    ...asked: Parameters<MailingClient['getSubscribersFromLists']>
  ): Promise<Subscriber[]> {
    return this.#look(await super.getSubscribersFromLists(...asked));
  }

  override async getUnsubscribedUsersFromLists(
    ...asked: Parameters<MailingClient['getUnsubscribedUsersFromLists']>
  ): Promise<Subscriber[]> {
    return this.#look(await super.getUnsubscribedUsersFromLists(...asked));
  }

  #look(page: Subscriber[]): Subscriber[] {
    for (const name of page.slice(0, looked).flatMap((subscriber) => Object.keys(subscriber))) {
      if (this.#seen.size < most && !known.has(name) && names.test(name)) this.#seen.add(name);
    }
    return page;
  }
}
