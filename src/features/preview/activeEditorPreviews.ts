import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { getActiveEditorUris } from '../../platform/documents/unsaved.ts';
import { once } from '../../ui/async.ts';
import type { PreviewSession } from './session.ts';
import { getLocalSource, type MailProblems, type PreviewServices, type PreviewSource } from './source.ts';
import type { SelectablePerson } from './viewerSelection.ts';

/** Returns the preview source of a document, why it can't be previewed now, or undefined if another feature handles the document. */
type PreviewResolver = (document: vscode.Uri) => Promise<PreviewSource | string | undefined>;

/** Provides the problems of emails. */
interface ProblemSource {
  readonly onDidChange: vscode.Event<unknown>;
  /** Returns the problems of the email with this body, or undefined if there are none or it wasn't checked. */
  getProblems(body: vscode.Uri): MailProblems | undefined;
}

/** Also used in `when` clauses: `activeWebviewPanelId == 'mailing.preview'`. */
const PREVIEW_VIEW_TYPE = 'mailing.preview';

/** The state that the page stored for a reload of the window. */
interface PersistedPreview {
  readonly body: vscode.Uri | undefined;
  readonly isLocked: boolean;
}

function readPersistedPreview(state: unknown): PersistedPreview {
  const { document, locked } = Object(state) as Readonly<Record<string, unknown>>;
  return { body: typeof document === 'string' ? vscode.Uri.parse(document) : undefined, isLocked: locked === true };
}

const isSameUri = (one: vscode.Uri | undefined, other: vscode.Uri) => one?.toString() === other.toString();

/** The open previews: at most one follows the active editor, the others are locked to their email. */
export type Previews = ReturnType<typeof createPreviews>;

