import type { MailingClient } from '../../../src/service/client/index.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

/** A value in a document of a record, which a writer can change. */
export interface Target {
  /** Path of its document below the record's folder. */
  readonly file: string;
  /** The text of the document with another value. */
  edit(text: string, value: string): string;
  /** The value in the text of the document. */
  find(text: string): string;
  /** What the service holds. */
  read(website: MailingClient, id: number): Promise<string>;
  /** Writes it as the service's website does. */
  write(website: MailingClient, id: number, value: string): Promise<object | void>;
}

/** A kind of record that is written by several. */
export interface Written {
  readonly noun: 'template' | 'campaign' | 'follow-up';
  /** Operations by which documents are read and stored. */
  readonly reads: string;
  readonly updates: string;
  make(website: MailingClient, value: string): Promise<string>;
  /** The same value for all writers, and one for each. */
  readonly same: Target;
  readonly apart: Readonly<Record<'a' | 'b' | 'website', Target>>;
}

const whole = { edit: (_: string, value: string) => value, find: (text: string) => text };
const inJson = (field: string) => ({
  edit: (text: string, value: string) =>
    `${JSON.stringify({ ...(JSON.parse(text) as object), [field]: value }, null, 2)}\n`,
  find: (text: string) => String((JSON.parse(text) as JsonObject)[field]),
});
/** The record's id in the path of its folder. */
export const idOf = (path: string): number => Number(path.split('/')[2]);

const templateValue = (file: string, field: 'body' | 'stylesheet' | 'subject'): Target => ({
  file,
  ...(field === 'subject' ? inJson(field) : whole),
  read: async (website, id) => (await website.getOneTemplate(id))[field] ?? '',
  write: (website, templateId, value) => website.updateTemplate({ templateId, [field]: value }),
});

const campaignValue = (file: string, field: 'body' | 'subject' | 'from_name'): Target => ({
  file,
  ...(field === 'body' ? whole : inJson(field)),
  read: async (website, id) => String((await website.getCampaignById(id))[field] ?? ''),
  write: async (website, id, value) => {
    const { name, subject, body, from_name, listIds } = await website.getCampaignById(id);
    const before = {
      name: name ?? '',
      subject: subject ?? '',
      body: body ?? '',
      from_name: from_name ?? '',
      listIds: [...(listIds ?? [])],
    };
    return website.createOrUpdateCampaign({ campaignId: id, ...before, [field]: value });
  },
});

const followUpValue = (field: 'display_name' | 'name'): Target => ({
  file: 'F.follow-up.json',
  ...inJson(field),
  read: async (website, id) => (await website.getFollowUpById(id))[field] ?? '',
  write: async (website, followUpId, value) => {
    const { name, display_name, trigger } = await website.getFollowUpById(followUpId);
    return website.createOrUpdateFollowUp({
      followUpId,
      name: name ?? '',
      display_name: display_name ?? '',
      trigger: trigger ?? '',
      [field]: value,
    });
  },
});

const displayName = followUpValue('display_name');

/** What two windows and the website write at the same time. */
export const records: readonly Written[] = [
  {
    noun: 'template',
    reads: 'getOneTemplate',
    updates: 'updateTemplate',
    make: async (website, value) =>
      `/templates/${(await website.createTemplate({ name: 'T', subject: value, body: value, stylesheet: value })).templateId}`,
    same: templateValue('T.html', 'body'),
    apart: {
      a: templateValue('T.html', 'body'),
      b: templateValue('T.css', 'stylesheet'),
      website: templateValue('T.template.json', 'subject'),
    },
  },
  {
    noun: 'campaign',
    reads: 'getCampaignById',
    updates: 'createOrUpdateCampaign',
    make: async (website, value) =>
      `/campaigns/${(await website.createOrUpdateCampaign({ name: 'C', subject: value, body: value, from_name: value, listIds: [8] })).campaignId}`,
    same: campaignValue('C.html', 'body'),
    apart: {
      a: campaignValue('C.html', 'body'),
      b: campaignValue('C.campaign.json', 'subject'),
      website: campaignValue('C.campaign.json', 'from_name'),
    },
  },
  {
    noun: 'follow-up',
    reads: 'getFollowUpById',
    updates: 'createOrUpdateFollowUp',
    make: async (website, value) =>
      `/follow-ups/${(await website.createOrUpdateFollowUp({ name: value, display_name: value, trigger: 'birthday' })).followUpId}`,
    same: displayName,
    apart: { a: displayName, b: displayName, website: followUpValue('name') },
  },
];
