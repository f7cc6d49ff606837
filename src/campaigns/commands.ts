import type * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { commandsOn } from '../workbench/commands.ts';
import { once } from '../workbench/once.ts';

/** All commands on campaigns. What they do is loaded when the first of them runs. */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  const command = commandsOn(rooms.log);
  const load = once(async () => {
    const [handlers, creation, { Campaigns }, { Sendings }, { suffixes }] = await Promise.all([
      import('./handlers.ts'),
      import('./create.ts'),
      import('./campaigns.ts'),
      import('./send.ts'),
      import('./documents.ts'),
    ]);
    const campaigns = new Campaigns(rooms);
    return { ...handlers, ...creation, suffixes, campaigns, sendings: new Sendings(campaigns) };
  });
  type Loaded = Awaited<ReturnType<typeof load>>;
  const handle = (run: (loaded: Loaded, argument: unknown) => unknown) => async (argument: unknown) => run(await load(), argument);
  return [
    command('mailing.campaign.open', 'Open Campaign', handle(({ openDocument, campaigns, suffixes }, argument) => openDocument(campaigns, argument, suffixes.details, 'Open Campaign'))),
    command('mailing.campaign.openBody', 'Open Campaign Body', handle(({ openDocument, campaigns, suffixes }, argument) => openDocument(campaigns, argument, suffixes.body, 'Open Campaign Body'))),
    command('mailing.campaign.preview', 'Open Preview', handle(({ openPreview, campaigns }, argument) => openPreview(campaigns, argument))),
    command('mailing.campaign.create', 'New Campaign', handle(({ createCampaign, campaigns }, argument) => createCampaign(campaigns, argument))),
    command('mailing.campaign.duplicate', 'Duplicate Campaign', handle(({ duplicateCampaign, campaigns }, argument) => duplicateCampaign(campaigns, argument))),
    command('mailing.campaign.delete', 'Delete Campaign', handle(({ deleteCampaign, campaigns }, argument) => deleteCampaign(campaigns, argument))),
    command('mailing.campaign.sendTest', 'Send Test E-mail', handle(({ sendTest, campaigns }, argument) => sendTest(campaigns, argument))),
    command('mailing.campaign.send', 'Send Campaign', handle(({ sendings }, argument) => sendings.send(argument))),
  ];
}
