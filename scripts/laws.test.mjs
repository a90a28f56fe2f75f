import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { breachesOf } from './laws.mjs';

/** Words apart from their sentences, because the laws apply to this file too. */
const section = ['sect', 'ion'].join('');
const limit = 'AbortSignal.timeout(1000)';

const sound = {
  'scripts/long-functions.json': '{ "packages/contract/src/allowed.ts": { "long": 110 } }',
  'packages/contract/src/allowed.ts': longFunction(110),
  'packages/contract/src/allowed.test.ts': longFunction(200),
  'packages/server/src/platform/postgres/migrations/0001-a.ts': longFunction(200),
  'docs/cited.md': 'Section 3.2.4 of OpenRTB 2.6; RFC 9110, section 14; [\u00a7 2](decisions/001-a.md)\n',
  'docs/decisions/001-a.md': '# A\n',
  'packages/contract/src/lib/money.ts': 'export type Micros = number;\n',
  'packages/server/src/start/app.ts': "import { routes } from '../modules/apps/routes.ts';\nroutes();\n",
  'packages/server/src/start/composition/api.ts':
    "import { routes } from '../../modules/apps/routes.ts';\nroutes();\n",
  'packages/server/src/modules/apps/routes.ts':
    "import { list } from './service.ts';\nexport const routes = () => list();\n",
  'packages/server/src/modules/apps/service.ts':
    "import type { Micros } from '@bidwell/contract/lib/money';\nimport { rows } from './store.ts';\nexport const list = (): Micros => rows().length;\n",
  'packages/server/src/modules/apps/store.ts':
    "declare const db: any;\nexport const rows = () => db.selectFrom('apps').execute();\n",
  'packages/server/src/delivery/auction/f.ts': 'export const f = () => 1;\n',
  'packages/server/src/delivery/delivery.ts': "import { f } from './auction/f.ts';\nexport { f };\n",
  'packages/console/src/ui/table.tsx': 'export const Table = () => null;\n',
  'packages/console/src/features/apps/apps-tab.tsx':
    "import { Table } from '../../ui/table.tsx';\nexport const has = (x: object) => 'id' in x && Table();\n",
};

