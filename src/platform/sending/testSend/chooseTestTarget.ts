import * as vscode from 'vscode';
import type { MailingClient } from '../../../service/client/index.ts';
import type { Connections } from '../../connections/connections.ts';
import type { RecordRef } from '../../connections/model.ts';
import { parseArgument, TargetPicker, type RecordSource, type RecordChoice } from '../../documents/recordCommands.ts';
import { parseUri } from '../../documents/uri.ts';
import type { Previews } from '../../preview/host/activeEditorPreviews.ts';
import { type CommandArgument, getFields } from '../../ui/commands.ts';
import type { RecentChoices } from '../../ui/recent.ts';
import type { TestableCollections, TestableCollection } from './testableMails.ts';

/** The email to test. */
export interface TestTarget {
  readonly mails: TestableCollection;
  readonly ref: RecordRef;
  /** The argument that named it, which may name one of the record's mails. */
  readonly argument: unknown;
}

export interface TestTargetServices {
  readonly testable: TestableCollections;
  readonly connections: Connections;
  readonly previews: Previews;
  readonly recent: RecentChoices;
}

/**
 * Returns the email named by the argument (a node, a document URI, `{ collection, connection, id }`), the active
 * email, or the one the user picks. Undefined if the user cancels.
 */
export async function chooseTestTarget(
  { testable, connections, previews, recent }: TestTargetServices,
  argument: CommandArgument,
  title: string,
): Promise<TestTarget | undefined> {
  const given = argument ?? previews.activeDocument;
  const { connection, id } = parseArgument(given);
  const mails = findCollection(testable, given);
  if (mails !== undefined && connection !== undefined && id !== undefined)
    return { mails, ref: { connection, id }, argument: given };
  const targets = new TargetPicker(connections, recent);
  const chosen = await targets.pickConnection(argument ?? {}, title);
  if (chosen === undefined) return undefined;
  const picked = await targets.pick(chosen.id, { ...(await createPicking(testable)), title });
  return picked && { mails: picked.mails, ref: { connection: chosen.id, id: picked.id }, argument: {} };
}

/** Without a collection, a reference means the first one: templates. */
function findCollection({ all }: TestableCollections, argument: CommandArgument): TestableCollection | undefined {
  const { collection } =
    argument instanceof vscode.Uri ? (parseUri(argument) ?? { collection: '' }) : getFields(argument);
  return collection === undefined ? all[0] : all.find((mails) => mails.collection === collection);
}

async function createPicking({
  all,
}: TestableCollections): Promise<RecordSource<RecordChoice & { readonly mails: TestableCollection }>> {
  const sources = await Promise.all(all.map(async (mails) => ({ mails, picking: (await mails.load()).picking })));
  return {
    collection: 'tests',
    placeholder: 'A test of which email? Type to search names on the service',
    search: async (client: MailingClient, text: string, signal: AbortSignal) => {
      const found = sources.map(async ({ mails, picking }) =>
        (await picking.search(client, text, signal)).map((choice) => ({
          ...choice,
          mails,
          group: mails.heading,
          key: `${mails.collection}/${choice.id}`,
          iconPath: new vscode.ThemeIcon(mails.codicon),
        })),
      );
      return (await Promise.all(found)).flat();
    },
  };
}
