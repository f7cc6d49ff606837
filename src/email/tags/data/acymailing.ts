// The tags of AcyMailing 11, used for parsing, rendering, completion, explanations and checks.
// The API document doesn't mention tags: this is the behavior of real installations.

import { days, months, siteFormats } from '../dates.ts';
import type { TagChoice, TagFamily, TagLanguage, TagPair, TagParameter, TagLocation, TagStep } from '../model.ts';

const everywhere: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];
/** Rendered once for all recipients, before the `headers` field is added to the body. */
const renderedOnce: readonly TagLocation[] = ['body', 'subject', 'preheader'];
const formatting =
  'default part type format lower lowercase upper uppercase ucwords ucfirst rtrim urlencode substr maxwidth maxheight'.split(
    ' ',
  );

/** Returns the choices of titles by id. */
const toChoices = (titles: Readonly<Record<string, string>>): TagChoice[] =>
  Object.entries(titles).map(([id, title]) => ({ id, title }));

/** Suggested formats and their output. */
const formats = toChoices({
  ...Object.fromEntries(Object.entries(siteFormats).map(([number, format]) => [number, `The site's format ${format}`])),
  'd/m/Y': '05/03/2026',
  'd.m.Y': '05.03.2026',
  'j F Y': '5 March 2026',
  l: 'Thursday',
  'H:i': '14:07',
  '%d %B %Y': '05 March 2026',
});

const durations = toChoices({
  '3600': 'An hour',
  '86400': 'A day',
  '604800': 'A week',
});

const parameter = (name: string, title: string, value: string, values: readonly TagChoice[] = []): TagParameter => ({
  name,
  title,
  needsValue: true,
  example: `${name}:${value}`,
  values,
});
const flag = (name: string, title: string): TagParameter => ({
  name,
  title,
  needsValue: false,
  example: name,
  values: [],
});

const parameters: readonly TagParameter[] = [
  parameter('default', 'Replaces an empty value. Formatted like the value.', 'friend'),
  parameter('part', 'One word of the value. If the word is missing: the first word, or nothing for "last".', 'first', [
    { id: 'first', title: 'The first word' },
    { id: 'last', title: 'The last word, if there are several' },
    { id: '2', title: 'The second word' },
  ]),
  parameter(
    'type',
    'Reads the value as a date.',
    'date|format:d/m/Y',
    toChoices({
      date: 'A date, formatted by "format"',
      time: 'Seconds since 1970, formatted by "format"',
      diff: 'The time since the date, formatted by "format" (%a days, %y years)',
    }),
  ),
  parameter('format', 'Format of the date: PHP letters or % codes.', '%d/%m/%Y', formats),
  flag('lower', 'Lowercase.'),
  flag('lowercase', 'Lowercase.'),
  flag('upper', 'Uppercase. Overrides "lower".'),
  flag('uppercase', 'Uppercase. Overrides "lower".'),
  flag('ucwords', 'Capitalizes each word (A to Z only).'),
  flag('ucfirst', 'Capitalizes the first letter (A to Z only).'),
  parameter('rtrim', 'Removes these characters from the end.', ','),
  flag('urlencode', 'Encodes the value for a URL.'),
  parameter('substr', 'Part of the value: offset and length in bytes.', '0,5'),
  parameter('maxwidth', 'Maximum width of images in the value.', '300'),
  parameter('maxheight', 'Maximum height of images in the value.', '200'),
  parameter(
    'info',
    'The person whose value is inserted.',
    'receiver',
    toChoices({
      receiver: 'The recipient',
      sender: 'The author of the email (usertag only)',
      current: 'The person who triggered an automatic email. In other emails, the tag stays unchanged.',
    }),
  ),
  parameter('add', 'Adds seconds.', '86400', durations),
  parameter('remove', 'Subtracts seconds.', '86400', durations),
  flag('senddate', 'The time when the campaign was sent, instead of the current time.'),
  parameter('separator', 'Separates the names.', ' + '),
  parameter(
    'field',
    "The owner's field.",
    'name',
    toChoices({
      name: 'The name',
      email: 'The email address',
      username: 'The login',
    }),
  ),
  parameter('listid', 'The list whose description is inserted.', '3'),
  parameter('listids', 'The lists whose descriptions are inserted.', '3,4'),
  parameter('redirect', 'The page that opens afterwards.', 'https://example.com/bye'),
  parameter('lists', 'IDs of the lists to subscribe to. Without them, the tag outputs an error message.', '1,2'),
  parameter('theme', "1: shows the page in the site's design.", '1', [
    { id: '1', title: "In the site's design" },
    { id: '0', title: 'Only the email' },
  ]),
];

/** Defaults of most families. */
const common = { aliases: [], parameters: [], where: everywhere } as const;

