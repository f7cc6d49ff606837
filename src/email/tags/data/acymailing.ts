// The tags of AcyMailing 11, used for parsing, rendering, completion, explanations and checks.
// The API document doesn't mention tags: this is the behavior of real installations.

import * as l10n from '@vscode/l10n';
import { localized } from '../../../l10n.ts';
import { days, months, siteFormats } from '../dates.ts';
import { createContentFamilies } from './content.ts';
import texts from './translations.json' with { type: 'json' };
import type { TagChoice, TagFamily, TagLanguage, TagPair, TagParameter, TagLocation, TagStep } from '../model.ts';

/** The parts of an email that can have tags. */
export const tagLocations: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];
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
const formats = localized(() =>
  toChoices({
    ...Object.fromEntries(
      Object.entries(siteFormats).map(([number, format]) => [number, l10n.t`Format of the site: ${format}`]),
    ),
    'd/m/Y': '05/03/2026',
    'd.m.Y': '05.03.2026',
    'j F Y': '5 March 2026',
    l: 'Thursday',
    'H:i': '14:07',
    '%d %B %Y': '05 March 2026',
  }),
);

const durations = localized(() =>
  toChoices({
    '3600': l10n.t('An hour'),
    '86400': l10n.t('A day'),
    '604800': l10n.t('A week'),
  }),
);

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

const createParameters = (): readonly TagParameter[] => [
  parameter('default', l10n.t('Used if the value is empty. Other parameters format it, too.'), 'friend'),
  parameter(
    'part',
    l10n.t('One word of the value. If there is no such word: the first word, or nothing for "last".'),
    'first',
    [
      { id: 'first', title: l10n.t('The first word') },
      { id: 'last', title: l10n.t('The last word, if there are several') },
      { id: '2', title: l10n.t('The second word') },
    ],
  ),
  parameter(
    'type',
    l10n.t('Reads the value as a date.'),
    'date|format:d/m/Y',
    toChoices({
      date: l10n.t('A date, formatted by "format"'),
      time: l10n.t('Seconds since 1970, formatted by "format"'),
      diff: l10n.t('The time since the date, formatted by "format" (%a days, %y years)'),
    }),
  ),
  parameter('format', l10n.t('Date format: PHP letters or % codes.'), '%d/%m/%Y', formats()),
  flag('lower', l10n.t('Lowercase.')),
  flag('lowercase', l10n.t('Lowercase.')),
  flag('upper', l10n.t('Uppercase. Overrides "lower".')),
  flag('uppercase', l10n.t('Uppercase. Overrides "lower".')),
  flag('ucwords', l10n.t('Capitalizes each word (A to Z only).')),
  flag('ucfirst', l10n.t('Capitalizes the first letter (A to Z only).')),
  parameter('rtrim', l10n.t('Removes these characters from the end.'), ','),
  flag('urlencode', l10n.t('Encodes the value for a URL.')),
  parameter('substr', l10n.t('Part of the value: offset and length in bytes.'), '0,5'),
  parameter('maxwidth', l10n.t('Maximum width of images in the value.'), '300'),
  parameter('maxheight', l10n.t('Maximum height of images in the value.'), '200'),
  parameter(
    'info',
    l10n.t('The person whose value is inserted.'),
    'receiver',
    toChoices({
      receiver: l10n.t('The recipient'),
      sender: l10n.t('The author of the email (usertag only)'),
      current: l10n.t('The person who triggered an automatic email. In other emails, the tag stays unchanged.'),
    }),
  ),
  parameter('add', l10n.t('Adds seconds.'), '86400', durations()),
  parameter('remove', l10n.t('Subtracts seconds.'), '86400', durations()),
  flag('senddate', l10n.t('The time when the campaign was sent, instead of the current time.')),
  parameter('separator', l10n.t('Text between the names.'), ' + '),
  parameter(
    'field',
    l10n.t("Field of the list's owner."),
    'name',
    toChoices({
      name: l10n.t('Name'),
      email: l10n.t('Email address'),
      username: l10n.t('Login'),
    }),
  ),
  parameter('listid', l10n.t('The list whose description is inserted.'), '3'),
  parameter('listids', l10n.t('The lists whose descriptions are inserted.'), '3,4'),
  parameter('redirect', l10n.t('The page that opens afterwards.'), 'https://example.com/bye'),
  parameter(
    'lists',
    l10n.t('IDs of the lists to subscribe to. Without them, the tag outputs an error message.'),
    '1,2',
  ),
  parameter('theme', l10n.t("1: shows the page in the site's design."), '1', [
    { id: '1', title: l10n.t("In the site's design") },
    { id: '0', title: l10n.t('Only the email') },
  ]),
];

/** Defaults of most families. */
const common = { aliases: [], parameters: [], where: tagLocations } as const;

