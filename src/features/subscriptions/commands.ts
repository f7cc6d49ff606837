import type { CommandRow } from '../../platform/ui/commands.ts';
import type { Handlers } from './handlers.ts';

export const commands: readonly CommandRow<Exclude<keyof Handlers, 'restore'>>[] = [
  ['mailing.list.showSubscribers', 'Show Subscribers', 'showSubscribers'],
  ['mailing.list.exportSubscribers', 'Export Subscribers', 'exportSubscribers'],
  ['mailing.list.subscribe', 'Subscribe Addresses', 'subscribe'],
  ['mailing.list.unsubscribe', 'Unsubscribe Addresses', 'unsubscribe'],
  ['mailing.list.continueSubscriptions', 'Continue Changing Subscriptions', 'continueSubscriptions'],
  ['mailing.user.showSubscriptions', 'Show Subscriptions of a User', 'showSubscriptions'],
];