export function createPreviews(services: PreviewServices) {
  const { tabGroups } = vscode.window;
  let sessions: readonly PreviewSession[] = [];
  const resolvers = new Set<PreviewResolver>();
  /** Restored panels whose document no resolver recognized yet. */
  const unresolvedPanels = new Map<vscode.WebviewPanel, PersistedPreview>();
  let activeEditorKey = '';
  let problems: ProblemSource | undefined;
  const subscriptions = [
    vscode.window.registerWebviewPanelSerializer(PREVIEW_VIEW_TYPE, {
      deserializeWebviewPanel: (panel, state) => restore(panel, readPersistedPreview(state)),
    }),
    tabGroups.onDidChangeTabs(followActiveEditor),
    tabGroups.onDidChangeTabGroups(followActiveEditor),
  ];
  const getFollowing = () => sessions.find(({ isLocked }) => !isLocked);
  const find = (body: vscode.Uri) => sessions.find(({ source }) => isSameUri(source.body, body));

  /** Loads the session module with the first preview. */
  const loadSessions = once(async () => {
    const { createPreviewSession } = await import('./session.ts');
    return (panel: vscode.WebviewPanel, source: PreviewSource, isLocked: boolean) => {
      const session = createPreviewSession(panel, source, isLocked, {
        ...services,
        getProblems: (body) => problems?.getProblems(body),
      });
      sessions = [...sessions, session];
      // Completes a walkthrough step.
      void vscode.commands.executeCommand('setContext', 'mailing.hasPreview', true);
      panel.onDidDispose(() => {
        sessions = sessions.filter((each) => each !== session);
        session.dispose();
      });
    };
  });

  /**
   * Shows a body in its open preview, in the preview that follows the active editor, or in a new one beside the editor. The editor keeps the focus.
   */
  async function show(source: PreviewSource) {
    const openSession = await loadSessions();
    const open = find(source.body) ?? getFollowing();
    open?.show(source);
    if (open) return open.panel.reveal(undefined, true);
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    openSession(vscode.window.createWebviewPanel(PREVIEW_VIEW_TYPE, t('Preview'), column), source, false);
  }

  const getCurrent = () =>
    sessions.find(({ panel }) => panel.active) ?? sessions.find(({ panel }) => panel.visible) ?? sessions[0];

  /**
   * Toggles the lock of the current preview. Unlocking closes another preview that follows the active editor. Returns whether it is now locked, or
   * undefined if no preview is open.
   */
  async function toggleLock() {
    const current = getCurrent();
    if (!current) return undefined;
    if (current.isLocked) getFollowing()?.panel.dispose();
    current.setLocked(!current.isLocked);
    if (!current.isLocked) {
      // The active editor may have changed while the preview was locked.
      activeEditorKey = '';
      await followActiveEditor();
    }
    return current.isLocked;
  }

  /** Returns the preview source of a document, or undefined if it can't be previewed. */
  async function resolve(document: vscode.Uri) {
    const found = await findSource(document);
    return typeof found === 'string' ? undefined : found;
  }

  /** If a resolver knows why the email can't be shown now, a local file is still shown as it is. */
  async function findSource(document: vscode.Uri) {
    let reason: string | undefined;
    for (const resolver of resolvers) {
      try {
        const found = await resolver(document);
        if (typeof found === 'object') return found;
        reason ??= found;
      } catch (error) {
        services.log.warn(`Couldn't find the email of ${document.toString()}.`, error);
      }
    }
    return getLocalSource(document) ?? reason;
  }

  /** Shows the active editor's email. Other documents leave the preview unchanged. */
  async function followActiveEditor() {
    const documents = getActiveEditorUris();
    const key = documents.join('\n');
    if (key === activeEditorKey) return;
    activeEditorKey = key;
    for (const document of getFollowing() ? documents : []) {
      const source = await resolve(document);
      if (key !== activeEditorKey) return;
      if (source) return getFollowing()?.show(source);
    }
  }

  async function restore(panel: vscode.WebviewPanel, state: PersistedPreview) {
    const openSession = await loadSessions();
    const source = state.body && (await resolve(state.body));
    if (source && !hasDuplicate(source, state)) {
      unresolvedPanels.delete(panel);
      openSession(panel, source, state.isLocked || getFollowing() !== undefined);
    } else if (source || !state.body) {
      panel.dispose();
    } else {
      const text = t(
        "Couldn't find the document of this preview. Close the preview and open it again from the document.",
      );
      panel.webview.html = `<p>${text}</p>`;
      if (!unresolvedPanels.has(panel)) panel.onDidDispose(() => unresolvedPanels.delete(panel));
      unresolvedPanels.set(panel, state);
    }
  }

  /** Returns whether a restored panel would duplicate an open one. A locked and an unlocked preview may show the same email. */
  function hasDuplicate({ body }: PreviewSource, { isLocked }: PersistedPreview) {
    const duplicates = sessions.filter(({ source }) => isSameUri(source.body, body));
    return isLocked ? duplicates.some((twin) => twin.isLocked) : getFollowing() !== undefined && duplicates.length > 0;
  }

  return {
    show,
    /** Returns the open preview of a body document. */
    find,
    /** Returns the active preview, or else a visible one. */
    getCurrent,
    toggleLock,
    /** Returns the rendering of the preview that shows a document, or undefined if it shows raw tags or isn't open. */
    getRendering: (document: vscode.Uri) =>
      sessions
        .find(({ source }) => [source.body, source.details].some((uri) => isSameUri(uri, document)))
        ?.viewer.getRendering(),
    /** Shows the problems of this source in all previews. */
    setProblemSource(source: ProblemSource) {
      problems = source;
      return source.onDidChange(() => {
        for (const session of sessions) session.postProblems();
      });
    },
    /** The document of the active editor, form, comparison or preview. */
    get activeDocument() {
      return getActiveEditorUris()[0] ?? sessions.find(({ panel }) => panel.active)?.source.body;
    },
    /** Returns the people that the open preview of a body can be shown as. */
    getPeople: (body: vscode.Uri): readonly SelectablePerson[] => find(body)?.viewer.getPeople() ?? [],
    /** Registers a feature's resolver. Local HTML files need none. */
    registerResolver(resolver: PreviewResolver) {
      resolvers.add(resolver);
      for (const [panel, state] of [...unresolvedPanels]) void restore(panel, state);
      return new vscode.Disposable(() => resolvers.delete(resolver));
    },
    resolve,
    /** Returns the preview source of a document. Throws if it can't be previewed. */
    async require(document: vscode.Uri) {
      const found =
        (await findSource(document)) ??
        t('Only HTML files, templates, campaigns, and follow-up emails have a preview.');
      if (typeof found === 'string') throw new Error(found);
      return found;
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      for (const { panel } of sessions) panel.dispose();
    },
  };
}
