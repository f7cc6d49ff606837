import { getCampaignName } from '../../campaigns/wording.ts';
import { sentCampaignPicking } from '../../campaigns/picker.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { parseArgument, TargetPicker } from '../../../platform/documents/recordCommands.ts';
import type { RecentChoices } from '../../../platform/ui/recent.ts';
import { escapeMessage } from '../../../platform/ui/text.ts';
import { getSelectionKey, type CampaignRef, type CampaignSelection } from '../model.ts';
import { parseSelection, MIN_COMPARED_CAMPAIGNS, MAX_COMPARED_CAMPAIGNS } from './parseSelection.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** Resolves the campaigns of a command: from its arguments, or by asking the user. */
export class CampaignPicker {
  readonly #connections: Pick<Connections, 'all' | 'get' | 'run'>;
  readonly #targets: TargetPicker;

  constructor({
    connections,
    recent,
  }: {
    readonly connections: Pick<Connections, 'all' | 'get' | 'run'>;
    readonly recent?: RecentChoices;
  }) {
    this.#connections = connections;
    this.#targets = new TargetPicker(connections, recent);
  }

  /**
   * Returns the campaigns in a command's arguments: a node or reference, `{ connection, ids }`, an array of them, or the selected nodes;
   * undefined if there are none.
   *
   * Throws if there are too many campaigns, or if their connection doesn't exist.
   */
  parseArguments(argument: CommandArgument, selected?: CommandArgument): CampaignSelection | undefined {
    const { all: connections } = this.#connections;
    const onlyConnection = connections.length === 1 ? connections[0]?.id : undefined;
    const value = Array.isArray(selected) && selected.length > 1 ? selected : argument;
    const { connection = onlyConnection, id } = parseArgument(value, 'campaigns');
    const selection = parseSelection(
      connection !== undefined && id !== undefined ? { connection, id } : addConnection(value, onlyConnection),
    );
    if (selection.length === 0 && hasManyCampaigns(value))
      throw new Error(`${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} campaigns can be compared.`);
    for (const ref of selection)
      if (this.#connections.get(ref.connection) === undefined)
        throw new Error(`There is no connection "${ref.connection}". Add it in the Mailing Studio view.`);
    return selection.length === 0 ? undefined : selection;
  }

  /**
   * Returns the campaign of the argument, or asks for one; undefined if the user cancels.
   *
   * Throws if the connection of the argument doesn't exist.
   */
  pickOne(argument: CommandArgument, title: string): Promise<CampaignRef | undefined> {
    return this.#targets.pickRecord(argument, { ...sentCampaignPicking, title });
  }

  /** Asks for two to five campaigns, with some preselected; undefined if the user cancels. */
  async pickSeveral(
    argument: CommandArgument,
    title: string,
    selected: CampaignSelection,
  ): Promise<CampaignSelection | undefined> {
    const connectionId = parseArgument(argument).connection ?? selected[0]?.connection;
    const connection = await this.#targets.pickConnection({ connection: connectionId }, title);
    if (connection === undefined) return undefined;
    const otherRefs = selected.filter((ref) => ref.connection !== connection.id);
    const ownRefs = selected.filter((ref) => ref.connection === connection.id);
    const picked = await this.#targets.pickRecords(
      { connection: connection.id },
      {
        ...sentCampaignPicking,
        title,
        placeholder: `Check ${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} campaigns. Type to search names on the service`,
        initialSelection: ownRefs.map(({ id }) => ({
          id,
          label: escapeMessage(getCampaignName({ id })),
          description: `#${id}`,
        })),
        getRefusal: (checked) => {
          const count = checked + otherRefs.length;
          const isWrong = count < MIN_COMPARED_CAMPAIGNS || count > MAX_COMPARED_CAMPAIGNS;
          return isWrong
            ? `${count} ${count === 1 ? 'is' : 'are'} checked, ${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} can be compared`
            : undefined;
        },
      },
    );
    return picked && [...otherRefs, ...picked.ids.map((id) => ({ connection: connection.id, id }))];
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

/** Returns whether both selections contain the same campaigns, in any order. */
export function hasSameCampaigns(first: CampaignSelection, second: CampaignSelection): boolean {
  const getSortedKeys = (selection: CampaignSelection): string =>
    selection
      .map((ref) => getSelectionKey([ref]))
      .sort()
      .join();
  return getSortedKeys(first) === getSortedKeys(second);
}
