import type * as vscode from 'vscode';
import type { MailingList } from '../../api/index.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Audience, ListChoice, Lists, Standing } from '../../webviews/campaignForm/protocol.ts';
import type { RecordRef } from '../../workbench/record.ts';
import { formatAmount, joinParts } from '../../workbench/format.ts';
import { plain } from '../../workbench/text.ts';
import { errorText, isCancelled } from '../../workbench/words.ts';
import { countAudience } from '../audience.ts';
import { stateOf } from '../state.ts';
import { campaignTree } from '../tree.ts';

/** More subscribers than this are not counted while a form is open: each five hundred are a request. */
const countLimit = 5000;
/** How long the choice of lists must rest before it is counted, in ms. */
const countPause = 400;
const pageSize = 100;

/** Who is told what the service says. */
export interface ServiceFollower {
  lists(lists: Lists): void;
  audience(audience: Audience): void;
  standing(standing: Standing): void;
}

/** What the service says that a form shows: the lists there are, the audience of the chosen ones, what the campaign waits for. */
export class FormService implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #record: RecordRef;
  readonly #told: ServiceFollower;
  readonly #closed = new AbortController();
  #lists: Lists = { kind: 'loading' };
  #isReading = false;
  #audience: Audience = { kind: 'none' };
  #standing: Standing | undefined;
  #counted: string | undefined;
  #counting: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connections: Connections, record: RecordRef, told: ServiceFollower) {
    this.#connections = connections;
    this.#record = record;
    this.#told = told;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#closed.abort();
    this.#counting?.abort();
  }

  /** Tells all that is known so far. */
  tell(): void {
    this.#told.lists(this.#lists);
    this.#told.audience(this.#audience);
    if (this.#standing) this.#told.standing(this.#standing);
  }

  /** Reads the lists, all pages of them. */
  async readLists(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#setLists({ kind: 'loading' });
    try {
      const { paginate } = await import('../../api/index.ts');
      const lists = await this.#connections.run(this.#record.connection, async (client) => {
        const found: MailingList[] = [];
        const pages = paginate((page, options) => client.getLists(page, options), { pageSize, signal: this.#closed.signal });
        for await (const list of pages) found.push(list);
        return found;
      });
      this.#setLists({ kind: 'known', lists: lists.toSorted((one, other) => rank(one) - rank(other)).map(choiceOf) });
    } catch (error) {
      if (!isCancelled(error)) this.#setLists({ kind: 'failed', message: errorText(error) });
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads what the campaign waits for. Where that fails, the form does without: the lists tell of the failure. */
  async readStanding(): Promise<void> {
    const { connection, id } = this.#record;
    try {
      const campaign = await this.#connections.run(connection, (client) => client.getCampaignById(id, { signal: this.#closed.signal }));
      this.#standing = { state: stateOf(campaign), words: campaignTree.item(campaign, this.#record).description ?? '' };
    } catch {
      return;
    }
    if (!this.#closed.signal.aborted) this.#told.standing(this.#standing);
  }

  /** Counts the audience of these lists, once they rest; what was being counted is given up. */
  count(listIds: readonly number[], again = false): void {
    const key = JSON.stringify(listIds);
    if (key === this.#counted && !again) return;
    this.#counted = key;
    clearTimeout(this.#timer);
    this.#counting?.abort();
    if (listIds.length === 0) return this.#setAudience({ kind: 'none' });
    this.#setAudience({ kind: 'counting' });
    const counting = (this.#counting = new AbortController());
    this.#timer = setTimeout(() => void this.#count(listIds, counting.signal), countPause);
  }

  async #count(listIds: readonly number[], signal: AbortSignal): Promise<void> {
    try {
      const { count, exact } = await this.#connections.run(this.#record.connection, (client) => countAudience(client, listIds, { limit: countLimit, signal }));
      if (!signal.aborted) this.#setAudience({ kind: 'counted', recipients: formatAmount(count, 'recipient'), exact });
    } catch (error) {
      if (!signal.aborted) this.#setAudience({ kind: 'failed', message: errorText(error) });
    }
  }

  #setLists(lists: Lists): void {
    this.#lists = lists;
    if (!this.#closed.signal.aborted) this.#told.lists(lists);
  }

  #setAudience(audience: Audience): void {
    this.#audience = audience;
    if (!this.#closed.signal.aborted) this.#told.audience(audience);
  }
}

/** Lists that a campaign is seldom meant for come last. */
function rank({ type, active, visible }: MailingList): number {
  return type === 'followup' ? 3 : active === 0 ? 2 : visible === 0 ? 1 : 0;
}

function choiceOf(list: MailingList): ListChoice {
  const { id, color } = list;
  const note = joinParts([list.active === 0 && 'inactive', list.visible === 0 && 'invisible', list.type === 'followup' && 'of a follow-up']);
  return {
    id,
    name: plain(list.name || list.display_name || '') || `List ${id}`,
    ...(/^#[\da-f]{6}$/iu.test(color ?? '') && color ? { color } : {}),
    ...(typeof list.subscribers === 'number' ? { subscribers: formatAmount(list.subscribers, 'subscriber') } : {}),
    ...(note === '' ? {} : { note }),
  };
}
