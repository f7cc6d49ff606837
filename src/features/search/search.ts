import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { parseTransparentColor } from '../../email/checks/color.ts';
import { formatNumber, formatPair, localized, plural } from '../../l10n.ts';
import type { Connection } from '../../platform/connections/model.ts';
import type { AnyKind, AnyRecord } from '../../platform/documents/model.ts';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import { WorkerCrashedError } from '../../platform/worker/jobWorker.ts';
import type { Campaign } from '../../service/client/index.ts';
import { isNotFound } from '../../service/statistics/rows.ts';
import { toSingleLine } from '../../service/text.ts';
import { searchKinds, type SearchQuery } from '../../sync/search.ts';
import { getFields, type CommandArgument, type CommandHandlers } from '../../ui/commands.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';
import { type ReportProgress, withProgress } from '../../ui/messages.ts';
import { getCampaignState } from '../campaigns/details.ts';
import type { ExtensionServices } from '../services.ts';
import { SearchResults } from './results.ts';

/** The search ends with as many emails, because nobody would look through more. */
const MAX_EMAILS = 1000;

const getTitle = () => t('Find in All Templates');

const getLabels = localized((): Readonly<Record<SearchQuery['kind'], string>> => ({
  text: t('Text'),
  regex: t('Regular expression'),
  link: t('Link address'),
  image: t('Image address'),
  color: t('Color'),
  tag: t('Merge tag'),
  missingTag: t('Missing merge tag'),
}));

/** Creates the view of the results, and the command. */
export function createSearch(services: ExtensionServices) {
  const view = new SearchResults();
  const targets = new TargetPicker(services.connections);
  let stop = new AbortController();
  const handlers = {
    'mailing.findInTemplates': async (argument) => {
      const connection = await targets.pickConnection(argument, getTitle());
      const query = connection && (await askQuery(argument, connection));
      if (!connection || !query) return undefined;
      // The view shows one search.
      stop.abort();
      const { signal: stopped } = (stop = new AbortController());
      await view.start(`${formatPair(getLabels()[query.kind], query.text)} · ${connection.name}`);
      let isComplete = false;
      try {
        isComplete = await withProgress(getTitle(), (canceled, report) =>
          searchAll(services, connection, { query, view, signal: AbortSignal.any([canceled, stopped]), report }),
        );
      } catch (error) {
        // The worker reports a search that takes too long.
        if (!isCanceled(error) && !(error instanceof WorkerCrashedError)) throw error;
      } finally {
        const count = plural(view.emails.length, t('{0} email found.'), t('{0} emails found.'));
        if (!stopped.aborted) view.report(isComplete ? count : `${count} ${t('Not all were searched.')}`);
      }
      return view.emails;
    },
  } satisfies CommandHandlers;
  return { view, handlers };
}

/** Returns the query of the argument (`search` and `text`), or asks for it. Resolves with undefined if the user cancels. Throws if it isn't valid. */
async function askQuery(argument: CommandArgument, { tags }: Connection): Promise<SearchQuery | undefined> {
  const given = getFields(argument);
  const [title, prompt] = [getTitle(), t('Enter what to find.')];
  const validateInput = (value: string) => (value === '' ? prompt : undefined);
  const text = given['text'] ?? (await vscode.window.showInputBox({ title, prompt, validateInput }));
  if (typeof text !== 'string') return undefined;
  const items = searchKinds.map((search) => ({
    label: getLabels()[search],
    description: getProblem(search, text),
    search,
  }));
  const options = { title: formatPair(title, text), placeHolder: t('Select what to find') };
  const picked =
    items.find(({ search }) => search === given['search']) ?? (await vscode.window.showQuickPick(items, options));
  if (!picked) return undefined;
  const { search: kind, description: problem } = picked;
  if (problem !== '') throw new Error(problem);
  return { kind, text, tags };
}

function getProblem(kind: SearchQuery['kind'], text: string) {
  if (kind === 'color' && !parseTransparentColor(text)) return t('Enter a color, such as #ff0000.');
  try {
    if (kind === 'regex') new RegExp(text);
    return '';
  } catch (error) {
    return errorText(error);
  }
}

interface Search {
  readonly query: SearchQuery;
  readonly view: SearchResults;
  readonly signal: AbortSignal;
  readonly report: ReportProgress;
}

/** Searches the templates and the unsent campaigns of a service. Runs at most two requests at a time. Resolves with whether it found all. */
async function searchAll(
  { connections, documents, worker: loadWorker }: ExtensionServices,
  { id: connection, baseUrl }: Connection,
  { query, view, signal, report }: Search,
) {
  const worker = await loadWorker();
  const held = worker.hold();
  let count = 0;
  const search = async (kind: AnyKind, record: AnyRecord) => {
    const texts = kind.parts.map((part) => ({ suffix: part.suffix, text: part.render(record) }));
    const matches = await worker.run('search', [query, texts], { signal, about: query.text });
    report(t`Emails searched: ${formatNumber((count += 1))}`);
    if (!matches) return;
    const getUri = (suffix: string) =>
      documents.buildUri(kind.collection, { connection, id: record.id }, record, suffix);
    const placed = matches.map((match) => ({ ...match, uri: getUri(match.suffix) }));
    const name = toSingleLine(kind.name(record)) || `${kind.noun} ${record.id}`;
    view.add({ name, uri: getUri('.html'), matches: placed });
  };
  const isFull = await connections
    .run({ connection, baseUrl }, async (client) => {
      for (const collection of ['templates', 'campaigns']) {
        const { kind } = documents.getRecordAddress(collection, { connection, id: 0 });
        for await (const row of kind.list(client, { signal })) {
          if (view.emails.length === MAX_EMAILS) return true;
          if (collection === 'templates') await search(kind, row);
          else if (getCampaignState(row as Campaign) !== 'sent') {
            // Lists of campaigns have no bodies. The campaign may have been deleted since.
            const reading = kind.read(client, row.id, { connection, baseUrl, signal });
            const campaign = await reading.catch((error) => (isNotFound(error) ? undefined : Promise.reject(error)));
            if (campaign) await search(kind, campaign);
          }
        }
      }
      return false;
    })
    .finally(() => held.dispose());
  return !isFull;
}
