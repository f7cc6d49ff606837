import { icon, make } from '../../../platform/webview/dom.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { makeButton } from '../../../platform/webview/toolkit.ts';
import type { Audience } from '../protocol.ts';

/** Shows the number of recipients of the selected lists. */
export class AudienceLine {
  readonly element = make('div', { class: 'audience', 'aria-live': 'polite', hidden: '' });
  readonly #retry: () => void;

  constructor(retry: () => void) {
    this.#retry = retry;
  }

  show(audience: Audience): void {
    const text = formatAudience(audience);
    this.element.hidden = text === undefined;
    this.element.classList.toggle('uncertain', audience.kind !== 'counted');
    this.element.replaceChildren(...(text === undefined ? [] : [icon(icons.people), make('span', {}, text)]));
    if (audience.kind === 'failed') this.element.append(makeButton('Count Again', this.#retry));
  }
}

function formatAudience(audience: Audience): string | undefined {
  switch (audience.kind) {
    case 'none':
      return undefined;
    case 'counting':
      return 'Counting the recipients…';
    case 'failed':
      return `The recipients can’t be counted: ${audience.message}`;
    case 'counted':
      return audience.exact
        ? `${audience.recipients}, each counted once`
        : `At least ${audience.recipients}, each counted once`;
  }
}
