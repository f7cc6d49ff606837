import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<keyof Handlers>[] = [
  ['mailing.folders.map', 'Map Templates to a Folder', 'map'],
  ['mailing.folders.mapFile', 'Map This File to a Template', 'mapFile'],
  ['mailing.folders.build', 'Build', 'build'],
  ['mailing.folders.promote', 'Promote to Another Connection', 'promote'],
  ['mailing.folders.refresh', 'Refresh Mapped Templates', 'refresh'],
  ['mailing.folders.push', 'Push', 'push'],
  ['mailing.folders.pull', 'Pull', 'pull'],
  ['mailing.folders.compare', 'Compare with the Service', 'compare'],
  ['mailing.folders.discard', 'Discard Changes', 'discard'],
  ['mailing.folders.overwrite', 'Push Mine over the Service', 'overwrite'],
  ['mailing.folders.reviewChanges', 'Review All Changes', 'reviewChanges'],
  ['mailing.folders.compareEarlier', 'Compare with an Earlier State', 'compareEarlier'],
  ['mailing.folders.restore', 'Restore an Earlier State', 'restore'],
];
