/**
 * Checks the sources and texts against the rules of ARCHITECTURE.md that can be checked automatically. Prints each
 * violation and exits with 1.
 */
import { pathToFileURL } from 'node:url';
import { consoleBreaches } from './console-laws.mjs';
import { folderSizeBreaches } from './folder-sizes.mjs';
import { root } from '../install.mjs';
import { nodesOf, readModules } from './module-graph.mjs';
import { permissionBreaches } from './permission-laws.mjs';
import { citationBreaches } from './text-laws.mjs';

/** The other packages that each package may import. */
const PACKAGES = {
  contract: [],
  server: ['contract'],
  console: ['contract'],
  exchange: ['contract', 'server'],
  testing: ['contract', 'server'],
};

/** Files that may contain SQL. */
const STORES =
  /(-|\/)store\.ts$|\/migrations?\/|platform\/(postgres|clickhouse)\/|reports\/query\/query-model\.ts$|platform\/http\/health\.ts$/;
/** Layers of the delivery engine from the lowest up; a file imports from its own folder and from lower layers only. */
const DELIVERY_LAYERS = [
  ['model'],
  ['exchanges', 'privacy', 'skadnetwork'],
  ['matching'],
  ['snapshot'],
  ['learning'],
  ['auction', 'event-store'],
  ['event-log'],
  ['trackers'],
  ['postbacks'],
  ['counting', 'funnel', 'markup', 'pacing'],
  ['openrtb'],
  ['forecast'],
];
/** What modules and the command line may import of the delivery engine. */
const DELIVERY_FACE = new Set(['delivery.ts', 'public.ts']);
/** Layers of the modules from the lowest up; a module imports modules of lower layers only. */
const MODULE_LAYERS = [
  ['changes', 'notifications', 'reference', 'review', 'storage'],
  ['accounts', 'postbacks'],
  ['apps', 'operator-accounts'],
  ['creatives', 'reports'],
  ['creative-groups', 'finance'],
  ['adsets'],
  ['campaigns', 'targets', 'tracking-links'],
  ['anomalies', 'bid-log', 'history', 'measurement', 'skadnetwork'],
  ['campaign-reports'],
  ['insight'],
  ['archive', 'duplicates', 'live', 'moderation'],
  ['operator'],
];
/** What other modules may import of a module besides its service.ts. */
const PUBLIC_FILES = {
  accounts: [
    'login-attempts.ts',
    'second-factor.ts',
    'passwords/one-time-password.ts',
    'passwords/password-hash.ts',
    'passwords/password-rules.ts',
    'sessions/access-tokens.ts',
    'sessions/viewer-sessions.ts',
  ],
  adsets: ['save-queue.ts'],
  apps: ['publisher-pages.ts'],
  changes: ['audit-log.ts', 'fields.ts'],
  finance: ['check.ts', 'payment-instructions.ts', 'revenue.ts', 'statement.ts'],
  moderation: ['queue.ts'],
  reports: [
    'buckets.ts',
    'export.ts',
    'export-queue.ts',
    'figures.ts',
    'range.ts',
    'report-limits.ts',
    'report-queue.ts',
    'report-route.ts',
    'store.ts',
    'query/counts-store.ts',
    'query/event-rules-sql.ts',
    'query/event-store.ts',
    'query/plan.ts',
    'query/publisher-app-store.ts',
  ],
};
/** Where the server is put together: these may import any file of a module. */
const COMPOSITION = new Set(['start']);
const QUERY_METHODS = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom']);
const CLICKHOUSE_METHODS = new Set(['query', 'insert', 'command']);

/** All violations under `folder`, as `path: what is wrong`. */
export function breachesOf(folder) {
  const modules = readModules(folder);
  const breaches = [];
  for (const module of modules.values()) {
    const found = module.imports.flatMap((each) => [...importBreaches(module.path, each)]);
    if (!isTest(module.path))
      found.push(
        ...reexportBreaches(module),
        ...sqlBreaches(module),
        ...lookupBreaches(module),
        ...permissionBreaches(module),
      );
    breaches.push(...found.map((what) => `${module.path}: ${what}`));
  }
  return [
    ...breaches,
    ...layerlessModules(modules),
    ...folderSizeBreaches(folder),
    ...citationBreaches(folder),
  ];
}

