import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { Connections } from '../connections/connections.ts';
import { toServiceRef, type RecordRef } from '../connections/model.ts';
import { parseArgument, TargetPicker, type RecordChoice, type RecordSource } from './recordCommands.ts';
import { parseUri } from './uri.ts';
import { type CommandArgument, getFields } from '../../ui/commands.ts';
import type { RecentChoices } from '../../ui/recent.ts';
import type { RecordCollection, RecordOperations } from './recordCollections.ts';

export interface RecordPickServices {
  /** A reference that names no collection belongs to the first one. */
  readonly records: readonly RecordCollection[];
  readonly connections: Connections;
  readonly recent: RecentChoices;
}

/** A collection and what can be done with its records. */
type LoadedCollection = RecordCollection & RecordOperations;
type Having<Name extends keyof LoadedCollection> = LoadedCollection & Required<Pick<LoadedCollection, Name>>;

interface ChosenRecord<Name extends keyof LoadedCollection> {
  readonly collection: Having<Name>;
  readonly ref: RecordRef;
  /** The argument that named it, which may name one of the record's mails. */
  readonly argument: CommandArgument;
}

/**
 * Returns the record that the argument names (a node, a document URI, `{ collection, connection, id }`), or the one that the user picks
 * among the records of collections with this property. Undefined if the user cancels. Throws if the named record's collection lacks it.
 */
export async function chooseRecord<Name extends keyof LoadedCollection>(
  { records, connections, recent }: RecordPickServices,
  argument: CommandArgument,
  title: string,
  property: Name,
): Promise<ChosenRecord<Name> | undefined> {
  const name = argument instanceof vscode.Uri ? parseUri(argument)?.collection : getFields(argument)['collection'];
  const named = records.find(({ collection }) => collection === name);
  const loading = (named ? [named] : records).map(async (each) => ({ ...each, ...(await each.load()) }));
  const candidates = (await Promise.all(loading)).filter((each): each is Having<Name> => Boolean(each[property]));
  const [first] = candidates;
  if (first === undefined) throw new Error(t`"${title}" isn't available here.`);
  const { connection, baseUrl, id } = parseArgument(argument);
  // A reference to an unrecognized collection names none of these records.
  const isNamed = named !== undefined || (name === undefined && property !== 'delete');
  if (connection !== undefined && id !== undefined && isNamed)
    return {
      collection: first,
      ref: { ...toServiceRef(await connections.resolve({ connection, baseUrl })), id },
      argument,
    };
  const targets = new TargetPicker(connections, recent);
  const service = await targets.pickConnection(argument ?? {}, title);
  if (!service) return undefined;
  const ref = toServiceRef(service);
  const picked = await targets.pick(ref, { ...createPicking(candidates), title });
  return picked && { collection: picked.from, ref: { ...ref, id: picked.id }, argument: {} };
}

/** Searches several collections at once. */
function createPicking<Name extends keyof LoadedCollection>(
  candidates: readonly Having<Name>[],
): RecordSource<RecordChoice & { readonly from: Having<Name> }> {
  return {
    collection: candidates.map(({ collection }) => collection).join(),
    placeholder: t('Type to search names on the service'),
    search: async (client, text, signal) => {
      const found = candidates.map(async (from) =>
        (await from.picking.search(client, text, signal)).map((choice) => ({
          ...choice,
          from,
          group: from.heading,
          key: `${from.collection}/${choice.id}`,
          iconPath: new vscode.ThemeIcon(from.codicon),
        })),
      );
      return (await Promise.all(found)).flat();
    },
  };
}
