import * as vscode from 'vscode';
import type { MailAddress } from '../../../email/checks/index.ts';
import { formatNumber, formatPair, plural, t } from '../../../l10n.ts';
import { showInfo, showWarning, withProgress } from '../../../ui/messages.ts';
import { escapeMessage, toSingleLine } from '../../../service/text.ts';
import type { MailWorker } from '../../../platform/worker/index.ts';
import { probe, type ProbeOptions, type ProbeResult } from './probe.ts';

const CONCURRENT_PROBES = 8;

/** Checks the links and images of an email on request, and publishes problems as diagnostics. */
export class LinkChecks implements vscode.Disposable {
  readonly #worker: () => Promise<MailWorker>;
  readonly #collection = vscode.languages.createDiagnosticCollection('mailing-links');
  readonly #closeSubscription = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri));

  /** Sizes of what was checked in bytes, by URL; 0 if unknown. */
  readonly imageSizes = new Map<string, number>();

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
    const find = async () => (await this.#worker()).run('addresses', { body: document.getText() });
    const { addresses, skippedCount } = await find();
    const skippedNote =
      skippedCount > 0 &&
      plural(
        skippedCount,
        t('Skipped {0} link that may unsubscribe or contain tags.'),
        t('Skipped {0} links that may unsubscribe or contain tags.'),
      );
    if (addresses.length === 0) {
      void showInfo(joinSentences(t('No web links or images to check.'), skippedNote));
      return undefined;
    }
    const title = joinSentences(t('Check Links and Images: the selected hosts will see your IP address.'), skippedNote);
    const hosts = await pickHosts(addresses, title);
    if (!hosts || hosts.size === 0) return undefined;
    const selected = addresses.filter(({ url }) => hosts.has(new URL(url).host));
    const results = await withProgress(t('Checking links and images'), (signal, report) =>
      probeAll(selected, { signal, hosts }, (done) =>
        report(t('{0} of {1}', formatNumber(done), formatNumber(selected.length)), 100 / selected.length),
      ),
    );
    for (const [{ url }, result] of results) this.imageSizes.set(url, getSize(result));
    // The user may have edited or closed the document meanwhile.
    const probed = new Map(results.map(([{ url, kind }, result]) => [`${kind} ${url}`, result]));
    const diagnostics = (await find()).addresses.flatMap((address) => {
      const result = probed.get(`${address.kind} ${address.url}`);
      return result ? createDiagnostics(document, address, result) : [];
    });
    if (!document.isClosed) this.#collection.set(document.uri, diagnostics);
    const broken = results.filter(([address, result]) => getProblem(address, result) !== undefined).length;
    if (broken === 0) {
      const text = plural(
        selected.length,
        t('Checked {0} URL. No problems found.'),
        t('Checked {0} URLs. No problems found.'),
      );
      void showInfo(text);
    } else {
      const text = plural(
        selected.length,
        t('Checked {0} URL: {1} with problems.'),
        t('Checked {0} URLs: {1} with problems.'),
        formatNumber(broken),
      );
      void showWarning(text);
      await vscode.commands.executeCommand('workbench.actions.view.problems');
    }
    return { checked: selected.length, broken };
  }
}

const getSize = (result: ProbeResult) => (result.kind === 'answered' && result.status < 400 && result.bytes) || 0;

const joinSentences = (...sentences: readonly (string | false)[]) => sentences.filter(Boolean).join(' ');

/** Prompts for the hosts that may be requested; undefined if the user cancels. */
async function pickHosts(addresses: readonly MailAddress[], title: string): Promise<ReadonlySet<string> | undefined> {
  const items = Array.from(
    Map.groupBy(addresses, ({ url }) => new URL(url).host),
    ([host, { length }]) => ({
      label: escapeMessage(host),
      description: plural(length, t('{0} URL'), t('{0} URLs')),
      picked: true,
      host,
    }),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: t('Select the hosts to contact'),
    canPickMany: true,
  });
  return picked && new Set(picked.map(({ host }) => host));
}

type ProbedAddress = readonly [address: MailAddress, result: ProbeResult];

async function probeAll(addresses: readonly MailAddress[], options: ProbeOptions, report: (done: number) => void) {
  const results: ProbedAddress[] = [];
  const waiting = [...addresses];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results.push([next, await probe(next.url, options)]);
      report(results.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_PROBES }, work));
  return results;
}

/** Returns the problem with a response; undefined if there is none or no request was made. */
function getProblem({ kind }: MailAddress, probed: ProbeResult) {
  if (probed.kind === 'failed') return `${probed.reason}.`;
  if (probed.kind === 'refused') return undefined;
  if (probed.status >= 400) return t`Responds with status ${probed.status}.`;
  const isImage = probed.type === '' || /^(?:image\/|application\/octet-stream)/iu.test(probed.type);
  return kind === 'image' && !isImage ? t`Not an image (${toSingleLine(probed.type, 60)}).` : undefined;
}

function createDiagnostics(document: vscode.TextDocument, address: MailAddress, probed: ProbeResult) {
  const problem = getProblem(address, probed);
  const text = problem ?? (probed.kind === 'refused' ? t`Not checked: ${probed.reason}.` : undefined);
  if (text === undefined) return [];
  const { Information, Warning } = vscode.DiagnosticSeverity;
  return address.ranges.map(({ start, end }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const message = escapeMessage(formatPair(toSingleLine(address.url, 100), text), 400);
    const diagnostic = new vscode.Diagnostic(range, message, problem === undefined ? Information : Warning);
    diagnostic.source = 'Mailing Studio';
    diagnostic.code = address.kind;
    return diagnostic;
  });
}
