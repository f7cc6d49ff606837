import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import { SEVERITIES } from '../email/checks/model.ts';
import { cmsNames } from '../email/sent/model.ts';
import { describeError, FAILED, printError } from './output.ts';

const checking = () => import('./check.ts');
const composing = () => import('./report.ts');

const FORMATS = ['stylish', 'json', 'sarif', 'junit', 'github', 'gitlab', 'markdown'];

const parseCount = (text: string) => {
  if (!/^\d{1,9}$/u.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
};
const parseList = (text: string) => text.split(',').map((name) => name.trim());

// Node 20 doesn't have it yet.
if (!('groupBy' in Map))
  Object.assign(Map, {
    groupBy: <Key, Item>(items: Iterable<Item>, getKey: (item: Item) => Key): Map<Key, Item[]> => {
      const groups = new Map<Key, Item[]>();
      for (const item of items) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item]);
      return groups;
    },
  });

// Keys are often tried as options or arguments, which messages repeat in quotes.
const typed = /(?<=unknown (?:option|command) '|argument ')[^]+(?=')/u;
const hideTyped = (text: string) => {
  const [name = ''] = text.split('=');
  const shown = /^[a-z-]{0,20}$/u.test(name) ? name : '';
  return shown === text ? text : `${shown}…`;
};

const program = new Command('mailing')
  .description(
    'Checks email templates and keeps them in sync with a mailing service. It never sends, schedules or deletes.',
  )
  .version(version)
  .showHelpAfterError('Run "mailing --help" for commands and options.')
  .configureOutput({
    writeErr: (text) => printError(text.trimEnd()),
    outputError: (text, write) => write(text.replace(typed, hideTyped)),
  })
  .exitOverride();

/** Adds a command. `load` returns a function that runs it and returns the exit code. */
function add<Options extends object>(
  usage: string,
  description: string,
  load: () => Promise<(names: readonly string[], options: Options) => Promise<number>>,
) {
  return program
    .command(usage)
    .description(description)
    .option('--quiet', 'print results only')
    .option('--verbose', 'print each step on stderr')
    .action(async (names: string | readonly string[] = [], options: Options) => {
      const run = await load();
      process.exitCode = await run([names].flat(), options);
    });
}

const profile = new Option('--profile <name>', 'the kind of service').choices(['documented', 'acymailing']);
const cms = new Option('--cms <name>', "the site's content management system").choices(cmsNames);
const changed = new Option(
  '--changed <revision>',
  'only emails with changes since a revision of git, as in --changed=main; without one, uncommitted changes',
);
const config = new Option('--config <file>', 'use this mailing.json instead of the nearest one');

add('check [files...]', 'Check HTML files, or all mapped templates.', async () => (await checking()).check)
  .addOption(profile)
  .addOption(cms)
  .option('--clients <names>', 'mail clients to check for, separated by commas', parseList)
  .addOption(config)
  .addOption(changed)
  .option('--baseline <file>', 'leave out the findings in this file; if it is missing, write it')
  .option('--max-warnings <number>', 'fail with more warnings than this, or with errors (see --fail-level)', parseCount)
  .addOption(
    new Option('--fail-level <severity>', 'fail only with findings of this severity or above').choices([
      ...SEVERITIES,
      'none',
    ]),
  )
  .option('--fix', 'fix what needs no decision')
  .option('--stdin-filename <file>', 'check the text on stdin under this name')
  .addOption(new Option('-f, --format <format>', 'default: stylish; github in GitHub Actions').choices(FORMATS))
  .option('-o, --output <file>', 'write the report to a file');

add(
  'format [files...]',
  'Format the HTML of emails so that recipients get the same.',
  async () => (await checking()).format,
)
  .addOption(profile)
  .addOption(config)
  .addOption(new Option('--indent <width>', 'spaces per level').choices(['2', '4', 'tab']).default('2'))
  .option('--check', 'only list the emails that need formatting')
  .option('--write', 'write the formatted emails');

add(
  'parts [files...]',
  'Keep the linked parts of emails equal to the files in mailing-parts.',
  async () => (await checking()).parts,
)
  .addOption(config)
  .option('--check', 'list the emails whose parts need an update')
  .option('--write', 'update the parts in the emails')
  .option('--strip', 'print the emails without the marks of parts');

add(
  'sent [files...]',
  'Print emails as the service sends them, or compare them with snapshots or a received email.',
  async () => (await composing()).sent,
)
  .option('--text', 'print the text part')
  .option('--as <person>', 'replace merge tags for a person of mailing.people.json')
  .addOption(profile)
  .addOption(cms)
  .addOption(config)
  .option('--snapshot <folder>', 'write an .html and a .txt file for each email')
  .option('--check-snapshots', 'compare with the files of --snapshot')
  .option('--compare <file>', 'compare an email with a received one, an .eml file');

add(
  'report [files...]',
  'Write a report to review emails in a browser, beside the versions before.',
  async () => (await composing()).report,
)
  .addOption(profile)
  .addOption(cms)
  .addOption(config)
  .option('--clients <names>', 'mail clients to check for, separated by commas', parseList)
  .addOption(changed)
  .option('-o, --output <file>', 'write the report to a file');

const connection = new Option('--connection <id>', 'a connection of mailing.json');
const trustedRef = new Option(
  '--trusted-ref <revision>',
  'send the key only to the address in mailing.json on this branch',
);

add(
  'mcp [folder]',
  'Serve tools for agents (Model Context Protocol) on stdio.',
  async () => (await import('./mcp.ts')).mcp,
)
  .addOption(connection)
  .addOption(trustedRef);

for (const [name, description] of [
  ['status', 'Show which mapped templates differ from the service.'],
  ['diff', 'Show the differences between the service and the files.'],
  ['pull', "Write the service's changes into the files."],
  ['push', 'Store the changes of the files on the service.'],
] as const) {
  const command = add(`${name} [folders...]`, description, async () =>
    (await import('./transfers.ts')).transfer.bind(undefined, name),
  )
    .addOption(connection)
    .option('--url <address>', "the service's address; by default, that of mailing.json or .vscode/settings.json")
    .addOption(trustedRef)
    .option('--json', 'print JSON');
  if (name === 'pull' || name === 'push') command.option('--dry-run', 'show what would be written');
  if (name === 'push')
    command
      .option('--allow-protected', 'push to a protected connection')
      .option('--retry', 'push again although an earlier push is unconfirmed');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(FAILED));
// A closed pipe, such as "| head", is no error. A push goes on, so that its result is recorded.
process.stdout.on('error', (error) => {
  if (!('code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'))) fail(error);
});
// Reporting it would fail again.
process.stderr.on('error', () => undefined);
process.on('uncaughtException', fail);

try {
  // The revision is optional, and must not be mistaken for a file.
  const args = process.argv.map((argument) => (argument === '--changed' ? '--changed=HEAD' : argument));
  await program.parseAsync(args);
} catch (error) {
  if (!(error instanceof CommanderError)) fail(error);
  else process.exitCode = error.exitCode === 0 ? 0 : FAILED;
}

/** Prints an error in two lines: the problem, and the next step. Never prints a stack trace. */
function fail(error: unknown) {
  process.exitCode = FAILED;
  printError(describeError(error));
}
