import * as vscode from 'vscode';
import type { Connection } from '../../platform/connections/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { getFields } from '../../platform/ui/commands.ts';
import { escapeMarkdown } from '../../service/text.ts';
import { errorText, isCanceled } from '../../platform/ui/errors.ts';
import { wrapData, formatData } from '../../sync/tools/data.ts';
import { readingTools } from './reading.ts';
import { readInput, type Inputs, type ToolName } from '../../sync/tools/schemas.ts';
import { createNotDone, type ToolResult, type Tool, type Tools } from './tool.ts';
import { writingTools } from './writing.ts';

const CANCELED_RESULT: ToolResult = {
  outcome: 'canceled',
  message: 'The call was canceled. Steps that the user confirmed before may have been completed.',
};

const tools: Tools = { ...readingTools, ...writingTools };

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
    const connection = 'input' in read ? this.#findConnection(read.input.connection) : undefined;
    const service = connection === undefined ? [] : [escapeMarkdown(connection.name)];
    const invocationMessage = new vscode.MarkdownString([tool.getProgressMessage(), ...service].join(' · '));
    if (tool.confirmation === undefined || !('input' in read)) return { invocationMessage };
    const title = tool.confirmation.getQuestion(connection?.id);
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
    const answer = 'input' in read ? await this.#run(name, read.input, token) : createInputError(read.problems);
    this.#log(name, 'input' in read ? read.input : {}, answer);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await this.#formatResult(answer))]);
  }

  async #run<Name extends ToolName>(
    name: Name,
    input: Inputs[Name],
    token: vscode.CancellationToken,
  ): Promise<ToolResult> {
    const tool: Tool<Name> = tools[name];
    const connection = this.#findConnection(input.connection);
    const isAboutAll = tool.needsNoConnection?.(input) === true;
    if (connection === undefined && !isAboutAll)
      return createNotDone(this.#describeMissingConnection(input.connection));
    const controller = new AbortController();
    const { signal } = controller;
    if (token.isCancellationRequested) return CANCELED_RESULT;
    const subscriptions = [
      token.onCancellationRequested(() => controller.abort()),
      // Stop if the user denies tools the connection during the call.
      this.#services.connections.onDidChange(() => {
        if (connection !== undefined && !this.#allowedConnections.some(({ id }) => id === connection.id))
          controller.abort();
      }),
    ];
    try {
      const stopped = new Promise<ToolResult>((resolve) =>
        signal.addEventListener('abort', () => resolve(CANCELED_RESULT), { once: true }),
      );
      const running = tool.run({
        services: this.#services,
        input,
        connection: connection ?? NO_CONNECTION,
        connections: this.#allowedConnections,
        signal,
      });
      return await Promise.race([running, stopped]);
    } catch (error) {
      return createFailure(error, signal);
    } finally {
      for (const subscription of subscriptions) subscription.dispose();
    }
  }

  /** The connections that tools may use. */
  get #allowedConnections(): readonly Connection[] {
    if (!vscode.workspace.isTrusted) return [];
    return this.#services.connections.all.filter(({ agents }) => agents !== false);
  }

  /** Returns the named connection, or the only one. */
  #findConnection(id: string | undefined): Connection | undefined {
    const offered = this.#allowedConnections;
    if (id === undefined) return offered.length === 1 ? offered[0] : undefined;
    return offered.find((connection) => connection.id === id);
  }

  /** Connections hidden from tools are reported as missing. */
  #describeMissingConnection(id: string | undefined): string {
    if (this.#allowedConnections.length === 0)
      return 'There is no connection that tools may use. The user adds one by "Mailing: Add Connection…".';
    if (id === undefined)
      return 'There are several connections: name one. "mailing_find" with "what": "connections" lists them.';
    return 'There is no such connection. "mailing_find" with "what": "connections" lists those that there are.';
  }

  async #formatResult({ message, data }: ToolResult): Promise<string> {
    if (data === undefined) return message;
    const formatted = await formatData(data, (text) => this.#services.connections.withoutKeys(text));
    return [message, ...formatted.notes, wrapData(formatted.text)].join('\n');
  }

  /** Logs the tool, the connection and ids, but no texts or addresses. */
  #log(name: ToolName, input: Partial<Inputs[ToolName]>, { outcome }: ToolResult): void {
    const { id, templateId, campaigns } = getFields(input);
    const connection = this.#findConnection(input.connection)?.id ?? 'no connection';
    const ids = [id, templateId, campaigns].flat().filter((one) => typeof one === 'number');
    const about = [connection, ...ids.map((one) => `#${one}`)].join(', ');
    this.#services.log.info(`Tool for language models: ${name} (${about}): ${outcome}.`);
  }
}

/** Placeholder for tools that need no connection. */
const NO_CONNECTION: Connection = { id: '', name: '', baseUrl: '', profile: 'documented' };

function createInputError(problems: readonly string[]): ToolResult {
  return {
    ...createNotDone('The input is invalid. Problems:'),
    data: { text: problems.join('\n'), isEmailText: false },
  };
}

/** Returns an error as data, because its message may quote the service. */
function createFailure(error: unknown, signal: AbortSignal): ToolResult {
  if (signal.aborted || isCanceled(error)) return CANCELED_RESULT;
  return {
    outcome: 'failed',
    message: 'The call failed. The error that the user would see:',
    data: { text: errorText(error), isEmailText: false },
  };
}
