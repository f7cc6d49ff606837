import { FormBar } from '../../../platform/webview/form/bar.ts';
import { capitalize } from '../../../platform/webview/form/remarks.ts';
import { makeButton, type ButtonElement } from '../../../platform/webview/toolkit.ts';
import type { CampaignFormCommand, CampaignStatus } from '../protocol.ts';

const actions: readonly {
  readonly command: CampaignFormCommand;
  readonly label: string;
  readonly isPrimary?: boolean;
}[] = [
  { command: 'openBody', label: 'Open Body' },
  { command: 'preview', label: 'Preview' },
  { command: 'sendTest', label: 'Send Test' },
  { command: 'send', label: 'Send…', isPrimary: true },
];

/** The status of the campaign and its actions. */
export class Header {
  readonly #bar: FormBar;
  readonly #send: ButtonElement | undefined;

  constructor(run: (command: CampaignFormCommand) => void) {
    const buttons = actions.map(({ command, label, isPrimary }) =>
      makeButton(label, () => run(command), {
        appearance: isPrimary ? 'primary' : 'secondary',
        'data-command': command,
      }),
    );
    this.#send = buttons.at(-1);
    this.#bar = new FormBar('Campaign', ...buttons);
  }

  get element(): HTMLElement {
    return this.#bar.element;
  }

  show(isRecord: boolean, status: CampaignStatus | undefined): void {
    this.#bar.actions.hidden = !isRecord;
    if (status !== undefined) this.#bar.show(status.state, capitalize(status.label));
    else if (!isRecord) this.#bar.show('', 'Local file');
  }

  enable(enabled: boolean): void {
    if (this.#send) this.#send.disabled = !enabled;
  }
}