const families: readonly TagFamily[] = [
  {
    ...common,
    name: 'subscriber',
    aliases: ['subtag'],
    title: 'Subscriber',
    about: 'A field of the recipient. Custom fields are named by their namekey.',
    ids: toChoices({
      name: 'Name',
      email: 'Email address',
      id: 'ID',
      key: 'Secret key, as in links of the service',
      creation_date: 'When the subscriber was added',
      confirmed: '1 if the address is confirmed',
      active: '1 if the subscriber receives emails',
      source: 'Where the subscriber was added',
      language: "Language, such as fr-FR. Empty: the site's language.",
      acym_language: 'The same as language',
      cms_id: 'ID of the site account, or 0',
      open_date: 'Last open of an email',
      tracking: '1 if opens and clicks are tracked',
      automation: 'Notes of automations',
      confirmation_date: 'When the address was confirmed',
      confirmation_ip: 'IP address of the confirmation',
      deactivation_date: 'When the subscriber was deactivated',
      last_sent_date: 'Last email sent',
      last_open_date: 'Last open of an email',
      last_click_date: 'Last click in an email',
      autologin_token: 'Token that logs the subscriber in',
    }),
    parameters: [...formatting, 'info'],
    source: 'subscriber',
    example: '{subscriber:name|part:first|default:friend}',
    exampleOutput: 'Ann',
  },
  {
    ...common,
    name: 'usertag',
    title: 'Site account',
    about:
      'A field of the recipient’s or sender’s account on the site. Empty if the account has no such field. "default" has no effect.',
    ids: toChoices({
      display_name: 'Display name',
      user_login: 'Login',
      user_email: 'Email address',
      user_nicename: 'Name in URLs',
      user_registered: 'When the account was created',
      user_url: 'Website',
      ID: 'ID of the account',
      groups: 'Roles on the site',
    }),
    parameters: [...formatting.filter((name) => name !== 'default'), 'info'],
    source: 'account',
    example: '{usertag:display_name|info:sender}',
    exampleOutput: 'admin',
  },
  {
    ...common,
    name: 'date',
    title: 'Date',
    about: 'The time of sending: a number (1 to 5: the site’s formats), or a format of PHP letters or % codes.',
    ids: formats,
    parameters: ['add', 'remove', 'senddate'],
    source: 'date',
    where: renderedOnce,
    example: '{date:j F Y}',
    exampleOutput: '5 March 2026',
  },
  {
    ...common,
    name: 'list',
    title: 'List',
    about: 'The list through which the recipient receives the email. Other fields output an error message.',
    ids: toChoices({
      name: 'Name of the list',
      names: "Names of all the subscriber's lists",
      description: 'Description of the list',
      descriptions: "Descriptions of all the subscriber's lists",
      id: 'ID of the list',
      owner: 'Owner of the list; needs "field"',
    }),
    parameters: ['separator', 'field', 'listid', 'listids'],
    source: 'list',
    example: '{list:names|separator: + }',
    exampleOutput: 'Weekly +Offers',
  },
  {
    ...common,
    name: 'mail',
    title: 'Email',
    about: 'A field of the email itself.',
    ids: toChoices({
      subject: 'Subject',
      name: 'Name of the email',
      id: 'ID of the email',
      campaignid: 'ID of the campaign',
      preheader: 'Preheader',
      from_name: 'Name of the sender',
      from_email: 'Address of the sender',
      reply_to_name: 'Name for replies',
      reply_to_email: 'Address for replies',
    }),
    parameters: formatting,
    source: 'mail',
    where: renderedOnce,
    example: '{mail:subject|upper}',
    exampleOutput: 'NEWS OF MARCH',
  },
  {
    ...common,
    name: 'automail',
    title: 'Automatic campaign',
    about: 'A value of the automatic campaign that created the email.',
    ids: toChoices({
      number_generated: 'Number of emails created',
    }),
    parameters: formatting,
    source: 'automail',
    where: renderedOnce,
    example: '{automail:number_generated|default:1}',
    exampleOutput: '3',
  },
  {
    ...common,
    name: 'rand',
    title: 'Random text',
    about:
      'A random text of those between the semicolons. Equal tags of an email output the same text. Lowercase only, without spaces after the colon.',
    ids: [],
    source: 'choice',
    where: renderedOnce,
    example: '{rand:Hello;Hi;Good day}',
    exampleOutput: 'Hi',
  },
  {
    ...common,
    name: 'trans',
    title: 'Translation',
    about: 'A text of the site by its key, in the recipient’s language. Unrecognized keys are inserted unchanged.',
    ids: toChoices({
      ACYM_NAME: 'Name',
      ACYM_UNSUBSCRIBE: 'Unsubscribe',
    }),
    source: 'translation',
    example: '{trans:ACYM_UNSUBSCRIBE}',
    exampleOutput: 'Unsubscribe',
  },
  {
    ...common,
    name: 'config',
    title: 'Site',
    about: 'The name of the site.',
    ids: toChoices({
      sitename: 'Name of the site',
    }),
    source: 'site',
    example: '{config:sitename}',
    exampleOutput: 'Reference Site',
  },
];

