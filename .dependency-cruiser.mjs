/** The layers of `src/`, the lowest first. An import points down this list. */
const layers = ['email', 'service', 'sync', 'platform', 'features'];

/** Modules that run in plain Node or in a page: no `vscode`. */
const withoutVSCode = ['email', 'service', 'sync', 'cli', 'platform/webview'];

/** Modules that also run in a page: nothing of Node. */
const pure = ['email', 'platform/webview'];

const inside = (names) => `^src/(${names.join('|')})/`;
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid(
      'no-circular',
      'Files that import each other, types included, can only be understood together.',
      {},
      { circular: true },
    ),
    ...layers
      .slice(0, -1)
      .map((layer, index) =>
        forbid(
          `${layer}-imports`,
          `${layer}/ imports only the layers below it.`,
          { path: inside([layer]) },
          { path: inside(layers.slice(index + 1)) },
        ),
      ),
    forbid(
      'cli-imports',
      'The command line runs without VS Code: it imports only sync, service and email.',
      { path: '^src/cli/' },
      { path: '^src/', pathNot: [inside(['cli', 'sync', 'service', 'email']), '^src/l10n\\.ts$'] },
    ),
    forbid('cli-alone', 'No other layer imports the command line.', { pathNot: '^src/cli/' }, { path: '^src/cli/' }),
    forbid(
      'feature-imports',
      'Of another feature, only model.ts, wording.ts and picker.ts may be imported.',
      { path: '^src/features/([^/]+)/', pathNot: '^src/features/agents/' },
      { path: '^src/features/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/(model|wording|picker)\\.ts$'] },
    ),
    forbid(
      'agents-imports',
      'Agents act for the user on other features: they may also import what creates campaigns and reads statistics.',
      { path: '^src/features/agents/' },
      {
        path: '^src/features/',
        pathNot: [
          '^src/features/agents/',
          '/(model|wording|picker|campaigns)\\.ts$',
          '^src/features/statistics/host/source\\.ts$',
        ],
      },
    ),
    forbid(
      'page-imports',
      'A page runs in the browser. It imports pure modules, models, its protocol, timers, and formats of numbers and dates.',
      { path: '^src/.+/page/' },
      {
        path: '^src/',
        pathNot: [
          '/page/',
          '^src/l10n\\.ts$',
          '/protocol\\.ts$',
          '/model\\.ts$',
          '^src/platform/ui/async\\.ts$',
          '^src/service/format\\.ts$',
          inside(pure),
        ],
      },
    ),
    forbid(
      'no-vscode',
      'The lower layers, pages and models never import VS Code.',
      {
        path: [inside(withoutVSCode), '/page/', '/protocol\\.ts$', '^src/features/[^/]+/model\\.ts$'],
        pathNot: '^src/features/sourceControl/model\\.ts$',
      },
      { path: '^vscode$' },
    ),
    forbid(
      'no-node',
      'Pure modules and pages run in the browser.',
      { path: [inside(pure), '/page/'] },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'bounded-parsing',
      'Only email/html/parseHtml.ts calls parse5: it bounds its time and memory.',
      { pathNot: '^src/email/html/parseHtml\\.ts$' },
      {
        path: '(^|/)node_modules/parse5/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid('wired-once', 'No module imports the one that wires them together.', {}, { path: '^src/extension\\.ts$' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
