import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.template.openStylesheet', 'Open Stylesheet', 'openStylesheet'],
  ['mailing.template.openDetails', 'Open Template Details', 'openDetails'],
  ['mailing.template.create', 'New Template', 'create'],
  ['mailing.template.createCampaign', 'Create Campaign', 'createCampaign'],
  ['mailing.template.copyTo', 'Copy Template', 'copyTo'],
  ['mailing.template.showUses', 'Show Uses', 'showUses'],
];
