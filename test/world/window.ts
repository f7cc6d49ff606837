import { sendCampaign } from '../../src/features/campaigns/send.ts';
import { campaignSuffixes } from '../../src/features/campaigns/model.ts';
import { Campaigns } from '../../src/features/campaigns/campaigns.ts';
import type { Builds } from '../../src/features/sourceControl/builds.ts';
import { FolderProject } from '../../src/features/sourceControl/project.ts';
import type { FolderTools } from '../../src/features/sourceControl/selection.ts';
import { discard, forcePush, pull, push } from '../../src/features/sourceControl/transfers.ts';
import { SubscriptionChanges } from '../../src/features/subscriptions/run/changes.ts';
import { templateDocuments } from '../../src/features/templates/documents.ts';
import { ConnectionCore } from '../../src/platform/connections/core.ts';
import type { Connection } from '../../src/platform/connections/model.ts';
import { openClient } from '../../src/platform/connections/open.ts';
import type { AnyKind, DocumentAddress } from '../../src/platform/documents/model.ts';
import { SaveError } from '../../src/platform/documents/model.ts';
import type { Version } from '../../src/platform/documents/openDocument.ts';
import { OpenRecord } from '../../src/platform/documents/openRecord.ts';
import { TargetPicker } from '../../src/platform/documents/recordCommands.ts';
import { loadSending, sendTestRequest } from '../../src/features/sending/load.ts';
import type { TestRecipients } from '../../src/features/sending/testSend/recipients.ts';
import { TestLog } from '../../src/features/sending/testSend/testLog.ts';
import { SerialQueue } from '../../src/sync/exclusive.ts';
import { hashText } from '../../src/sync/fields/fields.ts';
import { mergeTexts, type MergeInput } from '../../src/sync/merge/merge.ts';
import { RevisionStore } from '../../src/sync/push/revisions.ts';
import { StateFiles } from '../../src/sync/stateFiles.ts';
import { readTemplateTexts } from '../../src/sync/mapping/templateLayout.ts';
import { memoryMemento } from '../support/memento.ts';
import { Uri, user } from '../support/vscodeStandIn.ts';

/** What outlives a window: the workspace state, and VS Code's backup of an unsaved editor. */
export interface WindowState {
  readonly bases: Map<string, Version>;
  editor: { text: string; isDirty: boolean; isUnsaved: boolean } | undefined;
}

export interface WindowOptions {
  readonly connection: Connection;
  readonly apiKey: string;
  /** Folder of the extension's files. */
  readonly storage: string;
  /** The workspace folder. */
  readonly folder: string;
  /** The template whose body is in an editor. */
  readonly templateId: number;
  readonly state: WindowState;
  /** Called with the text that the user gives up. */
  handleRevert(text: string): void;
  /** Asks the user what to do about a conflict with another text. */
  askAboutConflict(theirs: string): Promise<'overwrite' | 'revert' | undefined>;
  /** Tells the user that an earlier save came late. */
  askAboutLateSave(mine: string, theirs: string): Promise<'saveNewer' | 'keepEarlier' | undefined>;
}

/** A window that the world uses. */
export type Window = Awaited<ReturnType<typeof openWindow>>;

class WindowConnections extends ConnectionCore {
  readonly #apiKey: string;

  constructor(connection: Connection, apiKey: string) {
    super();
    this.#apiKey = apiKey;
    this.setConnections([connection]);
  }

  readonly getCustomFieldNames = (): readonly string[] => [];
  readonly getSending = () => Promise.resolve({ profile: 'documented' } as const);
  protected override readKey = async (): Promise<string> => this.#apiKey;
  protected override handleChange = (): void => undefined;
  protected override openClient = async (connection: Connection, apiKey: () => Promise<string>) =>
    openClient(connection, apiKey, new Set());
}

