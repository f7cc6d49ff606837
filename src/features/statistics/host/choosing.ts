import { nameOf, sentPicking } from '../../campaigns/model.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { parseArgument, Targets } from '../../../platform/documents/recordCommands.ts';
import type { Recent } from '../../../platform/ui/recent.ts';
import { inMessage } from '../../../platform/ui/text.ts';
import { keyOf, type CampaignRef, type Choice } from '../model.ts';
import { choiceOf, fewest, most } from './choice.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** Finds out which campaigns are meant: by asking, where nothing names them. */
export class Choosing {
  readonly #connections: Pick<Connections, 'all' | 'get' | 'run'>;
  readonly #targets: Targets;

  constructor({
    connections,
    recent,
  }: {
    readonly connections: Pick<Connections, 'all' | 'get' | 'run'>;
    readonly recent?: Recent;
  }) {
    this.#connections = connections;
    this.#targets = new Targets(connections, recent);
  }

  /**
   * The campaigns that a command's arguments name: a node or reference, `{ connection, ids }`, an array of them, or the nodes that are
   * selected.
   * Undefined where they name none. Throws where they name too many, or a connection that is not there.
   */
  given(argument: CommandArgument, selected?: CommandArgument): Choice | undefined {
    const { all } = this.#connections;
    const only = all.length === 1 ? all[0]?.id : undefined;
    const several = Array.isArray(selected) && selected.length > 1 ? selected : argument;
    const { connection = only, id } = parseArgument(several, 'campaigns');
    const choice = choiceOf(
      connection !== undefined && id !== undefined ? { connection, id } : withConnection(several, only),
    );
    if (choice.length === 0 && namesSeveral(several))
      throw new Error(`${fewest} to ${most} campaigns can be compared.`);
    for (const ref of choice)
      if (this.#connections.get(ref.connection) === undefined)
        throw new Error(`There is no connection "${ref.connection}". Add it in the Mailing Studio view.`);
    return choice.length === 0 ? undefined : choice;
  }

  /**
   * The campaign of the argument, or the one picked; undefined where the user cancels. Throws where the argument names a connection that is
   * not there.
   */
  one(argument: CommandArgument, title: string): Promise<CampaignRef | undefined> {
    return this.#targets.record(argument, { ...sentPicking, title });
  }

  /** Two to five campaigns of one service, of which some are chosen already; undefined where the user cancels. */
  async several(argument: CommandArgument, title: string, chosen: Choice): Promise<Choice | undefined> {
    const named = parseArgument(argument).connection ?? chosen[0]?.connection;
    const connection = await this.#targets.connection({ connection: named }, title);
    if (connection === undefined) return undefined;
    const others = chosen.filter((ref) => ref.connection !== connection.id);
    const own = chosen.filter((ref) => ref.connection === connection.id);
    const picked = await this.#targets.records(
      { connection: connection.id },
      {
        ...sentPicking,
        title,
        placeholder: `Check ${fewest} to ${most} campaigns. Type to search names on the service`,
        chosen: own.map(({ id }) => ({ id, label: inMessage(nameOf({ id })), description: `#${id}` })),
        refuse: (checked) => {
          const count = checked + others.length;
          const isWrong = count < fewest || count > most;
          return isWrong
            ? `${count} ${count === 1 ? 'is' : 'are'} checked, ${fewest} to ${most} can be compared`
            : undefined;
        },
      },
    );
    return picked && [...others, ...picked.ids.map((id) => ({ connection: connection.id, id }))];
  }
}

function withConnection(argument: CommandArgument, connection: string | undefined): unknown {
  return typeof argument === 'object' && argument !== null && !Array.isArray(argument) && !('connection' in argument)
    ? { ...argument, connection }
    : argument;
}

function namesSeveral(argument: CommandArgument): boolean {
  if (Array.isArray(argument)) return argument.length > 0;
  return typeof argument === 'object' && argument !== null && 'ids' in argument;
}

/** Whether both are the same campaigns, in whatever order. */
export function sameCampaigns(one: Choice, other: Choice): boolean {
  const sorted = (choice: Choice): string =>
    choice
      .map((ref) => keyOf([ref]))
      .sort()
      .join();
  return sorted(one) === sorted(other);
}
