import type { CommandRow } from '../ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.checkEmail', 'Check This Email', 'checkEmail'],
  ['mailing.checks.useAudienceClients', "Use My Audience's Clients", 'useAudienceClients'],
  ['mailing.checks.links', 'Check Links and Images', 'checkLinks'],
];
