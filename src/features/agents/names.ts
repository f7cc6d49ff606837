/** The names of the tools in `package.json`. */
export const toolNames = [
  'mailing_find',
  'mailing_readTemplate',
  'mailing_checkEmail',
  'mailing_renderEmail',
  'mailing_proposeTemplate',
  'mailing_createDraftCampaign',
  'mailing_sendTest',
  'mailing_statistics',
] as const;

export type ToolName = (typeof toolNames)[number];
