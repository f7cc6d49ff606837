import * as vscode from 'vscode';
import type { MailAddress } from '../../../email/checks/index.ts';
import { formatAmount } from '../../ui/format.ts';
import { showInfo, showWarning } from '../../ui/messages.ts';
import { withProgress } from '../../ui/progress.ts';
import { escapeMessage, toSingleLine } from '../../ui/text.ts';
import type { MailWorker } from '../../worker/index.ts';
import { probe, type ProbeOptions, type ProbeResult } from './probe.ts';

const CHECK_LINKS_TITLE = 'Check Links and Images';
const CONCURRENT_PROBES = 8;

/** Checks the links and images of an email on request, and publishes problems as diagnostics. */
export class LinkChecks implements vscode.Disposable {
  readonly #worker: () => Promise<MailWorker>;
  readonly #collection = vscode.languages.createDiagnosticCollection('mailing-links');
  readonly #closeSubscription = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri));

  constructor(worker: () => Promise<MailWorker>) {
    this.#worker = worker;
  }

  dispose(): void {
    this.#closeSubscription.dispose();
    this.#collection.dispose();
  }

  /**
   * Prompts for the hosts first: nothing is fetched without the user's consent. Undefined if the user cancels or there
   * is nothing to check.
   */
  async check(document: vscode.TextDocument) {
    const { addresses, skippedCount } = await (await this.#worker()).run('addresses', { body: document.getText() });
    const without =
      skippedCount === 0 ? '' : ` Skipped ${formatAmount(skippedCount, 'link')} that may unsubscribe or contain tags.`;
    if (addresses.length === 0) {
      void showInfo(`No web links or images to check.${without}`);
      return undefined;
    }
    const hosts = await pickHosts(addresses, without);
    if (hosts === undefined || hosts.size === 0) return undefined;
    const selected = addresses.filter(({ url }) => hosts.has(new URL(url).host));
    const results = await withProgress(CHECK_LINKS_TITLE, (signal, report) =>
      probeAll(selected, { signal, hosts }, (done) => report(`${done} of ${selected.length}`, 100 / selected.length)),
    );
    const diagnostics = results.flatMap(([address, result]) => createDiagnostics(document, address, result));
    this.#collection.set(document.uri, diagnostics);
    const broken = results.filter(([address, result]) => getProblem(address, result) !== undefined).length;
    const found = broken === 0 ? 'no problems found' : `${broken} with problems`;
    const text = `Checked ${formatAmount(selected.length, 'URL')}: ${found}.`;
    void (broken === 0 ? showInfo(text) : showWarning(text));
    if (broken > 0) await vscode.commands.executeCommand('workbench.actions.view.problems');
    return { checked: selected.length, broken };
  }
}

/** Prompts for the hosts that may be requested; undefined if the user cancels. */
async function pickHosts(
  addresses: readonly MailAddress[],
  skippedNote: string,
): Promise<ReadonlySet<string> | undefined> {
  const items = Array.from(
    Map.groupBy(addresses, ({ url }) => new URL(url).host),
    ([host, { length }]) => ({
      label: escapeMessage(host),
      description: formatAmount(length, 'URL'),
      picked: true,
      host,
    }),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: `${CHECK_LINKS_TITLE}: the selected hosts will see your IP address.${skippedNote}`,
    placeHolder: 'Select the hosts to contact',
    canPickMany: true,
  });
  return picked && new Set(picked.map(({ host }) => host));
}

type ProbedAddress = readonly [address: MailAddress, result: ProbeResult];

async function probeAll(
  addresses: readonly MailAddress[],
  options: ProbeOptions,
  report: (done: number) => void,
): Promise<readonly ProbedAddress[]> {
  const results: ProbedAddress[] = [];
  const waiting = [...addresses];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results.push([next, await probe(next.url, options)]);
      report(results.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_PROBES }, work));
  return results;
}

/** Returns the problem with a response; undefined if there is none or no request was made. */
function getProblem({ kind }: MailAddress, probed: ProbeResult): string | undefined {
  if (probed.kind === 'failed') return `${probed.reason}.`;
  if (probed.kind === 'refused') return undefined;
  if (probed.status >= 400) return `Responds with status ${probed.status}.`;
  const isImage = probed.type === '' || /^(?:image\/|application\/octet-stream)/iu.test(probed.type);
  return kind === 'image' && !isImage ? `Not an image (${toSingleLine(probed.type, 60)}).` : undefined;
}

function createDiagnostics(
  document: vscode.TextDocument,
  address: MailAddress,
  probed: ProbeResult,
): vscode.Diagnostic[] {
  const problem = getProblem(address, probed);
  const text = problem ?? (probed.kind === 'refused' ? `Not checked: ${probed.reason}.` : undefined);
  if (text === undefined) return [];
  const { Information, Warning } = vscode.DiagnosticSeverity;
  return address.ranges.map(({ start, end }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const message = escapeMessage(`${toSingleLine(address.url, 100)}: ${text}`, 400);
    const diagnostic = new vscode.Diagnostic(range, message, problem === undefined ? Information : Warning);
    diagnostic.source = 'Mailing Studio';
    diagnostic.code = address.kind;
    return diagnostic;
  });
}