const planted = [
  [
    'a console that imports the server',
    'packages/console/src/ui/a.ts',
    "import '@bidwell/server/start/app';",
    'may not import @bidwell/server/start/app',
  ],
  [
    'a contract that imports the console',
    'packages/contract/src/a.ts',
    "export * from '@bidwell/console/x';",
    'may not import',
  ],
  [
    'an exchange that starts the server',
    'packages/exchange/src/run.ts',
    "await import('@bidwell/server/start/main');",
    'only the demo starts the server',
  ],
  [
    'a module that passes another one’s service',
    'packages/server/src/modules/campaigns/service.ts',
    "import { rows } from '../apps/store.ts';\nrows();",
    'reaches apps past its service.ts',
  ],
  [
    'a type taken past a service',
    'packages/server/src/modules/campaigns/service.ts',
    "import type { rows } from '../apps/store.ts';\nexport type A = typeof rows;",
    'reaches apps past its service.ts',
  ],
  [
    'a feature that imports another one',
    'packages/console/src/features/campaigns/a.tsx',
    "import { has } from '../apps/apps-tab.tsx';\nhas({});",
    'feature campaigns imports feature apps',
  ],
  [
    'a shared part that imports a feature',
    'packages/console/src/ui/a.tsx',
    "import { has } from '../features/apps/apps-tab.tsx';\nhas({});",
    'ui is shared and may not import feature apps',
  ],
  [
    'SQL in a service',
    'packages/server/src/modules/campaigns/service.ts',
    "declare const tx: any;\nexport const f = () => tx.db\n  .updateTable('apps');",
    'holds SQL outside a store',
  ],
  [
    'a query of events in a service',
    'packages/server/src/modules/campaigns/service.ts',
    "declare const engines: any;\nexport const f = () => engines.clickhouse.query('select 1');",
    'holds SQL outside a store',
  ],
  [
    'a tagged query in a service',
    'packages/server/src/modules/campaigns/service.ts',
    'declare const sql: any;\nexport const f = () => sql`select 1`;',
    'holds SQL outside a store',
  ],
  [
    'a look-up that sees the prototype',
    'packages/contract/src/a.ts',
    'export const f = (name: string, table: object) => name in table;',
    'looks a name up by `name in table`',
  ],
  [
    'a platform that knows its users',
    'packages/server/src/platform/jobs/a.ts',
    "import type { f } from '../../start/app.ts';\nexport type A = typeof f;",
    'platform/ stands below all else',
  ],
  [
    'a layer of the delivery engine that imports a higher one',
    'packages/server/src/delivery/matching/a.ts',
    "import { f } from '../auction/f.ts';\nf();",
    'delivery/matching may not import ../auction/f.ts',
  ],
  [
    'a layer that imports one beside it',
    'packages/server/src/delivery/event-store/a.ts',
    "import { f } from '../auction/f.ts';\nf();",
    'delivery/event-store may not import ../auction/f.ts',
  ],
  [
    'a layer that imports the wiring',
    'packages/server/src/delivery/openrtb/a.ts',
    "import { f } from '../delivery.ts';\nf();",
    'delivery/openrtb may not import ../delivery.ts',
  ],
  [
    'a folder of the delivery engine without a layer',
    'packages/server/src/delivery/attic/a.ts',
    "import { f } from '../auction/f.ts';\nf();",
    'delivery/attic has no layer',
  ],
  [
    'two files that import each other',
    'packages/contract/src/lib/money.ts',
    "import type { B } from '../b.ts';\nexport type Micros = B;",
    'imports itself by way of packages/contract/src/lib/money.ts',
  ],
  [
    'a function of 101 lines',
    'packages/contract/src/a.ts',
    longFunction(101),
    'function long has 101 lines, more than 100',
  ],
  [
    'a nameless function of 101 lines',
    'packages/contract/src/a.ts',
    `export const table = { long: [() => {${'\n'.repeat(100)}}] };`,
    'function long has 101 lines, more than 100',
  ],
  [
    'an allowance that a function exceeds',
    'packages/contract/src/allowed.ts',
    longFunction(111),
    'function long has 111 lines, more than 110',
  ],
  [
    'an allowance that no function needs',
    'packages/contract/src/allowed.ts',
    longFunction(100),
    'function long is short now: remove it',
  ],
  ...[
    ['a section sign', 'docs/a.md', '\u00a7 4'],
    ['a section of a text without its name', 'README.md', `As ${section} 4.2 says.`],
    ['a part of the specification', 'packages/contract/src/a.css', `/* the specification, ${section} 4 */`],
    ['a part of decisions', '.github/a.yml', `# decisions ${section} B`],
    ['a link to a file that is missing', 'docs/a.md', '[\u00a7 4](decisions/4.md)'],
  ].map(([what, path, text]) => [what, path, text, 'cites a text outside the repository']),
  [
    'a test that waits for a second at most',
    'packages/contract/src/a.test.ts',
    'await vi.waitFor(() => expect(rows).toEqual([]));\n',
    'use eventually() or expect.poll()',
  ],
  [
    'a time limit that garbage collection removes',
    'packages/contract/src/a.ts',
    `const signal = AbortSignal.any([closing, ${limit}]);\n`,
    'use abortAfter()',
  ],
];

/** The source of a function with this number of lines. */
function longFunction(lines) {
  return `export function long() {${'\n'.repeat(lines - 1)}}\n`;
}

/** The violations in a folder with these files. */
async function breachesIn(files) {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-laws-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return breachesOf(folder);
}

test('correct packages break no law', async () => {
  expect(await breachesIn(sound)).toEqual([]);
});

test.each(planted)('%s breaks a law', async (_what, path, text, sentence) => {
  const files = {
    ...sound,
    'packages/contract/src/b.ts': "import type { Micros } from './lib/money.ts';\nexport type B = Micros;\n",
    [path]: text,
  };
  const breaches = await breachesIn(files);
  expect(breaches).toHaveLength(1);
  expect(breaches[0]).toContain(sentence);
});
