import { nameOf, sentPicking } from '../../campaigns/model.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { parseArgument, TargetPicker } from '../../../platform/documents/recordCommands.ts';
import type { Recent } from '../../../platform/ui/recent.ts';
import { inMessage } from '../../../platform/ui/text.ts';
import { getSelectionKey, type CampaignRef, type CampaignSelection } from '../model.ts';
import { parseSelection, MIN_COMPARED_CAMPAIGNS, MAX_COMPARED_CAMPAIGNS } from './parseSelection.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** Finds out which campaigns are meant: by asking, where nothing names them. */
export class CampaignPicker {
  readonly #connections: Pick<Connections, 'all' | 'get' | 'run'>;
  readonly #targets: TargetPicker;

  constructor({
    connections,
    recent,
  }: {
    readonly connections: Pick<Connections, 'all' | 'get' | 'run'>;
    readonly recent?: Recent;
  }) {
    this.#connections = connections;
    this.#targets = new TargetPicker(connections, recent);
  }

  /**
   * The campaigns that a command's arguments name: a node or reference, `{ connection, ids }`, an array of them, or the nodes that are
   * selected.
   * Undefined where they name none. Throws where they name too many, or a connection that is not there.
   */
  parseArguments(argument: CommandArgument, selected?: CommandArgument): CampaignSelection | undefined {
    const { all } = this.#connections;
    const only = all.length === 1 ? all[0]?.id : undefined;
    const several = Array.isArray(selected) && selected.length > 1 ? selected : argument;
    const { connection = only, id } = parseArgument(several, 'campaigns');
    const choice = parseSelection(
      connection !== undefined && id !== undefined ? { connection, id } : addConnection(several, only),
    );
    if (choice.length === 0 && hasManyCampaigns(several))
      throw new Error(`${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} campaigns can be compared.`);
    for (const ref of choice)
      if (this.#connections.get(ref.connection) === undefined)
        throw new Error(`There is no connection "${ref.connection}". Add it in the Mailing Studio view.`);
    return choice.length === 0 ? undefined : choice;
  }

  /**
   * The campaign of the argument, or the one picked; undefined where the user cancels. Throws where the argument names a connection that is
   * not there.
   */
  pickOne(argument: CommandArgument, title: string): Promise<CampaignRef | undefined> {
    return this.#targets.pickRecord(argument, { ...sentPicking, title });
  }

  /** Two to five campaigns of one service, of which some are chosen already; undefined where the user cancels. */
  async pickSeveral(
    argument: CommandArgument,
    title: string,
    chosen: CampaignSelection,
  ): Promise<CampaignSelection | undefined> {
    const named = parseArgument(argument).connection ?? chosen[0]?.connection;
    const connection = await this.#targets.pickConnection({ connection: named }, title);
    if (connection === undefined) return undefined;
    const others = chosen.filter((ref) => ref.connection !== connection.id);
    const own = chosen.filter((ref) => ref.connection === connection.id);
    const picked = await this.#targets.pickRecords(
      { connection: connection.id },
      {
        ...sentPicking,
        title,
        placeholder: `Check ${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} campaigns. Type to search names on the service`,
        initialSelection: own.map(({ id }) => ({ id, label: inMessage(nameOf({ id })), description: `#${id}` })),
        getRefusal: (checked) => {
          const count = checked + others.length;
          const isWrong = count < MIN_COMPARED_CAMPAIGNS || count > MAX_COMPARED_CAMPAIGNS;
          return isWrong
            ? `${count} ${count === 1 ? 'is' : 'are'} checked, ${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} can be compared`
            : undefined;
        },
      },
    );
    return picked && [...others, ...picked.ids.map((id) => ({ connection: connection.id, id }))];
  }
}

function addConnection(argument: CommandArgument, connection: string | undefined): unknown {
  return typeof argument === 'object' && argument !== null && !Array.isArray(argument) && !('connection' in argument)
    ? { ...argument, connection }
    : argument;
}

function hasManyCampaigns(argument: CommandArgument): boolean {
  if (Array.isArray(argument)) return argument.length > 0;
  return typeof argument === 'object' && argument !== null && 'ids' in argument;
}

/** Whether both are the same campaigns, in whatever order. */
export function hasSameCampaigns(one: CampaignSelection, other: CampaignSelection): boolean {
  const sorted = (choice: CampaignSelection): string =>
    choice
      .map((ref) => getSelectionKey([ref]))
      .sort()
      .join();
  return sorted(one) === sorted(other);
}
