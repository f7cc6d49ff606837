import * as vscode from 'vscode';
import type { Connection } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { getTestListId, getTestRecipients } from '../../platform/sending/testSend/recipientPick.ts';
import { getFields } from '../../platform/ui/commands.ts';
import { raceWithAbort } from '../../service/client/paginate.ts';
import { escapeMarkdown, toSingleLine } from '../../service/text.ts';
import { errorText, isCanceled } from '../../platform/ui/errors.ts';
import { readInput, type Inputs, type ToolName } from '../../sync/tools/schemas.ts';
import {
  CANCELED_RESULT,
  createFailure,
  findConnection,
  formatResult,
  runTool,
  type ToolResult,
} from '../../sync/tools/tool.ts';
import { createHost, editorReadingTools } from './reading.ts';
import type { Tool, Tools } from './tool.ts';
import { writingTools } from './writing.ts';

const tools: Tools = { ...editorReadingTools, ...writingTools };

/** Runs the tools: validates the input, finds the connection, logs the call and returns the result. Never throws to the model. */
export class AgentTools {
  readonly #services: ExtensionServices;

  constructor(services: ExtensionServices) {
    this.#services = services;
  }

  /** Returns the progress message and the confirmation that the editor shows for a call. */
  prepare<Name extends ToolName>(name: Name, rawInput: unknown): vscode.PreparedToolInvocation {
    const tool: Tool<Name> = tools[name];
    const read = readInput(name, rawInput);
    const connection = 'input' in read ? findConnection(this.#allowedConnections, read.input.connection) : undefined;
    const service = connection === undefined ? [] : [escapeMarkdown(connection.name)];
    const invocationMessage = new vscode.MarkdownString([tool.getProgressMessage(), ...service].join(' · '));
    if (tool.confirmation === undefined || connection === undefined || !('input' in read)) return { invocationMessage };
    const title = tool.confirmation.getQuestion(connection.id);
    const lines = tool.confirmation.getDetails(read.input).map((line) => escapeMarkdown(line));
    const message = new vscode.MarkdownString(lines.join('\n\n'));
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
      return await raceWithAbort(tool.run(createHost(this.#services, connection, signal), input), signal);
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
