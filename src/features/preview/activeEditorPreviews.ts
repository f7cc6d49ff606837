import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { getActiveEditorUris } from '../../platform/documents/unsaved.ts';
import type { Rendering } from '../../email/tags/index.ts';
import type { PreviewSession, SessionServices } from './session.ts';
import {
  getLocalSource,
  getMessageSource,
  type MailProblems,
  type PreviewServices,
  type PreviewSource,
} from './source.ts';
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

/** The session module is loaded with the first preview. */
const loadSession = () => import('./session.ts');

/** The open previews: at most one follows the active editor, the others are locked to their email. */
export class Previews implements vscode.Disposable {
  readonly #services: SessionServices;
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #resolvers = new Set<PreviewResolver>();
  /** Restored panels whose document no resolver recognized yet. */
  readonly #unresolvedPanels = new Map<vscode.WebviewPanel, PersistedPreview>();
  #sessions: readonly PreviewSession[] = [];
  #activeEditorKey = '';
  #problems: ProblemSource | undefined;

  constructor(services: PreviewServices) {
    const { registerWebviewPanelSerializer, tabGroups } = vscode.window;
    this.#services = { ...services, getProblems: (body) => this.#problems?.getProblems(body) };
    this.#subscriptions = [
      registerWebviewPanelSerializer(PREVIEW_VIEW_TYPE, {
        deserializeWebviewPanel: (panel, state) => this.#restore(panel, readPersistedPreview(state)),
      }),
      tabGroups.onDidChangeTabs(() => this.#followActiveEditor()),
      tabGroups.onDidChangeTabGroups(() => this.#followActiveEditor()),
    ];
  }

  /** The active preview, or else a visible one. */
  get current(): PreviewSession | undefined {
    const sessions = this.#sessions;
    return sessions.find(({ panel }) => panel.active) ?? sessions.find(({ panel }) => panel.visible) ?? sessions[0];
  }

  /** The document of the active editor, form, comparison or preview. */
  get activeDocument(): vscode.Uri | undefined {
    return getActiveEditorUris()[0] ?? this.#sessions.find(({ panel }) => panel.active)?.source.body;
  }

  /** Returns the open preview of a body document. */
  find(body: vscode.Uri): PreviewSession | undefined {
    return this.#sessions.find(({ source }) => isSameUri(source.body, body));
  }

  /** Returns the people that the open preview of a body can be shown as. */
  getPeople(body: vscode.Uri): readonly SelectablePerson[] {
    return this.find(body)?.viewer.people ?? [];
  }

  /** Returns the rendering of the preview that shows a document, or undefined if it shows raw tags or isn't open. */
  getRendering(document: vscode.Uri): Rendering | undefined {
    return this.#sessions.find(({ source }) => [source.body, source.details].some((uri) => isSameUri(uri, document)))
      ?.viewer.rendering;
  }

  /**
   * Shows a body in its open preview, in the preview that follows the active editor (or that of a message, for a message), or in a new one beside the
   * editor. The editor keeps the focus.
   */
  async show(source: PreviewSource): Promise<void> {
    const session = await loadSession();
    const isMessage = source.message !== undefined;
    const open =
      this.find(source.body) ??
      (isMessage ? this.#sessions.find((each) => each.isLocked && each.source.message) : this.#following);
    open?.show(source);
    if (open) return open.panel.reveal(undefined, true);
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(PREVIEW_VIEW_TYPE, t('Preview'), column);
    this.#add(new session.PreviewSession(panel, source, isMessage, this.#services));
  }

  /**
   * Toggles the lock of the current preview. Unlocking closes another preview that follows the active editor. Returns whether it is now locked, or
   * undefined if no preview is open.
   */
  async toggleLock(): Promise<boolean | undefined> {
    const { current } = this;
    if (!current) return undefined;
    if (current.isLocked) this.#following?.panel.dispose();
    current.setLocked(!current.isLocked);
    if (!current.isLocked) {
      // The active editor may have changed while the preview was locked.
      this.#activeEditorKey = '';
      await this.#followActiveEditor();
    }
    return current.isLocked;
  }

  /** Shows the problems of this source in all previews. */
  setProblemSource(source: ProblemSource): vscode.Disposable {
    this.#problems = source;
    return source.onDidChange(() => {
      for (const session of this.#sessions) session.postProblems();
    });
  }

  /** Registers a feature's resolver. Local HTML files need none. */
  registerResolver(resolver: PreviewResolver): vscode.Disposable {
    this.#resolvers.add(resolver);
    for (const [panel, state] of [...this.#unresolvedPanels]) void this.#restore(panel, state);
    return new vscode.Disposable(() => this.#resolvers.delete(resolver));
  }

  /** Returns the preview source of a document, or undefined if it can't be previewed. */
  async resolve(document: vscode.Uri): Promise<PreviewSource | undefined> {
    const found = await this.#findSource(document);
    return typeof found === 'string' ? undefined : found;
  }

  /** Returns the preview source of a document. Throws if it can't be previewed. */
  async require(document: vscode.Uri): Promise<PreviewSource> {
    const found =
      (await this.#findSource(document)) ??
      t('Only HTML files, templates, campaigns, and follow-up emails have a preview.');
    if (typeof found === 'string') throw new Error(found);
    return found;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const { panel } of this.#sessions) panel.dispose();
  }

  get #following() {
    return this.#sessions.find(({ isLocked }) => !isLocked);
  }

  #add(session: PreviewSession) {
    this.#sessions = [...this.#sessions, session];
    // Completes a walkthrough step.
    void vscode.commands.executeCommand('setContext', 'mailing.hasPreview', true);
    session.panel.onDidDispose(() => {
      this.#sessions = this.#sessions.filter((each) => each !== session);
      session.dispose();
    });
  }

  /** If a resolver knows why the email can't be shown now, a local file is still shown as it is. */
  async #findSource(document: vscode.Uri) {
    let reason: string | undefined;
    for (const resolver of this.#resolvers) {
      try {
        const found = await resolver(document);
        if (typeof found === 'object') return found;
        reason ??= found;
      } catch (error) {
        this.#services.log.warn(`Couldn't find the email of ${document.toString()}.`, error);
      }
    }
    return (await getMessageSource(document)) ?? getLocalSource(document) ?? reason;
  }

  /** Shows the active editor's email. Other documents, and messages of the outbox, leave the preview unchanged. */
  async #followActiveEditor() {
    const documents = getActiveEditorUris();
    const key = documents.join('\n');
    if (key === this.#activeEditorKey) return;
    this.#activeEditorKey = key;
    for (const document of this.#following ? documents : []) {
      const source = await this.resolve(document);
      if (key !== this.#activeEditorKey) return;
      if (source && !source.message) return this.#following?.show(source);
    }
  }

  async #restore(panel: vscode.WebviewPanel, state: PersistedPreview) {
    const session = await loadSession();
    const source = state.body && (await this.resolve(state.body));
    if (source && !this.#hasDuplicate(source, state)) {
      this.#unresolvedPanels.delete(panel);
      const isLocked = state.isLocked || this.#following !== undefined;
      this.#add(new session.PreviewSession(panel, source, isLocked, this.#services));
    } else if (source || !state.body) {
      panel.dispose();
    } else {
      const text = t(
        "Couldn't find the document of this preview. Close the preview and open it again from the document.",
      );
      panel.webview.html = `<p>${text}</p>`;
      if (!this.#unresolvedPanels.has(panel)) panel.onDidDispose(() => this.#unresolvedPanels.delete(panel));
      this.#unresolvedPanels.set(panel, state);
    }
  }

  /** Returns whether a restored panel would duplicate an open one. A locked and an unlocked preview may show the same email. */
  #hasDuplicate({ body }: PreviewSource, { isLocked }: PersistedPreview) {
    const duplicates = this.#sessions.filter(({ source }) => isSameUri(source.body, body));
    return isLocked ? duplicates.some((twin) => twin.isLocked) : this.#following !== undefined && duplicates.length > 0;
  }
}
