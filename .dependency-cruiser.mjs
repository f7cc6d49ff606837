/** The layers of `src/`, the lowest first. An import points down this list. */
const layers = ['email', 'service', 'sync', 'ui', 'platform', 'features'];

/** The features that each feature builds on, without circles. `services` is what `extension.ts` passes to all. */
const featureImports = {
  preview: [],
  sending: ['preview'],
  services: ['sending'],
  language: ['preview', 'services'],
  lists: ['sending', 'services'],
  records: ['language', 'preview', 'sending'],
  sourceControl: ['language', 'preview', 'services'],
  parts: ['language', 'preview', 'services', 'sourceControl'],
  templates: ['sending', 'services', 'sourceControl'],
  otherEmails: ['sending', 'services'],
  search: ['campaigns', 'services'],
  campaigns: ['language', 'lists', 'preview', 'sending', 'services'],
  followUps: ['lists', 'sending', 'services', 'templates'],
  subscriptions: ['lists', 'sending', 'services'],
  statistics: ['campaigns', 'followUps', 'services'],
  agents: ['campaigns', 'language', 'preview', 'sending', 'services', 'templates'],
};

/** Modules that run in plain Node or in a page: no `vscode`. */
const withoutVSCode = ['email', 'service', 'sync', 'cli', 'ui/page'];

/** Modules that also run in a page: nothing of Node. */
const pure = ['email', 'ui/page'];

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
    ...Object.entries(featureImports).map(([feature, others]) =>
      forbid(
        `${feature}-imports`,
        'The table above says which features a feature builds on.',
        { path: `^src/features/${feature}/` },
        { path: '^src/features/', pathNot: [feature, ...others].map((other) => `^src/features/${other}(/|\\.ts$)`) },
      ),
    ),
    forbid(
      'known-features',
      'Each feature has a row in the table above.',
      { path: '^src/features/[^/]+/', pathNot: inside(Object.keys(featureImports).map((name) => `features/${name}`)) },
      { path: '^src/' },
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
          '^src/ui/async\\.ts$',
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