const createFamilies = (): readonly TagFamily[] => [
  {
    ...common,
    name: 'subscriber',
    aliases: ['subtag'],
    title: l10n.t('Subscriber'),
    about: l10n.t('A field of the recipient. Refer to custom fields by namekey.'),
    ids: toChoices({
      name: l10n.t('Name'),
      email: l10n.t('Email address'),
      id: l10n.t('ID'),
      key: l10n.t('Secret key, as in links of the service'),
      creation_date: l10n.t('When the subscriber was added'),
      confirmed: l10n.t('1 if the address is confirmed'),
      active: l10n.t('1 if the subscriber receives emails'),
      source: l10n.t('Where the subscriber was added'),
      language: l10n.t("Language, such as fr-FR. Empty: the site's language."),
      acym_language: l10n.t('Same as language'),
      cms_id: l10n.t('ID of the site account, or 0'),
      open_date: l10n.t('Last open of an email'),
      tracking: l10n.t('1 if opens and clicks are tracked'),
      automation: l10n.t('Notes from automations'),
      confirmation_date: l10n.t('When the address was confirmed'),
      confirmation_ip: l10n.t('IP address of the confirmation'),
      deactivation_date: l10n.t('When the subscriber was deactivated'),
      last_sent_date: l10n.t('Last email sent'),
      last_open_date: l10n.t('Last open of an email'),
      last_click_date: l10n.t('Last click in an email'),
      autologin_token: l10n.t('Token that logs the subscriber in'),
    }),
    parameters: [...formatting, 'info'],
    source: 'subscriber',
    example: '{subscriber:name|part:first|default:friend}',
    exampleOutput: 'Ann',
  },
  {
    ...common,
    name: 'usertag',
    title: l10n.t('Site account'),
    about: l10n.t(
      'A field of the recipient\'s or sender\'s account on the site. Empty if the account has no such field. "default" has no effect.',
    ),
    ids: toChoices({
      display_name: l10n.t('Display name'),
      user_login: l10n.t('Login'),
      user_email: l10n.t('Email address'),
      user_nicename: l10n.t('Name in URLs'),
      user_registered: l10n.t('When the account was created'),
      user_url: l10n.t('Website'),
      ID: l10n.t('ID of the account'),
      groups: l10n.t('Roles on the site'),
    }),
    parameters: [...formatting.filter((name) => name !== 'default'), 'info'],
    source: 'account',
    example: '{usertag:display_name|info:sender}',
    exampleOutput: 'admin',
  },
  {
    ...common,
    name: 'date',
    title: l10n.t('Date'),
    about: l10n.t(
      'The date and time of sending, in a format of the site (1 to 5) or in a format of PHP letters or % codes.',
    ),
    ids: formats(),
    parameters: ['add', 'remove', 'senddate'],
    source: 'date',
    where: renderedOnce,
    example: '{date:j F Y}',
    exampleOutput: '5 March 2026',
  },
  {
    ...common,
    name: 'list',
    title: l10n.t('List'),
    about: l10n.t('The list through which the recipient receives the email. Other fields output an error message.'),
    ids: toChoices({
      name: l10n.t('Name of the list'),
      names: l10n.t("Names of all the subscriber's lists"),
      description: l10n.t('Description of the list'),
      descriptions: l10n.t("Descriptions of all the subscriber's lists"),
      id: l10n.t('ID of the list'),
      owner: l10n.t('Owner of the list; needs "field"'),
    }),
    parameters: ['separator', 'field', 'listid', 'listids'],
    source: 'list',
    example: '{list:names|separator: + }',
    exampleOutput: 'Weekly +Offers',
  },
  {
    ...common,
    name: 'mail',
    title: l10n.t('Email'),
    about: l10n.t('A field of the email itself.'),
    ids: toChoices({
      subject: l10n.t('Subject'),
      name: l10n.t('Name of the email'),
      id: l10n.t('ID of the email'),
      campaignid: l10n.t('ID of the campaign'),
      preheader: l10n.t('Preheader'),
      from_name: l10n.t('Name of the sender'),
      from_email: l10n.t('Address of the sender'),
      reply_to_name: l10n.t('Name for replies'),
      reply_to_email: l10n.t('Address for replies'),
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
    title: l10n.t('Automatic campaign'),
    about: l10n.t('A value of the automatic campaign that created the email.'),
    ids: toChoices({
      number_generated: l10n.t('Number of emails created'),
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
    title: l10n.t('Random text'),
    about: l10n.t(
      'One of the texts between the semicolons, picked at random. Identical tags of an email output the same text. Lowercase only, without spaces after the colon.',
    ),
    ids: [],
    source: 'choice',
    where: renderedOnce,
    example: '{rand:Hello;Hi;Good day}',
    exampleOutput: 'Hi',
  },
  {
    ...common,
    name: 'trans',
    title: l10n.t('Translation'),
    about: l10n.t(
      "A text of the site by its key, in the recipient's language. Unrecognized keys are inserted unchanged.",
    ),
    ids: toChoices({
      ACYM_NAME: translations['ACYM_NAME'] ?? '',
      ACYM_UNSUBSCRIBE: translations['ACYM_UNSUBSCRIBE'] ?? '',
    }),
    source: 'translation',
    example: '{trans:ACYM_UNSUBSCRIBE}',
    exampleOutput: 'Unsubscribe',
  },
  {
    ...common,
    name: 'config',
    title: l10n.t('Site'),
    about: l10n.t('The name of the site.'),
    ids: toChoices({
      sitename: l10n.t('Name of the site'),
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

const createPairs = (): readonly TagPair[] => [
  ...pairGroup(
    'subscription',
    ['body', 'subject'],
    [
      'unsubscribe',
      l10n.t('Unsubscribe'),
      l10n.t('Opens the page that unsubscribes from the lists of the email.'),
      l10n.t({ message: 'Unsubscribe', comment: 'Link text inserted into an email' }),
      'unsubscribe',
    ],
    [
      'unsubscribeall',
      l10n.t('Unsubscribe from all'),
      l10n.t('Unsubscribes from all lists.'),
      l10n.t({ message: 'Unsubscribe from all lists', comment: 'Link text inserted into an email' }),
      'unsubscribeAll',
      ['redirect'],
    ],
    [
      'direct_unsubscribe',
      l10n.t('Unsubscribe immediately'),
      l10n.t('Unsubscribes without a confirmation page.'),
      l10n.t({ message: 'Unsubscribe', comment: 'Link text inserted into an email' }),
      'unsubscribe direct',
      ['redirect'],
    ],
    [
      'disable_tracking',
      l10n.t('Stop tracking'),
      l10n.t("Turns off tracking of the recipient's opens and clicks."),
      l10n.t({ message: 'Stop tracking me', comment: 'Link text inserted into an email' }),
      'disableTracking',
    ],
    [
      'confirm',
      l10n.t('Confirm'),
      l10n.t("Confirms the recipient's address."),
      l10n.t({ message: 'Confirm your subscription', comment: 'Link text inserted into an email' }),
      'confirm',
    ],
    [
      'subscribe',
      l10n.t('Subscribe'),
      l10n.t('Subscribes the recipient to lists.'),
      l10n.t({ message: 'Subscribe', comment: 'Link text inserted into an email' }),
      'subscribe',
      ['lists'],
    ],
  ),
  ...pairGroup(
    'online',
    ['body'],
    [
      'readonline',
      l10n.t('Read in the browser'),
      l10n.t('Opens the web page of the email.'),
      l10n.t({ message: 'Read in the browser', comment: 'Link text inserted into an email' }),
      'view',
      ['theme'],
    ],
    [
      'modify_profile',
      l10n.t('Change the profile'),
      l10n.t("Opens the recipient's profile. On WordPress: the web page of the email."),
      l10n.t({ message: 'Change your profile', comment: 'Link text inserted into an email' }),
      'view',
    ],
  ),
  ...pairGroup(
    'info',
    ['body'],
    [
      'info',
      l10n.t('About the site'),
      l10n.t('Outputs its content. An email address becomes a link, and so does a URL that responds.'),
      'Reference Site',
    ],
  ),
];

const translations: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(siteFormats).map(([number, format]) => [`ACYM_DATE_FORMAT_LC${number}`, format]),
  ),
  ...texts,
  ...Object.fromEntries([...months, ...days].map((name) => [`ACYM_${name.toUpperCase()}`, name])),
};

const toFamilyStep = (family: string): TagStep => ({ kind: 'family', family });

/** Returns the language. Its descriptions are in the display language. */
export const acymailing = localized((): TagLanguage => ({
  name: 'acymailing',
  families: [...createFamilies(), ...createContentFamilies()],
  pairs: createPairs(),
  parameters: createParameters(),
  conditions: {
    name: 'if',
    title: l10n.t('Condition'),
    about: l10n.t(
      'Shows the content between the tags only if the condition is met. Refer to custom fields by label (City), and to other fields by name. There is no "else".',
    ),
    parameters: [],
    operators: toChoices({
      '=': l10n.t({ message: 'is (a;b;c: any of them)', comment: 'Operator between a field and a value' }),
      '!=': l10n.t({ message: 'is not', comment: 'Operator between a field and a value' }),
      '<': l10n.t({ message: 'is less than', comment: 'Operator between a field and a value' }),
      '>': l10n.t({ message: 'is greater than', comment: 'Operator between a field and a value' }),
      '~': l10n.t({ message: 'contains', comment: 'Operator between a field and a value' }),
      '!~': l10n.t({ message: 'does not contain', comment: 'Operator between a field and a value' }),
    }),
    levels: 3,
    where: ['body', 'subject', 'headers'],
    example: '{if:City=Dublin}…{/if}',
  },
  steps: [
    ...['info', 'online', 'subscription'].map((group) => ({ kind: 'pairs', group }) as const),
    { kind: 'content' },
    ...['mail', 'automail', 'date', 'rand', 'subscriber', 'list', 'usertag'].map(toFamilyStep),
    { kind: 'extensionMarks' },
    { kind: 'conditions' },
    ...['trans', 'config'].map(toFamilyStep),
  ],
  translations,
}));
