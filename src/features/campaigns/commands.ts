import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.campaign.openBody', 'Open Campaign Body', 'openBody'],
  ['mailing.campaign.create', 'New Campaign', 'create'],
  ['mailing.campaign.send', 'Send Campaign', 'send'],
];
