import * as vscode from 'vscode';
import type { Folders } from './folders.ts';
import type { ProjectTemplate } from './project.ts';

interface LensTemplate extends ProjectTemplate {
  /** Whether the template has an id on a configured connection. */
  readonly isOnService: boolean;
}

const isTrusted = (): boolean => vscode.workspace.isTrusted;

/** The lenses of a mapped template, in their order. */
const lensDefinitions: readonly (readonly [title: string, command: string, applies: (one: LensTemplate) => boolean])[] =
  [
    ['Build', 'mailing.folders.build', ({ template }) => template.task !== undefined && isTrusted()],
    ['Preview', 'mailing.preview', () => true],
    ['Compare with the Service', 'mailing.folders.compare', ({ isOnService }) => isOnService],
    ['Push', 'mailing.folders.push', isTrusted],
  ];

/** Provides lenses in mapped sources and in bodies that aren't built. */
export class MappingLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #folders: Folders;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(folders: Folders) {
    this.#folders = folders;
    this.#subscriptions = [
      this.#changed,
      vscode.languages.registerCodeLensProvider({ pattern: '**/*' }, this),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
      folders.onDidChange(() => this.#changed.fire()),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const templates = this.#folders.findTemplatesWrittenIn(uri);
    if (templates.length === 0) return [];
    const lensTemplates = templates.map((one) => ({
      ...one,
      isOnService: one.project.targets.some(({ template }) => template === one.template),
    }));
    return lensDefinitions
      .filter(([, , applies]) => lensTemplates.some(applies))
      .map(
        ([title, command]) => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [uri] }),
      );
  }
}