/** The pairs of a group, which can close each other. */
const pairGroup = (
  group: string,
  where: readonly TagLocation[],
  ...rows: readonly (readonly [
    name: string,
    title: string,
    about: string,
    text: string,
    task?: string,
    parameters?: readonly string[],
  ])[]
): TagPair[] =>
  rows.map(([name, title, about, text, task, parameters = []]) => ({
    name,
    group,
    title,
    about,
    text,
    task,
    parameters,
    where,
  }));

const pairs: readonly TagPair[] = [
  ...pairGroup(
    'subscription',
    ['body', 'subject'],
    [
      'unsubscribe',
      'Unsubscribe',
      'Opens the page that unsubscribes from the lists of the email.',
      'Unsubscribe',
      'unsubscribe',
    ],
    [
      'unsubscribeall',
      'Unsubscribe from all',
      'Unsubscribes from all lists.',
      'Unsubscribe from all lists',
      'unsubscribeAll',
      ['redirect'],
    ],
    [
      'direct_unsubscribe',
      'Unsubscribe immediately',
      'Unsubscribes without a confirmation page.',
      'Unsubscribe',
      'unsubscribe direct',
      ['redirect'],
    ],
    [
      'disable_tracking',
      'Stop tracking',
      'Opens and clicks of the recipient are no longer tracked.',
      'Stop tracking me',
      'disableTracking',
    ],
    ['confirm', 'Confirm', 'Confirms the recipient’s address.', 'Confirm your subscription', 'confirm'],
    ['subscribe', 'Subscribe', 'Subscribes the recipient to lists.', 'Subscribe', 'subscribe', ['lists']],
  ),
  ...pairGroup(
    'online',
    ['body'],
    ['readonline', 'Read in the browser', 'Opens the web page of the email.', 'Read in the browser', 'view', ['theme']],
    [
      'modify_profile',
      'Change the profile',
      'Opens the recipient’s profile. On WordPress: the web page of the email.',
      'Change your profile',
      'view',
    ],
  ),
  ...pairGroup(
    'info',
    ['body'],
    [
      'info',
      'About the site',
      'Outputs its content. An email address becomes a link, and so does a URL that responds.',
      'Reference Site',
    ],
  ),
];

const translations: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(siteFormats).map(([number, format]) => [`ACYM_DATE_FORMAT_LC${number}`, format]),
  ),
  ACYM_NAME: 'Name',
  ACYM_EMAIL: 'Email',
  ACYM_DATE: 'Date',
  ACYM_YES: 'Yes',
  ACYM_NO: 'No',
  ACYM_HELLO: 'Hello',
  ACYM_SUBSCRIBE: 'Subscribe',
  ACYM_UNSUBSCRIBE: 'Unsubscribe',
  ACYM_UNSUBSCRIBE_ALL_LISTS: 'Unsubscribe from all lists',
  ACYM_VIEW_ONLINE: 'Click here to view it online',
  ACYM_MODIFY_MY_PROFILE: 'Modify my profile',
  ACYM_READ_MORE: 'Read more',
  ACYM_DISABLE_TRACKING: 'Stop tracking me',
  ACYM_CONFIRM_SUBSCRIPTION: 'Click here to confirm your subscription',
  ACYM_EXPORT_SELECT_LIST: 'Please select at least one list',
  ...Object.fromEntries([...months, ...days].map((name) => [`ACYM_${name.toUpperCase()}`, name])),
};

const toFamilyStep = (family: string): TagStep => ({ kind: 'family', family });

export const acymailing: TagLanguage = {
  name: 'acymailing',
  families,
  pairs,
  parameters,
  conditions: {
    name: 'if',
    title: 'Condition',
    about:
      'Shows the content between the halves only if the condition is met. Custom fields are named by label (City), others by name. There is no else.',
    parameters: [],
    operators: toChoices({
      '=': 'is (a;b;c: is any of them)',
      '!=': 'is not',
      '<': 'is less than',
      '>': 'is more than',
      '~': 'contains',
      '!~': 'does not contain',
    }),
    levels: 3,
    where: ['body', 'subject', 'headers'],
    example: '{if:City=Dublin}…{/if}',
  },
  steps: [
    ...['info', 'online', 'subscription'].map((group) => ({ kind: 'pairs', group }) as const),
    ...['mail', 'automail', 'date', 'rand', 'subscriber', 'list', 'usertag'].map(toFamilyStep),
    { kind: 'extensionMarks' },
    { kind: 'conditions' },
    ...['trans', 'config'].map(toFamilyStep),
  ],
  translations,
};