/** Opens a window: everything of the extension that writes and sends, without what only shows. */
export async function openWindow(options: WindowOptions) {
  const { connection, apiKey, storage, folder, state, templateId } = options;
  const connections = new WindowConnections(connection, apiKey);
  const context = {
    globalStorageUri: Uri.file(storage),
    extensionUri: Uri.file('/extension'),
    workspaceState: memoryMemento(),
    subscriptions: [],
  };
  const kind = templateDocuments as unknown as AnyKind;
  const address = {
    connection: connection.id,
    id: templateId,
    kind,
    part: kind.parts[0],
    uri: { toString: () => `mailing://one/templates/${templateId}/L.html`, path: `/templates/${templateId}/L.html` },
  } as unknown as DocumentAddress;
  const records = new Map<number, OpenRecord>();
  /** Shows the service's text in the editor, as VS Code does when it reloads a document. */
  const reload = async (isRevert = false) => {
    const record = await getRecord(templateId).read({ freshness: 'shared' });
    const text = address.part.render(record);
    const document = getRecord(templateId).getDocument(address);
    document.recordVersion(text);
    document.recordRead(text);
    if (state.editor === undefined || (state.editor.isUnsaved && !isRevert)) return;
    if (isRevert) options.handleRevert(state.editor.text);
    Object.assign(state.editor, { text, isDirty: false, isUnsaved: false });
    document.handleEdit(true);
  };
  const getRecord = (id: number): OpenRecord => {
    const existing = records.get(id);
    if (existing !== undefined) return existing;
    const record = new OpenRecord({ connection: connection.id, id, kind }, connections, {
      getEditor: () => state.editor,
      bases: {
        get: (uri) => state.bases.get(uri),
        set: (uri, base) => void (base === undefined ? state.bases.delete(uri) : state.bases.set(uri, base)),
      },
      handleRead: (_address, { changed }) => {
        if (changed.length > 0 && state.editor?.isUnsaved === false) void reload().catch(() => undefined);
      },
      handleLateSave: (document, mine, theirs) => {
        if (state.editor !== undefined && !state.editor.isUnsaved) {
          Object.assign(state.editor, { text: mine, isDirty: true, isUnsaved: true });
          document.handleEdit(true);
        }
        const answering = options.askAboutLateSave(mine, theirs).then(async (choice) => {
          if (choice === 'saveNewer') await save();
          if (choice === 'keepEarlier') await reload(true);
        });
        // VS Code reports it.
        answering.catch(() => undefined);
      },
    });
    records.set(id, record);
    return record;
  };
  const documents = {
    getRecord: async (_collection: string, { id }: { readonly id: number }) => getRecord(id),
    find: () => undefined,
    resolveUri: async (collection: string, { id }: { readonly id: number }, suffix: string) =>
      Uri.parse(`mailing://${connection.id}/${collection}/${id}/Name${suffix}`),
    getSiblingUri: ({ path }: Uri, suffix: string) =>
      Uri.parse(`mailing://${connection.id}${path.replace(/Name.*$/u, '')}Name${suffix}`),
  };
  const worker = async () => ({
    hold: async () => ({ dispose: () => undefined }),
    run: async (job: string, input: unknown) =>
      job === 'merge'
        ? mergeTexts(input as MergeInput)
        : job === 'check'
          ? { findings: [] }
          : job === 'images'
            ? []
            : { html: '', text: '' },
  });
  const services = {
    connections,
    context,
    documents,
    worker,
    explorer: { refresh: () => undefined },
    log: { error: () => undefined, warn: () => undefined },
    recent: { add: () => undefined, get: () => undefined },
    testLog: new TestLog(context.workspaceState),
  };
  const { campaignSender, testSender, resume } = await loadSending(services as never);
  const parts = { ...services, testSender, getCampaignSender: async () => campaignSender };
  const campaigns = new Campaigns(parts as never);

  const changes = new SubscriptionChanges(services as never);

  const root = Uri.file(folder);
  const project = new FolderProject(
    root as never,
    {
      ...services,
      revisions: new RevisionStore(new StateFiles(`${storage}/versions`), () => connection.baseUrl),
      mapped: {
        kind,
        readTexts: readTemplateTexts,
      },
    } as never,
  );
  const tools = {
    ...services,
    builds: { ensureCurrentOutputs: async () => true } as unknown as Builds,
    targets: new TargetPicker(connections as never),
    pushQueue: new SerialQueue(),
    savingUris: new Set<string>(),
  } as unknown as FolderTools;
  const transfer = async (run: typeof pull | typeof push | typeof discard) => {
    await project.updateMapping();
    return run(tools, project.targets);
  };

  /** Saves the editor. Returns the stored text, or the error message. */
  async function save(): Promise<{ readonly stored: string } | string | undefined> {
    const { editor } = state;
    if (editor === undefined) return undefined;
    const record = getRecord(templateId);
    const document = record.getDocument(address);
    const { text } = editor;
    record.beginSave(address);
    try {
      await record.save(address, text);
      editor.isDirty = false;
      editor.isUnsaved = editor.text !== text;
      if (document.endSave()) void reload().catch(() => undefined);
      return { stored: text };
    } catch (error) {
      if (error instanceof SaveError && error.details.conflict?.isNew) {
        const { theirs } = error.details.conflict;
        const answering = options.askAboutConflict(theirs).then(async (choice) => {
          document.resolveConflict(hashText(theirs), choice === 'overwrite' ? 'overwrite' : 'none');
          if (choice === 'overwrite') await save();
          if (choice === 'revert') await reload(true);
        });
        answering.catch(() => undefined);
      }
      return error instanceof Error ? error.message : String(error);
    }
  }

  // The review before a send compares the last test with them.
  for (const id of [1, 2])
    for (const suffix of Object.values(campaignSuffixes))
      user.documents.push({
        uri: await documents.resolveUri('campaigns', { id }, suffix),
        getText: () => '',
      });

  // VS Code restores the unsaved editor of the last session.
  if (state.editor !== undefined) getRecord(templateId).getDocument(address).handleOpen();

  return {
    user,
    resume: async () => {
      for (const record of records.values()) void record.uncertainWrites.check();
      await resume();
    },
    sendCampaign: (id: number) => sendCampaign(campaigns, { connection: connection.id, id }),
    sendTest: (what: string, body: string, to: TestRecipients) =>
      sendTestRequest(parts as never, {
        connection,
        what: `tests/${what}`,
        message: {
          name: what,
          envelope: { subject: what, preheader: '', from_name: '', from_email: '' },
          body,
          isEmpty: false,
        },
        to,
      }),
    changeSubscriptions: (kind: 'subscribe' | 'unsubscribe', emails: readonly string[], listId: number) => {
      const quiet = { sendWelcomeEmail: true, sendUnsubscribeEmail: true, trigger: false };
      return changes.change(kind, { connection: connection.id, emails, listIds: [listId], ...quiet });
    },
    pull: () => transfer(pull),
    push: () => transfer(push),
    overwrite: () => transfer(forcePush),
    discard: () => transfer(discard),
    /** Opens the template's body in an editor. */
    open: async () => {
      const text = address.part.render(await getRecord(templateId).read({ freshness: 'recent', purpose: 'open' }));
      const document = getRecord(templateId).getDocument(address);
      if (state.editor !== undefined) return;
      state.editor = { text, isDirty: false, isUnsaved: false };
      document.recordVersion(text);
      document.recordRead(text);
      document.handleOpen();
    },
    /** Types in the editor. Like VS Code, reports the change before the dirty state. */
    type: (change: (text: string) => string) => {
      if (state.editor === undefined) return;
      const document = getRecord(templateId).getDocument(address);
      state.editor.text = change(state.editor.text);
      document.handleEdit(true);
      Object.assign(state.editor, { isDirty: true, isUnsaved: true });
      document.handleEdit(false);
    },
    save,
    isTracked: (id: number) => campaignSender.isTracked({ connection: connection.id, id }),
  };
}
