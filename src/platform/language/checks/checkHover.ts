import type * as vscode from 'vscode';
import { Hover, MarkdownString } from 'vscode';
import type { MailWorker } from '../../worker/index.ts';
import type { MailChecks } from './mailChecks.ts';
import { formatFinding } from '../tags/hoverMarkdown.ts';

/** Explains findings: their impact on recipients, and which clients support the feature. */
export class CheckHover implements vscode.HoverProvider {
  readonly #checks: MailChecks;
  readonly #worker: () => Promise<MailWorker>;

  constructor(checks: MailChecks, worker: () => Promise<MailWorker>) {
    this.#checks = checks;
    this.#worker = worker;
  }

  async provideHover({ uri }: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const checked = this.#checks.getCurrent(uri);
    const key = uri.toString();
    const places =
      checked?.findings.filter((found) => found.uri.toString() === key && found.diagnostic.range.contains(position)) ??
      [];
    if (!checked || places.length === 0) return undefined;
    const worker = await this.#worker();
    const { options } = checked;
    const texts = await Promise.all(
      // The innermost findings are the most specific.
      places.slice(-MAX_EXPLAINED).map(async ({ finding: { rule, url } }) => {
        const explanation = await worker.run('explain', {
          finding: { rule, ...(url !== undefined && { url }) },
          options,
        });
        return explanation ? [formatFinding(explanation, rule)] : [];
      }),
    );
    return texts.flat().length === 0 ? undefined : new Hover(texts.flat().map((text) => new MarkdownString(text)));
  }
}

/** More explanations are too long for a hover. */
const MAX_EXPLAINED = 2;
