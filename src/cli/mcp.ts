import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { contributes, version } from '../../package.json';
import { runChecks } from '../email/checks/index.ts';
import { composeForDisplay } from '../email/sent/index.ts';
import { tagLanguage } from '../email/tags/index.ts';
import type { Row } from '../service/client/shapes.ts';
import { SerialQueue } from '../sync/exclusive.ts';
import { findDifferent, pickTexts, type FieldTexts } from '../sync/fields/fields.ts';
import { NodeFiles } from '../sync/files.ts';
import {
  createNoChangesError,
  listProposedParts,
  proposeDetails,
  proposeText,
  type Proposal,
} from '../sync/tools/proposal.ts';
import { writeJson } from '../sync/fields/jsonDocument.ts';
import { findUnresolved } from '../sync/push/plan.ts';
import { templateDetailFields } from '../sync/fields/templateFields.ts';
import { readTemplateTexts, templateLayout } from '../sync/mapping/templateLayout.ts';
import { readInput, type Inputs } from '../sync/tools/schemas.ts';
import { readingTools, type ToolContext } from '../sync/tools/reading.ts';
import {
  createDone,
  createFailure,
  createNotDone,
  formatResult,
  runTool,
  type ToolResult,
} from '../sync/tools/tool.ts';
import { findAddress, openFolder, openService, type ConnectionOptions, type ServiceAddress } from './connection.ts';
import { getCheckOptions } from './findings.ts';
import { CLEAN, CommandError, describeError, FAILED, Output, withoutKeys, type OutputOptions } from './output.ts';
import { openWorkspace, requireFolder } from './workspace.ts';

type McpTool = keyof typeof readingTools | 'mailing_proposeTemplate';

const proposals = new SerialQueue();

/** The editor's tools without those that write to a service or send. */
const tools: { readonly [Name in McpTool]: (context: CommandToolContext, input: Inputs[Name]) => Promise<ToolResult> } =
  {
    ...readingTools,
    mailing_proposeTemplate: (context, input) => proposals.run(() => propose(context, input)),
  };

const isTool = (name: string): name is McpTool => Object.hasOwn(tools, name);

const toolDescriptions = contributes.languageModelTools
  .filter(({ name }) => isTool(name))
  .map(({ name, modelDescription, inputSchema }) => {
    const isWriting = name === 'mailing_proposeTemplate';
    return {
      name,
      description: isWriting
        ? 'Writes changes to the mapped files of a template, and nothing to the service. Only the user can push them. Pass whole texts, or replacements of passages that occur exactly once.'
        : modelDescription,
      inputSchema: { ...inputSchema, type: 'object' as const },
      annotations: { readOnlyHint: !isWriting },
    };
  });

/** Serves the tools on stdin and stdout until the client closes stdin. Resolves with the exit code. */
export async function mcp([path]: readonly string[], command: OutputOptions & ConnectionOptions): Promise<number> {
  if (path !== undefined) process.chdir(path);
  const output = new Output(command);
  const workspace = await openWorkspace();
  const files = new NodeFiles(requireFolder(workspace));
  const { connections: named, templates } = workspace.mapping;
  const ids = new Set([...Object.keys(named), ...templates.flatMap((template) => Object.keys(template.ids))]);
  const wanted = command.connection === undefined ? [...ids] : [command.connection];
  // The addresses are read only once, so that no agent can have the key sent elsewhere by changing the file.
  const connections: ServiceAddress[] = [];
  for (const id of wanted)
    try {
      connections.push(await findAddress(workspace, id, { ...command, isForAgent: true }));
    } catch (error) {
      output.note(describeError(error));
    }
  if (connections.length === 0)
    throw new CommandError('There is no connection that tools may use.', 'Set the "baseUrl" of one in mailing.json.');
  const server = new Server({ name: 'mailing', version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolDescriptions }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input } }, { signal }) => {
    const result = isTool(name) ? await call(name, input, signal) : createNotDone('There is no such tool.');
    output.detail(`${name}: ${result.outcome}`);
    const text = await formatResult(result, (data) => Promise.resolve(withoutKeys(data)));
    return { content: [{ type: 'text' as const, text }], isError: result.outcome !== 'done' };
  });
  server.onerror = (error) => output.note(error.message);
  await server.connect(new StdioServerTransport());
  const code = await new Promise<number>((resolve) => {
    process.stdin.once('close', () => resolve(CLEAN));
    // Without the client's doing, after a message that is too large.
    server.onclose = () => resolve(FAILED);
  });
  await server.close();
  return code;

  async function call<Name extends McpTool>(name: Name, rawInput: unknown, signal: AbortSignal) {
    const describe = ({ id, ...service }: ServiceAddress) => ({ connection: id, ...service });
    try {
      return await runTool(readInput(name, rawInput), connections, describe, async (input, connection) =>
        tools[name](await createToolContext(files, connection, signal), input),
      );
    } catch (error) {
      return createFailure(error, describeError(error));
    }
  }
}

