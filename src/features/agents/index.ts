import * as vscode from 'vscode';
import type { ExtensionServices } from '../services.ts';
import { once } from '../../ui/async.ts';

/** The names of the tools in `package.json`. */
const TOOL_NAMES = [
  'mailing_find',
  'mailing_readTemplate',
  'mailing_checkEmail',
  'mailing_renderEmail',
  'mailing_proposeTemplate',
  'mailing_createDraftCampaign',
  'mailing_sendTest',
  'mailing_statistics',
] as const;

/** Registers the tools for language models in trusted workspaces, if VS Code supports them. Their code is loaded with the first call. */
export function register(services: ExtensionServices): void {
  const { subscriptions } = services.context;
  const load = once(async () => new (await import('./agentTools.ts')).AgentTools(services));
  const offer = () => {
    // Other editors based on VS Code may lack this API.
    const languageModels = vscode.lm as Partial<typeof vscode.lm> | undefined;
    if (languageModels?.registerTool === undefined) return;
    for (const name of TOOL_NAMES) {
      const tool = vscode.lm.registerTool<unknown>(name, {
        prepareInvocation: async ({ input }) => (await load()).prepare(name, input),
        invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
      });
      subscriptions.push(tool);
    }
  };
  if (vscode.workspace.isTrusted) offer();
  else subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(offer));
}
