import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { localized } from '../../l10n.ts';
import type { Connection } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../services.ts';
import { getTestListId, getTestRecipients } from '../sending/testSend/recipientPick.ts';
import { getFields } from '../../ui/commands.ts';
import { raceWithAbort } from '../../service/client/paginate.ts';
import { escapeMarkdown, toSingleLine } from '../../service/text.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';
import { readingTools } from '../../sync/tools/reading.ts';
import { readInput, type Inputs, type ToolName } from '../../sync/tools/schemas.ts';
import {
  CANCELED_RESULT,
  createFailure,
  findConnection,
  formatResult,
  runTool,
  type ToolResult,
} from '../../sync/tools/tool.ts';
import { createToolContext } from './reading.ts';
import type { Confirmation, Tool, Tools } from './tool.ts';
import { confirmations, writingTools } from './writing.ts';

const tools: Tools = { ...readingTools, ...writingTools };

/** Shown while a tool runs, before the connection's name. */
const getProgressMessages = localized((): Readonly<Record<ToolName, string>> => ({
  mailing_find: t('Searching'),
  mailing_statistics: t('Reading statistics'),
  mailing_readTemplate: t('Reading a template'),
  mailing_checkEmail: t('Checking an email'),
  mailing_renderEmail: t('Rendering an email'),
  mailing_proposeTemplate: t('Proposing changes to a template'),
  mailing_createDraftCampaign: t('Creating a draft campaign'),
  mailing_sendTest: t('Sending a test email'),
}));

/** Runs the tools: validates the input, finds the connection, logs the call and returns the result. Never throws to the model. */
export class AgentTools {
  readonly #services: ExtensionServices;

  constructor(services: ExtensionServices) {
    this.#services = services;
  }

  /** Returns the progress message and the confirmation that the editor shows for a call. */
  prepare<Name extends ToolName>(name: Name, rawInput: unknown): vscode.PreparedToolInvocation {
    const getConfirmation: Confirmation<Name> | undefined = confirmations[name];
    const read = readInput(name, rawInput);
    const connection = 'input' in read ? findConnection(this.#allowedConnections, read.input.connection) : undefined;
    const service = connection === undefined ? [] : [escapeMarkdown(connection.name)];
    const invocationMessage = new vscode.MarkdownString([getProgressMessages()[name], ...service].join(' · '));
    if (getConfirmation === undefined || connection === undefined || !('input' in read)) return { invocationMessage };
    const [title, ...details] = getConfirmation(connection.id, read.input);
    const message = new vscode.MarkdownString(details.map((line) => escapeMarkdown(line)).join('\n\n'));
    return { invocationMessage, confirmationMessages: { title, message } };
  }

  async invoke(
    name: ToolName,
    rawInput: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const read = readInput(name, rawInput);
    const result = await runTool(read, this.#allowedConnections, describeConnection, (input, connection) =>
      this.#run(name, input, connection, token),
    );
    this.#log(name, 'input' in read ? read.input : {}, result);
    const text = await formatResult(result, (data) => this.#services.connections.withoutKeys(data));
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  async #run<Name extends ToolName>(
    name: Name,
    input: Inputs[Name],
    connection: Connection,
    token: vscode.CancellationToken,
  ): Promise<ToolResult> {
    const tool: Tool<Name> = tools[name];
    const controller = new AbortController();
    const { signal } = controller;
    if (token.isCancellationRequested) return CANCELED_RESULT;
    const subscriptions = vscode.Disposable.from(
      token.onCancellationRequested(() => controller.abort()),
      // Stop if the user denies tools the connection during the call.
      this.#services.connections.onDidChange(() => {
        if (!this.#allowedConnections.some(({ id }) => id === connection.id)) controller.abort();
      }),
    );
    try {
      return await raceWithAbort(tool(createToolContext(this.#services, connection, signal), input), signal);
    } catch (error) {
      return signal.aborted || isCanceled(error) ? CANCELED_RESULT : createFailure(error, errorText(error));
    } finally {
      subscriptions.dispose();
    }
  }

  /** The connections that tools may use. */
  get #allowedConnections(): readonly Connection[] {
    if (!vscode.workspace.isTrusted) return [];
    return this.#services.connections.all.filter(({ agents }) => agents !== false);
  }

  /** Logs the tool, the connection and ids, but no texts or addresses. */
  #log(name: ToolName, input: Partial<Inputs[ToolName]>, { outcome }: ToolResult) {
    const { id, templateId, campaigns } = getFields(input);
    const connection = findConnection(this.#allowedConnections, input.connection)?.id ?? 'no connection';
    const ids = [id, templateId, campaigns].flat().filter((one) => typeof one === 'number');
    const about = [connection, ...ids.map((one) => `#${one}`)].join(', ');
    this.#services.log.info(`Tool for language models: ${name} (${about}): ${outcome}.`);
  }
}

function describeConnection(connection: Connection) {
  return {
    connection: connection.id,
    name: toSingleLine(connection.name),
    profile: connection.profile,
    isSandbox: connection.sandbox === true,
    testList: getTestListId(connection) ?? 'none is set',
    lastRecipients: getTestRecipients(connection).length,
  };
}