/** Connects the tools with a connection and the files, which may have changed since the last call. */
async function createToolContext(files: NodeFiles, connection: ServiceAddress, signal: AbortSignal) {
  const { mapping } = await openWorkspace();
  const folder = openFolder(files, mapping);
  const profile = mapping.checks.profile ?? connection.profile ?? 'acymailing';
  const findTemplate = (id: number) => mapping.templates.find(({ ids }) => ids[connection.id] === id);
  const context: ToolContext = {
    profile,
    language: tagLanguage('acymailing'),
    signal,
    run: async (operation) => {
      const { client } = await openService(connection);
      return operation(client).finally(() => client.close());
    },
    readMail: async (id, kind) => {
      const template = kind === 'template' ? findTemplate(id) : undefined;
      const local = template && (await folder.read(template));
      const isLocal = local?.['body'] !== undefined;
      const record: Row = isLocal
        ? local
        : await context.run<Row>((client) =>
            kind === 'template' ? client.getOneTemplate(id, { signal }) : client.getCampaignById(id, { signal }),
          );
      const texts = readTemplateTexts(record);
      const { name = '', body = '', stylesheet = '' } = texts;
      const note = isLocal && 'Read from the mapped files, not from the service.';
      const isReadOnly = record['drag_editor'] === 1;
      return { name, body, stylesheet, details: formatDetails(texts), isReadOnly, note };
    },
    check: (email) => Promise.resolve(runChecks(email, getCheckOptions(mapping, profile))),
    compose: (email) => Promise.resolve(composeForDisplay(email, { profile, site: connection.baseUrl })),
  };
  return { ...context, folder, findTemplate };
}

type CommandToolContext = Awaited<ReturnType<typeof createToolContext>>;

/** Writes a proposal to the files of a mapped template. */
async function propose({ folder, findTemplate }: CommandToolContext, proposal: Proposal) {
  const template = findTemplate(proposal.id);
  if (template === undefined)
    return createNotDone('This template is not mapped to a folder. The user can map it in mailing.json.');
  const before = await folder.read(template);
  if (before['body'] === undefined)
    return createNotDone('This template has no files yet. The user can pull it with "mailing pull".');
  const texts: Record<string, string> = {};
  for (const part of listProposedParts(proposal)) {
    if (folder.isBuilt(template, part))
      return createNotDone('The body is built from other files. Change those instead.');
    if (part !== 'details') texts[part] = proposeText(proposal, part, before[part] ?? '');
    else {
      await proposeDetails(proposal, formatDetails(before), templateLayout.details.parse);
      Object.assign(texts, proposal.details);
    }
  }
  if (findDifferent(texts, before).length === 0) throw createNoChangesError();
  if (findUnresolved({ ...before, ...texts }, {}).length > 0)
    return createNotDone('The files or the proposal contain conflict markers. The user has to resolve them first.');
  await folder.write(template, texts, before);
  return createDone([
    'The changes are in the mapped files, and not on the service.',
    'The user can compare them with "mailing diff" and store them with "mailing push".',
  ]);
}

function formatDetails(texts: FieldTexts) {
  return writeJson(pickTexts(texts, templateDetailFields));
}
