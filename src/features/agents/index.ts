import * as vscode from 'vscode';
import type { ExtensionServices } from '../../platform/services.ts';
import { once } from '../../platform/ui/async.ts';
import { toolNames } from './names.ts';

/** Registers the tools for language models in trusted workspaces, if VS Code supports them. Their code is loaded with the first call. */
export function register(services: ExtensionServices): void {
  const { subscriptions } = services.context;
  const load = once(async () => new (await import('./agentTools.ts')).AgentTools(services));
  const offer = (): void => {
    // Other editors based on VS Code may lack this API.
    const languageModels = vscode.lm as Partial<typeof vscode.lm> | undefined;
    if (languageModels?.registerTool === undefined) return;
    const tools = toolNames.map((name) =>
      vscode.lm.registerTool<unknown>(name, {
        prepareInvocation: async ({ input }) => (await load()).prepare(name, input),
        invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
      }),
    );
    subscriptions.push(...tools);
  };
  if (vscode.workspace.isTrusted) offer();
  else subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(offer));
}
