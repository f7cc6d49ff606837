import type { CommandRow } from '../../platform/ui/commands.ts';

/** The commands on mapped folders. */
export const commands = [
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
] as const satisfies readonly CommandRow<string>[];

/** Names of the functions that run the commands. */
export type HandlerName = (typeof commands)[number][2];
