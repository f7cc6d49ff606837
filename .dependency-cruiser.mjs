/** The rooms of `src/` that are not a noun's, each with the rooms it may import. An arrow that is not here would run back up. */
const mayImport = {
  api: [],
  email: [],
  tags: [],
  merge: [],
  sent: ['email', 'tags'],
  checks: ['email', 'tags', 'sent'],
  lenses: ['email', 'tags', 'checks'],
  sandbox: ['api', 'email', 'tags', 'sent'],
  webviews: ['email'],
  ui: ['webviews/messages'],
  connections: ['api', 'sandbox', 'ui'],
  documents: ['api', 'email', 'ui', 'webviews', 'connections'],
  explorer: ['api', 'ui', 'connections', 'documents'],
  worker: ['email', 'tags', 'sent', 'checks', 'merge', 'ui'],
  preview: ['api', 'email', 'tags', 'sent', 'checks', 'lenses', 'worker', 'ui', 'webviews', 'connections', 'documents'],
  sending: [
    'api',
    'email',
    'tags',
    'sent',
    'checks',
    'worker',
    'ui',
    'webviews',
    'connections',
    'documents',
    'explorer',
    'preview',
  ],
  language: ['api', 'email', 'tags', 'sent', 'checks', 'worker', 'ui', 'connections', 'documents', 'preview'],
  folders: [
    'api',
    'email',
    'tags',
    'sent',
    'checks',
    'merge',
    'worker',
    'ui',
    'connections',
    'documents',
    'preview',
    'language',
  ],
  // Above the nouns, which know nothing of it.
  agents: [
    ...[
      'services',
      'api',
      'email',
      'tags',
      'worker',
      'ui',
      'connections',
      'documents',
      'preview',
      'sending',
      'language',
    ],
    ...[
      'templates/model',
      'templates/documents',
      'campaigns/model',
      'campaigns/documents',
      'campaigns/campaigns',
      'followUps/model',
      'lists/model',
    ],
    ...['statistics/model', 'statistics/analysis', 'statistics/host/source'],
  ],
};

/** Rooms that never see VS Code: they run in plain Node, or in a page. */
const withoutVSCode = ['api', 'email', 'tags', 'sent', 'checks', 'lenses', 'merge', 'sandbox', 'webviews'];

/** Rooms that run in the browser too: nothing of Node. */
const pure = ['email', 'tags', 'sent', 'checks', 'lenses', 'merge', 'webviews'];

const nouns = ['templates', 'campaigns', 'followUps', 'lists', 'subscriptions', 'statistics'];

const room = (names) => `^src/(${names.join('|')})(/|\\.ts$)`;
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid(
      'no-circle',
      'Files that import each other in a loop, types among them, can only be understood together.',
      {},
      { circular: true },
    ),
    ...Object.entries(mayImport).map(([name, others]) =>
      forbid(
        `${name}-imports`,
        `${name}/ imports ${others.join(', ') || 'no other room'}.`,
        { path: room([name]) },
        { path: '^src/', pathNot: [room([name]), ...others.map((other) => room([other]))] },
      ),
    ),
    ...nouns.map((noun) =>
      forbid(
        `${noun}-imports`,
        "Of another noun's room, only its model.ts is there for others.",
        { path: room([noun]) },
        { path: room(nouns.filter((other) => other !== noun)), pathNot: `^src/(${nouns.join('|')})/model\\.ts$` },
      ),
    ),
    forbid(
      'page-imports',
      'A page runs in the browser: it imports kits, pure rooms, models and its protocol.',
      { path: '^src/.+/page/' },
      {
        path: '^src/',
        pathNot: ['/page/', '/protocol\\.ts$', '/model\\.ts$', room(pure)],
      },
    ),
    forbid(
      'no-vscode',
      'api, sandbox, the pure rooms, pages and models never see VS Code.',
      { path: [room(withoutVSCode), '/page/', '/protocol\\.ts$', `^src/(${nouns.join('|')})/model\\.ts$`] },
      { path: '^vscode$' },
    ),
    forbid(
      'no-node',
      'Pure rooms and pages run in the browser.',
      { path: [room(pure), '/page/'] },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'bounded-parsing',
      'parse5 is called by email/parseHtml.ts alone, which bounds its time and memory.',
      { pathNot: '^src/email/parseHtml\\.ts$' },
      {
        path: '(^|/)node_modules/parse5/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid('wired-once', 'What wires the rooms together is imported by nobody.', {}, { path: '^src/extension\\.ts$' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
