import * as vscode from 'vscode';
import type { Campaign, MailingClient } from '../../api/index.ts';
import type { Rooms } from '../../rooms.ts';
import type { CampaignRef, Choice } from '../model.ts';
import { joinParts } from '../../ui/format.ts';
import { given } from '../../documents/parseArgument.ts';
import { showError } from '../../ui/messages.ts';
import { Targets, type RecordChoice } from '../../documents/targets.ts';
import { inMessage } from '../../ui/text.ts';
import { nameOf, stateOf } from './cards.ts';
import { choiceOf, fewest, keyOf, most } from './choice.ts';

/** Campaigns that are offered at once; typing finds the others. */
const offered = 100;
const typingPause = 200;

/** Finds out which campaigns are meant: by asking, where nothing names them. */
export class Choosing {
  readonly #rooms: Pick<Rooms, 'connections'>;
  readonly #targets: Targets;

  constructor(rooms: Pick<Rooms, 'connections'>) {
    this.#rooms = rooms;
    this.#targets = new Targets(rooms.connections);
  }

  /**
   * The campaigns that a command's arguments name: a node or reference, `{ connection, ids }`, an array of them, or the nodes that are
   * selected.
   * Undefined where they name none. Throws where they name too many, or a connection that is not there.
   */
  given(argument: unknown, selected?: unknown): Choice | undefined {
    const { all } = this.#rooms.connections;
    const only = all.length === 1 ? all[0]?.id : undefined;
    const several = Array.isArray(selected) && selected.length > 1 ? selected : argument;
    const { connection = only, id } = given(several, 'campaigns');
    const choice = choiceOf(connection !== undefined && id !== undefined ? { connection, id } : withConnection(several, only));
    if (choice.length === 0 && namesSeveral(several)) throw new Error(`${fewest} to ${most} campaigns can be compared.`);
    for (const ref of choice)
      if (this.#rooms.connections.get(ref.connection) === undefined)
        throw new Error(`There is no connection "${ref.connection}". Add it in the Mailing Studio view.`);
    return choice.length === 0 ? undefined : choice;
  }

  /**
   * The campaign of the argument, or the one picked; undefined where the user cancels. Throws where the argument names a connection that is
   * not there.
   */
  one(argument: unknown, title: string): Promise<CampaignRef | undefined> {
    return this.#targets.record(argument, {
      title,
      placeholder: 'Which campaign? Type to search names on the service',
      collection: 'campaigns',
      search,
    });
  }

  /** Two to five campaigns of one service, of which some are chosen already; undefined where the user cancels. */
  async several(argument: unknown, title: string, chosen: Choice): Promise<Choice | undefined> {
    const named = given(argument).connection ?? chosen[0]?.connection;
    const connection = await this.#targets.connection(named === undefined ? undefined : { connection: named }, title);
    if (connection === undefined) return undefined;
    const others = chosen.filter((ref) => ref.connection !== connection.id);
    const ids = chosen.flatMap((ref) => (ref.connection === connection.id ? [ref.id] : []));
    const picked = await this.#pick(connection.id, title, ids, others.length);
    return picked && [...others, ...picked.map((id) => ({ connection: connection.id, id }))];
  }

  /** @param others how many are chosen besides */
  #pick(connection: string, title: string, chosen: readonly number[], others: number): Promise<readonly number[] | undefined> {
    const pick = vscode.window.createQuickPick<RecordChoice>();
    pick.title = title;
    pick.placeholder = `Check ${fewest} to ${most} campaigns. Type to search names on the service`;
    pick.canSelectMany = true;
    pick.matchOnDescription = true;
    let selected: readonly RecordChoice[] = chosen.map((id) => ({ id, label: `Campaign ${id}`, description: `#${id}` }));
    let searching = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const offer = (found: readonly RecordChoice[]): void => {
      // What is checked stays, whatever is searched for, and takes the name that was found.
      selected = selected.map((choice) => found.find(({ id }) => id === choice.id) ?? choice);
      pick.items = [...selected, ...found.filter(({ id }) => !selected.some((choice) => choice.id === id))];
      pick.selectedItems = selected;
    };
    const find = async (text: string): Promise<void> => {
      searching.abort();
      const { signal } = (searching = new AbortController());
      pick.busy = true;
      try {
        const found = await this.#rooms.connections.run(connection, (client) => search(client, text, signal));
        if (!signal.aborted) offer(found);
      } catch (error) {
        if (signal.aborted) return;
        pick.hide();
        void showError(error, { title, connection });
      } finally {
        if (!signal.aborted) pick.busy = false;
      }
    };
    return new Promise((resolve) => {
      pick.onDidChangeSelection((items) => {
        selected = items;
      });
      pick.onDidChangeValue((text) => {
        clearTimeout(timer);
        timer = setTimeout(() => void find(text), typingPause);
      });
      pick.onDidAccept(() => {
        const count = selected.length + others;
        if (count < fewest || count > most) {
          pick.title = `${title}: ${count} ${count === 1 ? 'is' : 'are'} checked, ${fewest} to ${most} can be compared`;
          return;
        }
        resolve(selected.map(({ id }) => id));
        pick.hide();
      });
      pick.onDidHide(() => {
        clearTimeout(timer);
        searching.abort();
        resolve(undefined);
        pick.dispose();
      });
      offer([]);
      pick.show();
      void find('');
    });
  }
}

async function search(client: MailingClient, text: string, signal: AbortSignal): Promise<readonly RecordChoice[]> {
  const campaigns = await client.getCampaigns({ limit: offered, ...(text === '' ? {} : { filters: { name: text } }) }, { signal });
  return campaigns.map(choiceOfRecord);
}

function choiceOfRecord(campaign: Campaign): RecordChoice {
  const detail = inMessage(campaign.subject ?? '');
  return {
    id: campaign.id,
    label: inMessage(nameOf(campaign, campaign)),
    description: joinParts([`#${campaign.id}`, stateOf(campaign)]),
    ...(detail === '' ? {} : { detail }),
  };
}

function withConnection(argument: unknown, connection: string | undefined): unknown {
  return typeof argument === 'object' && argument !== null && !Array.isArray(argument) && !('connection' in argument)
    ? { ...argument, connection }
    : argument;
}

function namesSeveral(argument: unknown): boolean {
  if (Array.isArray(argument)) return argument.length > 0;
  return typeof argument === 'object' && argument !== null && 'ids' in argument;
}

/** Whether both are the same campaigns, in whatever order. */
export function sameCampaigns(one: Choice, other: Choice): boolean {
  const sorted = (choice: Choice): string => choice.map((ref) => keyOf([ref])).sort().join();
  return sorted(one) === sorted(other);
}
