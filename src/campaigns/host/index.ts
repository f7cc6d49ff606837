import type * as vscode from 'vscode';
import type { Rooms } from '../../rooms.ts';
import { registerForm as register } from '../../documents/form/register.ts';

/** Type of the form's editor, as `package.json` contributes it. */
export const viewType = 'mailing.campaign.form';

/** Opens `*.campaign.json` as a form, and as text where the user wants that. */
export function registerForm(rooms: Rooms): vscode.Disposable {
  return register(rooms, viewType, async () => {
    const { CampaignFormSession } = await import('./session.ts');
    return (document, panel) => new CampaignFormSession(document, panel, rooms);
  });
}
