/**
 * Checks the sources and texts against the rules of ARCHITECTURE.md that can be checked automatically. Prints each
 * violation and exits with 1.
 */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { consoleBreaches, loadingBreaches } from './console-laws.mjs';
import { folderSizeBreaches } from './folder-sizes.mjs';
import { root } from '../install.mjs';
import { nodesOf, readModules } from './module-graph.mjs';
import { HAS_OPERATIONS, permissionBreaches } from './permission-laws.mjs';
import { serverBreaches } from './server-laws.mjs';
import { citationBreaches, formatBreaches, machineBreaches } from './text-laws.mjs';

/** The other packages that each package may import. */
const PACKAGES = {
  contract: [],
  server: ['contract'],
  console: ['contract'],
  exchange: ['contract', 'server'],
  testing: ['contract', 'server'],
  client: [],
  mcp: [],
};

/** Files that may contain SQL. */
const STORES =
  /(-|\/)store\.ts$|\/migrations?\/|platform\/(postgres|clickhouse)\/|reports\/query\/query-model\.ts$|platform\/http\/health\.ts$/;
/** Layers of the modules from the lowest up; a module imports modules of lower layers only. */
const MODULE_LAYERS = [
  ['changes', 'messaging', 'notifications', 'reference', 'review', 'storage'],
  ['accounts', 'alerts', 'postbacks'],
  ['apps', 'budget-approval', 'comments', 'operator-accounts'],
  ['creatives', 'reports'],
  ['creative-groups', 'finance', 'report-schedules'],
  ['adsets', 'drafts', 'invoices'],
  ['campaigns', 'targets', 'tracking-links'],
  [
    'alert-rules',
    'anomalies',
    'approvals',
    'bid-log',
    'company-overview',
    'history',
    'measurement',
    'skadnetwork',
  ],
  ['campaign-reports'],
  ['insight'],
  ['archive', 'duplicates', 'live', 'moderation'],
  ['operator'],
];
/** What other modules may import of a module besides its service.ts. */
const PUBLIC_FILES = {
  accounts: [
    'address-confirmation.ts',
    'login-attempts.ts',
    'second-factor.ts',
    'passkeys/account-passkeys.ts',
    'passkeys/passkey-store.ts',
    'passkeys/verify.ts',
    'passwords/one-time-password.ts',
    'sign-in/app-code.ts',
    'sign-in/proof.ts',
    'sign-in/recovery-codes.ts',
    'sign-in/reset-factors.ts',
    'sign-in/session-details-store.ts',
    'sign-in/session-use.ts',
    'sign-in/totp.ts',
    'passwords/password-hash.ts',
    'passwords/password-rules.ts',
    'people/own-companies.ts',
    'sessions/access-tokens.ts',
    'sessions/viewer-sessions.ts',
    'sso/proven-domain.ts',
  ],
  adsets: ['save-queue.ts'],
  alerts: ['company-store.ts', 'settings-store.ts'],
  campaigns: ['start.ts'],
  apps: ['publisher-pages.ts'],
  changes: ['audit-log.ts', 'fields.ts'],
  finance: ['check.ts', 'payment-instructions.ts', 'revenue.ts', 'statement.ts'],
  invoices: ['issue.ts', 'send-invoice.ts', 'settings.ts'],
  messaging: ['public.ts', 'retries.ts'],
  moderation: ['queue.ts'],
  reports: [
    'buckets.ts',
    'csv-line.ts',
    'export.ts',
    'export-queue.ts',
    'figures.ts',
    'level-report.ts',
    'parquet-file.ts',
    'range.ts',
    'report-limits.ts',
    'report-queue.ts',
    'report-route.ts',
    'report-summary.ts',
    'report-table.ts',
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
    if (!/\.tsx?$/.test(module.path)) found.push('has another ending than .ts and .tsx');
    if (!isTest(module.path))
      found.push(
        ...reexportBreaches(module),
        ...sqlBreaches(module),
        ...lookupBreaches(module),
        ...loadingBreaches(module),
        ...permissionBreaches(module, modules),
      );
    breaches.push(...found.map((what) => `${module.path}: ${what}`));
  }
  return [
    ...breaches,
    ...layerlessModules(modules),
    ...folderSizeBreaches(folder),
    ...citationBreaches(folder),
    ...machineBreaches(folder),
    ...formatBreaches(folder),
  ];
}

