import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.campaign.open', 'Open Campaign', 'open'],
  ['mailing.campaign.openBody', 'Open Campaign Body', 'openBody'],
  ['mailing.campaign.openAsText', 'Open as Text', 'openAsText'],
  ['mailing.campaign.openAsForm', 'Open as Form', 'openAsForm'],
  ['mailing.campaign.preview', 'Open Preview', 'preview'],
  ['mailing.campaign.create', 'New Campaign', 'create'],
  ['mailing.campaign.duplicate', 'Duplicate Campaign', 'duplicate'],
  ['mailing.campaign.delete', 'Delete Campaign', 'delete'],
  ['mailing.campaign.send', 'Send Campaign', 'send'],
];
