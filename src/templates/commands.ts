import type * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { commandsOn } from '../workbench/commands.ts';
import { once } from '../workbench/once.ts';
import { suffixes } from './documents.ts';

/** All commands on templates. What they do is loaded when the first of them runs. */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  const command = commandsOn(rooms.log);
  const load = once(async () => {
    const [handlers, { Templates }] = await Promise.all([import('./handlers.ts'), import('./templates.ts')]);
    return { handlers, templates: new Templates(rooms) };
  });
  type Loaded = Awaited<ReturnType<typeof load>>;
  const handle = (run: (loaded: Loaded, argument: unknown) => unknown) => async (argument: unknown) => run(await load(), argument);
  const open = (suffix: string, title: string) => handle(({ handlers, templates }, argument) => handlers.openDocument(templates, argument, suffix, title));
  return [
    command('mailing.template.open', 'Open Template', open(suffixes.body, 'Open Template')),
    command('mailing.template.openStylesheet', 'Open Stylesheet', open(suffixes.stylesheet, 'Open Stylesheet')),
    command('mailing.template.openDetails', 'Open Template Details', open(suffixes.details, 'Open Template Details')),
    command('mailing.template.preview', 'Open Preview', handle(({ handlers, templates }, argument) => handlers.openPreview(templates, argument))),
    command('mailing.template.duplicate', 'Duplicate Template', handle(({ handlers, templates }, argument) => handlers.duplicateTemplate(templates, argument))),
    command('mailing.template.delete', 'Delete Template', handle(({ handlers, templates }, argument) => handlers.deleteTemplate(templates, argument))),
    command('mailing.template.create', 'New Template', handle(async ({ templates }, argument) => (await import('./create.ts')).createTemplate(templates, argument))),
    command('mailing.template.sendTest', 'Send Test E-mail', handle(async ({ templates }, argument) => (await import('./sendTest.ts')).sendTest(templates, argument))),
    command('mailing.template.createCampaign', 'Create Campaign', handle(async ({ templates }, argument) => (await import('./createCampaign.ts')).createCampaign(templates, argument))),
    command('mailing.template.copyTo', 'Copy Template', handle(async ({ templates }, argument) => (await import('./copyTo.ts')).copyTo(templates, argument))),
  ];
}
