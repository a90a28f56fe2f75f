import { expect, test } from 'vitest';
import { breachesIn, sound } from './sound-packages.mjs';

/** Words apart from their sentences, because the laws apply to this file too. */
const section = ['sect', 'ion'].join('');

const planted = [
  [
    'a console that imports the server',
    'packages/console/src/ui/a.ts',
    "import '@bidwell/server/start/app';",
    'may not import @bidwell/server/start/app',
  ],
  [
    'a screen that reads a query itself',
    'packages/console/src/features/apps/a.ts',
    "import { useQuery } from '@tanstack/react-query';\nexport const useA = () => useQuery({ queryKey: ['a'] });",
    'imports useQuery: load by useLoadable or useKnown of lib/loadable.ts',
  ],
  [
    'a list that is taken for empty until it is known',
    'packages/console/src/features/apps/a.ts',
    "import { knownData } from '../../lib/loadable.ts';\nexport const a = (list: object) => knownData(list) ?? [];",
    'gives what is not known a default: `knownData(list) ?? []`',
  ],
  [
    'a count that is taken for 0 until it is known',
    'packages/console/src/features/apps/a.ts',
    "import { useKnown } from '../../lib/loadable.ts';\nexport function useA() {\n  const page = useKnown({});\n  const list = page?.list;\n  return list?.items.length ?? 0;\n}",
    'gives what is not known a default: `list?.items.length ?? 0`',
  ],
  [
    'a list whose variable defaults to a constant',
    'packages/console/src/features/apps/a.ts',
    "import { useKnown } from '../../lib/loadable.ts';\nexport function useA(none: never[]) {\n  const { items = none } = useKnown({});\n  return items;\n}",
    'gives what is not known a default: `{ items = none } = useKnown({})`',
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
    'a file of reports that the law does not list',
    'packages/server/src/modules/finance/service.ts',
    "import { tree } from '../reports/tree.ts';\ntree();",
    'reaches reports past its service.ts',
  ],
  [
    'a service that hands on names of another file',
    'packages/server/src/modules/campaigns/service.ts',
    "export {\n  list,\n} from '../apps/service.ts';",
    're-exports: list its files in PUBLIC_FILES',
  ],
  [
    'a module that imports a higher one',
    'packages/server/src/modules/changes/service.ts',
    "import { list } from '../apps/service.ts';\nlist();",
    'modules/changes may not import ../apps/service.ts, which is not below it',
  ],
  [
    'a sub-folder that imports a type of a higher module',
    'packages/server/src/modules/accounts/sessions/a.ts',
    "import type { list } from '../../apps/service.ts';\nexport type A = typeof list;",
    'modules/accounts may not import ../../apps/service.ts',
  ],
  [
    'a module that imports one of its own layer',
    'packages/server/src/modules/operator-accounts/service.ts',
    "import { list } from '../apps/service.ts';\nlist();",
    'modules/operator-accounts may not import ../apps/service.ts',
  ],
  [
    'a module without a layer',
    'packages/server/src/modules/attic/service.ts',
    'export const f = () => 1;',
    'modules/attic: has no layer',
  ],
  [
    'a feature that imports another one',
    'packages/console/src/features/campaigns/a.tsx',
    "import { has } from '../apps/apps-tab.tsx';\nhas({});",
    'feature campaigns imports feature apps',
  ],
  [
    'an entity that imports a feature',
    'packages/console/src/entities/apps/a.tsx',
    "import { has } from '../../features/apps/apps-tab.tsx';\nhas({});",
    'entities may not import ../../features/apps/apps-tab.tsx, which is above it',
  ],
  [
    'an entity that imports one beside it',
    'packages/console/src/entities/apps/a.tsx',
    "import { duplicate } from '../duplicates/queries.ts';\nduplicate();",
    'entities/apps may not import ../duplicates/queries.ts',
  ],
  [
    'an entity without a layer',
    'packages/console/src/entities/attic/a.tsx',
    "import { duplicate } from '../duplicates/queries.ts';\nduplicate();",
    'entities/attic has no layer',
  ],
  [
    'a table that knows an entity',
    'packages/console/src/ui/table/a.tsx',
    "import type { duplicate } from '../../entities/duplicates/queries.ts';\nexport type A = typeof duplicate;",
    'ui may not import ../../entities/duplicates/queries.ts',
  ],
  [
    'a table that knows the schema of an entity',
    'packages/console/src/ui/table/a.tsx',
    "import type { App } from '@bidwell/contract/apps/schema';\nexport type A = App;",
    'ui knows no entity and may not import @bidwell/contract/apps/schema',
  ],
  [
    'a library that draws',
    'packages/console/src/lib/a.ts',
    "import { Table } from '../ui/table/table.tsx';\nTable();",
    'lib may not import ../ui/table/table.tsx',
  ],
  [
    'a library that knows an entity',
    'packages/console/src/lib/live/a.ts',
    "import { duplicate } from '../../entities/duplicates/queries.ts';\nduplicate();",
    'lib may not import ../../entities/duplicates/queries.ts',
  ],
  [
    'a feature that imports the app',
    'packages/console/src/features/campaigns/a.tsx',
    "import { router } from '../../app/router.tsx';\nvoid router;",
    'features may not import ../../app/router.tsx',
  ],
  [
    'a folder of the console beside its layers',
    'packages/console/src/helpers/a.ts',
    "import { format } from '../lib/format/format.ts';\nformat();",
    'helpers/ has no layer',
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
    "declare const ctx: any;\nexport const f = () => ctx.clickhouse.query('select 1');",
    'holds SQL outside a store',
  ],
  [
    'a tagged query in a service',
    'packages/server/src/modules/campaigns/service.ts',
    'declare const sql: any;\nexport const f = () => sql`select 1`;',
    'holds SQL outside a store',
  ],
  ...[
    [
      'an operation that checks nothing',
      'export async function f(ctx: Context, actor: Actor) {\n  await ctx.db;\n}',
    ],
    [
      'an operation that checks too late',
      'export async function f(ctx: Context, { userId }: Session) {\n  await g();\n  requirePermission(userId);\n}',
    ],
    ['an operation of one expression', 'export const f = async (ctx: Context, actor: Actor) => ctx.db;'],
  ].map(([what, text]) => [
    what,
    'packages/server/src/modules/campaigns/service.ts',
    text,
    'f does not begin with requirePermission()',
  ]),
  [
    'an operation with its actor in another place',
    'packages/server/src/modules/campaigns/service.ts',
    'export function f(actor: Actor) {\n  requirePermission(actor);\n}',
    'f takes an Actor as another parameter than the second',
  ],
  [
    'a route that reads a store',
    'packages/server/src/modules/apps/routes.ts',
    "import { rows } from './store.ts';\nrows();",
    'routes only declare',
  ],
  [
    'a look-up that sees the prototype',
    'packages/contract/src/a.ts',
    'export const f = (name: string, table: object) => name in table;',
    'looks a name up by `name in table`',
  ],
  [
    'an operation that does not check its operator first',
    'packages/server/src/modules/finance/service.ts',
    "import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';\nexport async function credit(ctx: object, operator: Operator) {\n  await 0;\n  requireOperatorPermission(operator, 'money.write');\n}",
    'credit does not begin with requireOperatorPermission()',
  ],
  [
    'an operation with an operator that may be left out',
    'packages/server/src/modules/finance/service.ts',
    "import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';\nexport const credit = (ctx: object, amount: number, by: Operator = {}) => requireOperatorPermission(by, 'money.write');",
    'credit takes an Operator as another parameter than the second',
  ],
  [
    'a platform that knows its users',
    'packages/server/src/platform/jobs/a.ts',
    "import type { f } from '../../start/app.ts';\nexport type A = typeof f;",
    'platform/ stands below all else',
  ],
  [
    'a module that reaches into the delivery engine',
    'packages/server/src/modules/campaigns/service.ts',
    "import type { f } from '../../delivery/auction/f.ts';\nexport type F = typeof f;",
    'reaches into delivery past its public.ts',
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
  ...[
    ['a section sign', 'docs/a.md', '\u00a7 4'],
    ['a section of a text without its name', 'README.md', `As ${section} 4.2 says.`],
    ['a part of the specification', 'packages/contract/src/a.css', `/* the specification, ${section} 4 */`],
    ['a part of decisions', '.github/a.yml', `# decisions ${section} B`],
    ['a link to a file that is missing', 'docs/a.md', '[\u00a7 4](decisions/4.md)'],
  ].map(([what, path, text]) => [what, path, text, 'cites a text outside the repository']),
];

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

test('a folder of the console with 31 files breaks a law, 30 do not, nor does a longer series', async () => {
  const of = (folder, count) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/${at}.module.css`, '']));
  const breaches = await breachesIn({
    ...sound,
    ...of('packages/console/src/ui/form', 31),
    ...of('packages/console/src/ui/chart', 30),
    ...of('packages/console/src/features/apps/cases', 31),
  });
  expect(breaches).toEqual([
    'packages/console/src/ui/form: has 31 files, more than 30: sort them into folders',
  ]);
});
