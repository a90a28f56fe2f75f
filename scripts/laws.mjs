/**
 * The import laws of ARCHITECTURE.md, checked on the import lines of every source file. Prints each breach and exits 1.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root } from './install.mjs';

const breaches = [];
for (const name of ['contract', 'server', 'console', 'exchange']) {
  const source = join(root, 'packages', name, 'src');
  for (const path of files(source)) {
    const text = readFileSync(path, 'utf8');
    for (const target of importsOf(text)) checkImport(path, name, target);
    checkSql(path, text);
    checkLookups(path, text);
  }
}
for (const breach of breaches) console.log(breach);
process.exit(breaches.length > 0 ? 1 : 0);

function checkImport(path, packageName, target) {
  const mayImport = {
    contract: [],
    server: ['contract'],
    console: ['contract'],
    exchange: ['contract', 'server'],
  }[packageName];
  const ours = /^@bidwell\/([a-z]+)/.exec(target)?.[1];
  if (ours && !mayImport.includes(ours)) fault(path, `${packageName} may not import ${target}`);
  if (packageName === 'exchange' && ours === 'server' && !/\/(demo|demo\/[\w-]+)\.ts$/.test(path)) {
    fault(path, 'only the demo starts the server; the exchange speaks HTTP');
  }
  if (!target.startsWith('.') || isTest(path)) return;
  const from = roomOf(path);
  const to = roomOf(resolve(dirname(path), target));
  if (packageName === 'server' && to.module && from.module !== to.module) {
    const wiring = from.folder === 'app.ts';
    if (!wiring && to.file !== 'service.ts')
      fault(path, `reaches ${to.module} past its service.ts: ${target}`);
  }
  if (packageName === 'console' && to.feature && from.feature && from.feature !== to.feature) {
    fault(path, `feature ${from.feature} imports feature ${to.feature}`);
  }
  if (packageName === 'console' && to.feature && !from.feature && !from.folder.startsWith('app')) {
    fault(path, `${from.folder} is shared and may not import feature ${to.feature}`);
  }
}

/** SQL lives in stores, migrations, the engines' clients and the analytics query model. */
function checkSql(path, text) {
  const place = relative(root, path);
  if (!place.startsWith('packages/server/src/') || isTest(path)) return;
  if (
    /(-|\/)store\.ts$|\/migrations?\/|platform\/(postgres|clickhouse)\/|analytics\/query-model\.ts$|platform\/http\/health\.ts$/.test(
      place,
    )
  )
    return;
  if (
    /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[`<]|clickhouse\.(query|insert|command)\b/.test(
      text,
    )
  )
    fault(path, 'holds SQL outside a store');
}

/**
 * `name in table` finds what every object inherits (`constructor`): names that come from outside are looked up by
 * Object.hasOwn or in a Map. A test for one written-out property, `'id' in value`, is allowed.
 */
function checkLookups(path, text) {
  if (isTest(path)) return;
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, '""');
  const lookup = /(?:[(!?=]|&&|\|\||return)\s*([\w.]+ in [\w.]+)\s*(?:[);?\n]|&&|\|\|)/.exec(code);
  if (lookup) fault(path, `looks a name up by \`${lookup[1]}\`: use Object.hasOwn or a Map`);
}

/** Which module (server) or feature (console) a path lies in. */
function roomOf(path) {
  const place = relative(root, path);
  const [, packageName, , folder = '', second = '', third = ''] = place.split('/');
  return {
    folder,
    module: packageName === 'server' && folder === 'modules' ? second : null,
    feature: packageName === 'console' && folder === 'features' ? second : null,
    file: third,
  };
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

function* importsOf(text) {
  for (const [, target] of text.matchAll(/(?:from|import|import\()\s*['"]([^'"]+)['"]/g)) yield target;
}

function isTest(path) {
  return /\.test\.tsx?$|\/testing\//.test(path);
}

function fault(path, what) {
  breaches.push(`${relative(root, path)}: ${what}`);
}
