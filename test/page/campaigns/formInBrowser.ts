import type { Browser } from 'playwright-core';
import type { CampaignToPage } from '../../../src/features/campaigns/form/protocol.ts';
import type { FormFromPage, FormListChoice, FormToPage } from '../../../src/ui/page/form/protocol.ts';
import { loadPage, PageInBrowser, type PageFiles, type PageOptions } from '../pageInBrowser.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

export const details = {
  name: 'Winter sale',
  subject: 'The winter sale opens at nine',
  from_name: 'Fjord & Fell',
  from_email: 'hello@fjord.example',
  reply_to_name: '',
  reply_to_email: '',
  bounce_email: '',
  bcc: '',
  listIds: [1, 5],
  sending_type: 'scheduled',
  sending_date: '2027-01-31',
};

export const lists: readonly FormListChoice[] = [
  { id: 1, name: 'Newsletter', color: '#2f6feb', subscribers: '1,420 subscribers' },
  { id: 2, name: 'Product updates', color: '#1a7f5a', subscribers: '920 subscribers' },
  { id: 5, name: 'Customers', color: '#bf3989', subscribers: '760 subscribers' },
  { id: 7, name: 'Blog readers (old site)', color: '#8c959f', subscribers: '360 subscribers', note: 'inactive' },
];

export class FormInBrowser extends PageInBrowser<FormToPage | CampaignToPage, FormFromPage> {
  static async open(browser: Browser, files: PageFiles, options?: PageOptions): Promise<FormInBrowser> {
    return new FormInBrowser(await loadPage(browser, files, options));
  }

  /** Sends details to the page: by default a scheduled campaign without problems. */
  async show(
    changed: Readonly<JsonObject> = {},
    rest: Partial<Extract<FormToPage, { type: 'details' }>> = {},
  ): Promise<void> {
    await this.send({ type: 'details', confirmedSeq: 0, problems: [], ...rest, details: { ...details, ...changed } });
  }

  async showLists(choices: readonly FormListChoice[] = lists): Promise<void> {
    await this.send({ type: 'lists', lists: { kind: 'loaded', lists: choices } });
  }

  /** Returns the field and value of each edit so far. */
  async edits() {
    return (await this.posted('edit')).map(({ path, value }) => [path.join('.'), value] as const);
  }
}
