import { t } from '@vscode/l10n';
import { plural } from '../../l10n.ts';
import { getCampaignName } from '../campaigns/wording.ts';
import { sentCampaignPicking } from '../campaigns/picker.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import { parseArgument, type TargetPicker } from '../../platform/documents/recordCommands.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';
import { escapeMessage } from '../../service/text.ts';
import { isFollowUp, MAX_COMPARED_CAMPAIGNS, type CampaignSelection } from './model.ts';
import { parseSelection } from './protocol.ts';

const MIN_COMPARED_CAMPAIGNS = 2;

/**
 * Returns the campaigns in a command's arguments: a node or reference, `{ connection, ids }`, an array of them, or the selected nodes. Empty
 * if there are none.
 *
 * Throws if there are too many campaigns, or if their connection doesn't exist.
 */
export function parseCampaigns(
  connections: Pick<Connections, 'all' | 'get'>,
  argument: CommandArgument,
  selected: CommandArgument,
): CampaignSelection {
  const { all } = connections;
  const onlyConnection = all.length === 1 ? all[0]?.id : undefined;
  const value = Array.isArray(selected) && selected.length > 1 ? selected : argument;
  const { connection = onlyConnection, id } = parseArgument(value, 'campaigns');
  const { ids } = getFields(value);
  const selection = parseSelection(
    id !== undefined ? { connection, id } : ids === undefined ? value : { connection, ids },
  );
  if (selection.length === 0 && (Array.isArray(value) ? value.length > 0 : ids !== undefined))
    throw new Error(t`${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} campaigns can be compared.`);
  for (const ref of selection)
    if (connections.get(ref.connection) === undefined)
      throw new Error(t`There is no connection "${ref.connection}". Add it in the Mailing Studio view.`);
  return selection;
}

/** Asks for a campaign; empty if the user cancels. */
export async function pickCampaign(targets: TargetPicker, argument: CommandArgument): Promise<CampaignSelection> {
  const ref = await targets.pickRecord(argument, { ...sentCampaignPicking, title: t('Show Statistics') });
  return ref === undefined ? [] : [{ connection: ref.connection, id: ref.id }];
}

/** Asks for two to five campaigns, with some preselected; empty if the user cancels. */
export async function pickComparedCampaigns(
  targets: TargetPicker,
  selected: CampaignSelection,
): Promise<CampaignSelection> {
  const title = t('Compare Statistics');
  const connection = await targets.pickConnection(selected[0], title);
  if (connection === undefined) return [];
  const campaigns = isFollowUp(selected) ? [] : selected;
  const otherRefs = campaigns.filter((ref) => ref.connection !== connection.id);
  const ownRefs = campaigns.filter((ref) => ref.connection === connection.id);
  const picked = await targets.pickRecords(
    { connection: connection.id },
    {
      ...sentCampaignPicking,
      title,
      placeholder: t`Select ${MIN_COMPARED_CAMPAIGNS} to ${MAX_COMPARED_CAMPAIGNS} campaigns. Type to search by name`,
      initialSelection: ownRefs.map(({ id }) => ({
        id,
        label: escapeMessage(getCampaignName({ id })),
        description: `#${id}`,
      })),
      getRefusal: (checked) => {
        const count = checked + otherRefs.length;
        return count < MIN_COMPARED_CAMPAIGNS || count > MAX_COMPARED_CAMPAIGNS
          ? plural(
              count,
              t('{0} campaign selected. Select {1} to {2}'),
              t('{0} campaigns selected. Select {1} to {2}'),
              MIN_COMPARED_CAMPAIGNS,
              MAX_COMPARED_CAMPAIGNS,
            )
          : undefined;
      },
    },
  );
  return picked ? [...otherRefs, ...picked.ids.map((id) => ({ connection: connection.id, id }))] : [];
}