function* importBreaches(path, { target, path: to }) {
  yield* packageBreaches(path, to, target);
  if (isTest(path)) return;
  yield* consoleBreaches(path, to, target);
  yield* serverBreaches(path, to, target);
  if (!to || to.split('/')[1] !== path.split('/')[1]) return;
  if (isTest(to)) yield `is no test and may not import ${target}`;
  const [own, its] = [placeOf(path), placeOf(to)];
  if (HAS_OPERATIONS.test(path) && path.endsWith('routes.ts') && /(-|\/)store\.ts$/.test(to))
    yield `routes only declare: call a function that checks a permission, instead of ${target}`;
  if (its.module && its.module !== own.module && !COMPOSITION.has(own.folder) && !isPublic(its))
    yield `reaches ${its.module} past its service.ts: ${target}`;
  yield* moduleBreaches(own.module, its.module, target);
}

/** Imports of other packages, also by relative paths, and of Node.js in the contract. Tests may use programs beside the packages. */
function* packageBreaches(path, to, target) {
  const [, from] = path.split('/');
  const named = /^@bidwell\/([a-z]+)/.exec(target)?.[1];
  const left = target.startsWith('.') ? packageAt(path, target) : from;
  if (left !== from && (left || !isTest(path))) yield `leaves its package by ${target}: name the package`;
  const other = named ?? from;
  if (other !== from && !PACKAGES[from].includes(other) && !(other === 'testing' && isTest(path)))
    yield `${from} may not import ${target}`;
  if (from === 'contract' && isBuiltin(target) && !isTest(path))
    yield `contract does no I/O and may not import ${target}`;
  if (
    from === 'exchange' &&
    other === 'server' &&
    !isTest(path) &&
    !/\/(demo|demo\/((history|skadnetwork)\/)?[\w-]+)\.ts$/.test(path)
  )
    yield 'only the demo starts the server; the exchange speaks HTTP';
}

/** The package that a relative import leads to, by the path as written; an empty name outside all packages. */
function packageAt(path, target) {
  const [packages, name] = posix.join(posix.dirname(path), target).split('/');
  return packages === 'packages' ? name : '';
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

/** Names that a service hands on from another file, which would hide where they come from. */
function* reexportBreaches({ path, program }) {
  const { module, file } = placeOf(path);
  if (module === null || file !== 'service.ts') return;
  const { body } = program();
  const imported = new Set(
    body.flatMap((each) => (each.type === 'ImportDeclaration' ? each.specifiers : [])).map(nameOf),
  );
  const isFound = body.some((each) => {
    if (each.type === 'ExportAllDeclaration') return true;
    if (each.type === 'ExportDefaultDeclaration') return imported.has(each.declaration.name);
    if (each.type !== 'ExportNamedDeclaration') return false;
    const { source, specifiers, declaration } = each;
    return (
      source !== null ||
      specifiers.some(({ local }) => imported.has(local.name)) ||
      (declaration?.declarations ?? []).some(({ init }) => imported.has(plain(init)?.name)) ||
      imported.has(plain(declaration?.typeAnnotation)?.typeName?.name)
    );
  });
  if (isFound) yield 're-exports: list its files in PUBLIC_FILES';
}

const nameOf = ({ local }) => local.name;

/** The expression within `as`, `satisfies` and parentheses. */
function plain(node) {
  return node?.expression ? plain(node.expression) : node;
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

/** Tests, and what only tests use: the package testing, and the folder of the exchange that helps its tests. */
function isTest(path) {
  return /\.test\.[cm]?tsx?$|^packages\/(testing|exchange\/src\/testing)\//.test(path);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const breaches = breachesOf(root);
  for (const breach of breaches) console.log(breach);
  process.exit(breaches.length > 0 ? 1 : 0);
}
