// node scripts/l10n.mjs: writes the texts of the code into l10n/bundle.l10n.json. With --check it changes nothing, and fails if that
// file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getL10nJson, getL10nPseudoLocalized } from '@vscode/l10n-dev';
import ts from 'typescript';
import { readBlocks } from './lib/blocks.mjs';
import { filesIn, root } from './lib/paths.mjs';
import { writeTexts } from './lib/texts.mjs';

const path = join(root, 'l10n/bundle.l10n.json');

/** The source that translates the titles of blocks, which aren't in the code. */
const BLOCK_TITLES = 't(block.title)';

/**
 * Returns the texts of the code by their keys, sorted.
 * @returns {Promise<import('@vscode/l10n-dev').l10nJsonFormat>}
 * @throws {Error} if a text can't be extracted
 */
export async function findTexts() {
  const sources = filesIn('src').filter((name) => name.endsWith('.ts'));
  const files = sources.map((name) => ({ name, extension: '.ts', contents: readFileSync(join(root, name), 'utf8') }));
  const titles = readBlocks().map(({ title }) => `t(${JSON.stringify(title)});`);
  const contents = ["import { t } from '@vscode/l10n';", ...titles].join('\n');
  files.push({ name: 'media/blocks', extension: '.ts', contents });
  // The library finds `l10n.t`, but not an imported `t`.
  const texts = await getL10nJson(
    files.map(({ contents, ...file }) => ({
      ...file,
      contents: contents
        .replace(/^import \{ (?:config, )?t \} from '@vscode/mu, "import * as l10n from '@vscode")
        .replaceAll(/(?<![\w.])t(?=[(`])/gu, 'l10n.t'),
    })),
  );
  for (const { name, contents } of files)
    if (contents.includes('@vscode/l10n'))
      for (const text of findMessages(ts.createSourceFile(name, contents, ts.ScriptTarget.Latest, true)))
        if (
          text !== BLOCK_TITLES &&
          !Object.values(texts).some((each) => text === (typeof each === 'string' ? each : each.message))
        )
          throw new Error(`${name}: t needs a text as its first argument, or as a tag: ${text}`);
  return Object.fromEntries(Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Returns texts in the pseudo-locale `qps-ploc`: English in brackets, with accents, and about 40 % longer.
 * @param {string} path a bundle of the code's texts, or `package.nls.json`
 * @returns {Record<string, string>}
 */
export function getPseudoTexts(path) {
  const texts = getL10nPseudoLocalized(JSON.parse(readFileSync(join(root, path), 'utf8')));
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, key === 'product' ? 'Mailing Studio' : `[${text}]`]),
  );
}

/**
 * Adds the pseudo-locale to an installed extension.
 * @param {string} folder the extension's folder
 */
export function installPseudoLocale(folder) {
  writeFileSync(join(folder, 'package.nls.qps-ploc.json'), JSON.stringify(getPseudoTexts('package.nls.json')));
  writeTexts(join(folder, 'dist'), 'qps-ploc', getPseudoTexts('l10n/bundle.l10n.json'));
}

/**
 * Returns the messages of all `t` of `@vscode/l10n` in a file, and the source of those that aren't texts.
 * @param {ts.Node} node
 * @returns {string[]}
 */
function findMessages(node) {
  /** @type {string[]} */
  const messages = [];
  ts.forEachChild(node, (child) => void messages.push(...findMessages(child)));
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 't') {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) messages.push(template.text);
    else
      messages.push(
        template.head.text + template.templateSpans.map((span, index) => `{${index}}${span.literal.text}`).join(''),
      );
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 't') {
    const [first] = node.arguments;
    const message =
      first && ts.isObjectLiteralExpression(first)
        ? first.properties.filter(ts.isPropertyAssignment).find(({ name }) => name.getText() === 'message')?.initializer
        : first;
    messages.push(message && ts.isStringLiteralLike(message) ? message.text : node.getText());
  }
  return messages;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const written = `${JSON.stringify(await findTexts(), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(path, written);
  else if (readFileSync(path, 'utf8') !== written) {
    console.error('l10n/bundle.l10n.json is out of date: run `npm run l10n`, and translate the new texts.');
    process.exitCode = 1;
  }
}