function* importBreaches(path, { target, path: to }) {
  const [, from] = path.split('/');
  const other = /^@bidwell\/([a-z]+)/.exec(target)?.[1];
  if (other && !PACKAGES[from].includes(other) && !(other === 'testing' && isTest(path)))
    yield `${from} may not import ${target}`;
  if (
    from === 'exchange' &&
    other === 'server' &&
    !isTest(path) &&
    !/\/(demo|demo\/(history\/)?[\w-]+)\.ts$/.test(path)
  )
    yield 'only the demo starts the server; the exchange speaks HTTP';
  if (isTest(path)) return;
  yield* consoleBreaches(path, to, target);
  if (!to || other) return;
  if (path.startsWith('packages/server/src/platform/') && !to.startsWith('packages/server/src/platform/'))
    yield `platform/ stands below all else and may not import ${target}`;
  yield* deliveryBreaches(path, to, target);
  const [own, its] = [placeOf(path), placeOf(to)];
  if (own.module && path.endsWith('routes.ts') && /(-|\/)store\.ts$/.test(to))
    yield `routes only declare: call a function that checks a permission, instead of ${target}`;
  if (its.module && its.module !== own.module && !COMPOSITION.has(own.folder) && !isPublic(its))
    yield `reaches ${its.module} past its service.ts: ${target}`;
  if (['modules', 'cli'].includes(own.folder) && its.folder === 'delivery' && !DELIVERY_FACE.has(its.name))
    yield `reaches into delivery past its public.ts: ${target}`;
  yield* moduleBreaches(own.module, its.module, target);
}

function* moduleBreaches(from, to, target) {
  if (from === null || to === null || from === to) return;
  const [own, its] = [from, to].map((name) => MODULE_LAYERS.findIndex((layer) => layer.includes(name)));
  if (own >= 0 && its >= own) yield `modules/${from} may not import ${target}, which is not below it`;
}

/** The modules without a layer. */
function layerlessModules(modules) {
  const names = new Set([...modules.keys()].map((path) => placeOf(path).module ?? MODULE_LAYERS[0][0]));
  return [...names]
    .filter((name) => !MODULE_LAYERS.some((layer) => layer.includes(name)))
    .map((name) => `packages/server/src/modules/${name}: has no layer`);
}

function* deliveryBreaches(path, to, target) {
  const [from, lower] = [path, to].map(
    (each) => /^packages\/server\/src\/delivery\/([\w-]+)\//.exec(each)?.[1],
  );
  const isInside =
    path.startsWith('packages/server/src/delivery/') && to.startsWith('packages/server/src/delivery/');
  if (!isInside || from === undefined || from === lower) return;
  const [own, its] = [from, lower].map((name) => DELIVERY_LAYERS.findIndex((layer) => layer.includes(name)));
  if (own < 0) yield `delivery/${from} has no layer`;
  else if (its < 0 || its >= own) yield `delivery/${from} may not import ${target}, which is not below it`;
}

/** Names that a service hands on from another file, which would hide where they come from. */
function* reexportBreaches({ path, text }) {
  const { module, file } = placeOf(path);
  if (module === null || file !== 'service.ts') return;
  const isFound = /^export (?:type )?(?:\{[^}]*\}|\* as \w+|\*) from /m.test(text);
  if (isFound) yield 're-exports: list its files in PUBLIC_FILES';
}

/** SQL outside stores, migrations, database clients and the query model of the reports. */
function* sqlBreaches({ path, text, program }) {
  if (!path.startsWith('packages/server/src/') || STORES.test(path)) return;
  if (!/selectFrom|insertInto|updateTable|deleteFrom|sql|clickhouse/.test(text)) return;
  for (const node of nodesOf(program())) {
    const isTag = node.type === 'TaggedTemplateExpression' && node.tag.name === 'sql';
    const isCall =
      node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && isQuery(node.callee);
    if (isTag || isCall) return yield 'holds SQL outside a store';
  }
}

function isQuery({ object, property }) {
  const of = object.property?.name ?? object.name;
  return QUERY_METHODS.has(property.name) || (of === 'clickhouse' && CLICKHOUSE_METHODS.has(property.name));
}

/**
 * Uses of `name in table`, which also finds inherited properties such as `constructor`: names from outside must be looked
 * up with Object.hasOwn or in a Map. Tests for a literal property, `'id' in value`, are allowed.
 */
function* lookupBreaches({ text, program }) {
  if (!/\sin\s/.test(text)) return;
  for (const node of nodesOf(program())) {
    if (node.type !== 'BinaryExpression' || node.operator !== 'in') continue;
    if (node.left.type === 'Literal' || node.left.type === 'PrivateIdentifier') continue;
    yield `looks a name up by \`${text.slice(node.start, node.end)}\`: use Object.hasOwn or a Map`;
  }
}

function isPublic({ module, file }) {
  return file === 'service.ts' || (PUBLIC_FILES[module] ?? []).includes(file);
}

/** The folder of a path within its package, the server module, and the file in it. */
function placeOf(path) {
  const [, name, , folder = '', second = '', ...rest] = path.split('/');
  return {
    folder,
    name: [second, ...rest].join('/'),
    module: name === 'server' && folder === 'modules' ? second : null,
    file: rest.join('/'),
  };
}

function isTest(path) {
  return /\.test\.tsx?$|\/testing\//.test(path);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const breaches = breachesOf(root);
  for (const breach of breaches) console.log(breach);
  process.exit(breaches.length > 0 ? 1 : 0);
}
