import type * as vscode from 'vscode';
import type { Rooms } from '../../rooms.ts';
import { registerForm as register } from '../../documents/form/register.ts';
import type { Storage } from '../storage.ts';

/** Type of the form's editor, as `package.json` contributes it. */
export const viewType = 'mailing.followUp.form';

/** Opens `*.follow-up.json` as a form, and as text where the user wants that. */
export function registerForm(rooms: Rooms, load: () => Promise<Storage>): vscode.Disposable {
  return register(rooms, viewType, async () => {
    const [{ FollowUpFormSession }, storage] = await Promise.all([import('./session.ts'), load()]);
    return (document, panel) => new FollowUpFormSession(document, panel, rooms, storage);
  });
}
