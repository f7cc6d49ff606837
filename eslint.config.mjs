import tseslint from 'typescript-eslint';
import eslint from '@eslint/js';

const noun = ['templates', 'campaigns', 'followUps', 'lists', 'statistics'];
/** Forbids imports: the walls of the house (who may know whom). */
const walls = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: patterns.map(([regex, message]) => ({ regex, message })) }] },
});

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.vscode-test/'] },
  eslint.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  { files: ['src/**/*.ts'], ignores: ['src/sandbox/data/**'], rules: { 'max-lines': ['error', 400] } },
  { files: ['**/*.mjs'], languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', fetch: 'readonly', setTimeout: 'readonly', clearTimeout: 'readonly', Buffer: 'readonly', performance: 'readonly', AbortSignal: 'readonly', AbortController: 'readonly', setInterval: 'readonly', clearInterval: 'readonly' } } },
  walls(['src/api/**', 'src/sandbox/**'], [['^vscode$', 'api and sandbox are plain Node.'], ['^\\.\\./(?!\\.\\./)(?!(data|faults|routes)/)[a-zA-Z]+/', 'api and sandbox know no other room.']]),
  walls(['src/email/**'], [['^vscode$', 'email is pure.'], ['^node:', 'email runs in the browser too.'], ['^\\.\\./', 'email knows no other room.']]),
  walls(['src/webviews/**'], [['^vscode$', 'webviews run in the browser.'], ['^\\.\\./\\.\\./(?!email/)', 'webviews import only from webviews and email.']]),
  walls(['src/connections/**', 'src/documents/**', 'src/explorer/**', 'src/workbench/**'], [[`/(${noun.join('|')})/`, 'The shared mechanisms know no noun.']]),
  ...noun.map((room) => walls([`src/${room}/**`], [[`/(${noun.filter((other) => other !== room).join('|')})/`, "A noun's room imports no other noun's room."]])),
);
