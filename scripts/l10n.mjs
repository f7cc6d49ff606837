// node scripts/l10n.mjs: writes the texts of the code into l10n/bundle.l10n.json. With --check it changes nothing, and fails if that
// file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getL10nPseudoLocalized } from '@vscode/l10n-dev';
import ts from 'typescript';
import { readBlocks } from './lib/blocks.mjs';
import { filesIn, root } from './lib/paths.mjs';
import { writeTexts } from './lib/texts.mjs';

const path = join(root, 'l10n/bundle.l10n.json');

/** The source that translates the titles of blocks, which aren't in the code. */
const BLOCK_TITLES = 't(block.title)';

/**
 * Returns the texts of the code and the titles of blocks, sorted by their keys, which are those of `@vscode/l10n`.
 * @returns {import('@vscode/l10n-dev').l10nJsonFormat}
 * @throws {Error} if a text can't be extracted
 */
export function findTexts() {
  /** @type {import('@vscode/l10n-dev').l10nJsonFormat} */
  const texts = Object.fromEntries(readBlocks().map(({ title }) => [title, title]));
  for (const name of filesIn('src').filter((file) => file.endsWith('.ts'))) {
    const source = readFileSync(join(root, name), 'utf8');
    if (!source.includes('l10n')) continue;
    const calls = findCalls(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
    for (const { message, comment, code } of calls.filter((call) => call.code !== BLOCK_TITLES)) {
      if (message === undefined)
        throw new Error(
          `${name}: t needs a text as its first argument, or as a tag, and a text as its comment: ${code}`,
        );
      if (comment === undefined) texts[message] = message;
      else texts[`${message}/${comment}`] = { message, comment: [comment] };
    }
  }
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
 * Returns all calls of `t` of `@vscode/l10n` in a file. Those whose message or comment isn't a text have no message.
 * @param {ts.Node} node
 * @returns {{ message: string | undefined, comment?: string | undefined, code: string }[]}
 */
function findCalls(node) {
  /** @type {ReturnType<typeof findCalls>} */
  const calls = [];
  ts.forEachChild(node, (child) => void calls.push(...findCalls(child)));
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 't') {
    const { template } = node;
    const message = ts.isNoSubstitutionTemplateLiteral(template)
      ? template.text
      : template.head.text + template.templateSpans.map((span, index) => `{${index}}${span.literal.text}`).join('');
    calls.push({ message, code: node.getText() });
  }
  if (ts.isCallExpression(node) && node.expression.getText() === 't') {
    const [first] = node.arguments;
    const options =
      first && ts.isObjectLiteralExpression(first) ? first.properties.filter(ts.isPropertyAssignment) : [];
    const get = (/** @type {string} */ name) => options.find((option) => option.name.getText() === name)?.initializer;
    const [comment, code] = [get('comment'), node.getText()];
    if (comment && readLiteral(comment) === undefined) calls.push({ message: undefined, code });
    else calls.push({ message: readLiteral(get('message') ?? first), comment: readLiteral(comment), code });
  }
  return calls;
}

/** @param {ts.Expression | undefined} node */
const readLiteral = (node) => (node && ts.isStringLiteralLike(node) ? node.text : undefined);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const written = `${JSON.stringify(findTexts(), null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(path, written);
  else if (readFileSync(path, 'utf8') !== written) {
    console.error('l10n/bundle.l10n.json is out of date: run `npm run l10n`, and translate the new texts.');
    process.exitCode = 1;
  }
}
