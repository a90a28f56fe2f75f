import { expect, test } from 'vitest';
import { breachesIn, sound } from './sound-packages.mjs';

const SERVER = 'packages/server/src';
const verb = (text) => [
  `${SERVER}/modules/campaigns/verbs.ts`,
  text,
  'f does not begin with requirePermission()',
];
const service = (text) => [`${SERVER}/modules/campaigns/service.ts`, text, 're-exports: list its files'];
const routes = (text) => `import * as endpoints from '@bidwell/contract/finance/endpoints';\n${text}`;

const planted = {
  'a console that reaches the server by a path': [
    'packages/console/src/lib/a.ts',
    "import '../../../server/src/start/app.ts';",
    'leaves its package',
  ],
  'a contract that reaches the console by a path': [
    'packages/contract/src/lib/a.ts',
    "import '../../../console/src/lib/format/format.ts';",
    'leaves its package',
  ],
  'a server that reaches the tests’ helpers by a path': [
    `${SERVER}/start/a.ts`,
    "import '../../../testing/src/a.ts';",
    'leaves its package',
  ],
  'a server that reaches the scripts': [
    `${SERVER}/start/a.ts`,
    "import '../../../../scripts/install.mjs';",
    'leaves its package',
  ],
  'a server that uses the tests’ helpers': [
    `${SERVER}/start/a.ts`,
    "import '@bidwell/testing/a';",
    'server may not import @bidwell/testing/a',
  ],
  'a contract that reads files': [
    'packages/contract/src/lib/a.ts',
    "import { readFileSync } from 'node:fs';\nreadFileSync('a');",
    'contract does no I/O',
  ],
  'a delivery engine that knows a module': [
    `${SERVER}/delivery/auction/a.ts`,
    "import { list } from '../../modules/apps/service.ts';\nlist();",
    'delivery/ may not import ../../modules/apps/service.ts',
  ],
  'a delivery engine that makes backups': [
    `${SERVER}/delivery/a.ts`,
    "import { stream } from '../backup/stream.ts';\nstream();",
    'delivery/ may not import ../backup/stream.ts',
  ],
  'a module that uses the command line': [
    `${SERVER}/modules/campaigns/service.ts`,
    "import type { A } from '../../cli/main.ts';\nexport type B = { a: A };",
    'modules/ may not import ../../cli/main.ts',
  ],
  'a backup that uses the start': [
    `${SERVER}/backup/a.ts`,
    "import { a } from '../start/app.ts';\na();",
    'backup/ may not import ../start/app.ts',
  ],
  'a backup that reaches into the delivery engine': [
    `${SERVER}/backup/a.ts`,
    "import { f } from '../delivery/auction/f.ts';\nf();",
    'reaches into delivery past its public.ts',
  ],
  'a folder of the server without a layer': [
    `${SERVER}/attic/a.ts`,
    "import { f } from '../delivery/public.ts';\nf();",
    'attic has no layer in the server',
  ],
  'an auction that queries': [
    `${SERVER}/delivery/auction/a.ts`,
    "import type { Operator } from '../../platform/postgres/client.ts';\nexport type A = { a: Operator };",
    'delivery/auction is pure',
    { [`${SERVER}/platform/postgres/client.ts`]: 'export type Operator = object;\n' },
  ],
  'an auction that reads files': [
    `${SERVER}/delivery/auction/a.ts`,
    "import 'node:fs/promises';",
    'delivery/auction is pure',
  ],
  'an endpoint without a permission': [
    'packages/contract/src/apps/endpoints.ts',
    "import { endpoint } from '../lib/endpoint.ts';\nexport const readApp = endpoint({ path: '/app' });",
    'readApp names no permission',
  ],
  'an operation with another permission than its endpoint': [
    `${SERVER}/modules/finance/routes.ts`,
    routes(
      "import { pay } from './balance.ts';\nroute(http, endpoints.readBalance, async (request) => ({ data: await pay(ctx, actorOf(request)) }));",
    ),
    'readBalance needs money.read, but pay checks money.write',
  ],
  'an operation exported apart': verb('async function f(ctx: Context, actor: Actor) {}\nexport { f };'),
  'an operation under another name': verb('const g = (ctx: Context, actor: Actor) => 1;\nexport { g as f };'),
  'an operation of a function expression': verb(
    'export const f = async function (ctx: Context, actor: Actor) {};',
  ),
  'an operation exported by default': [
    `${SERVER}/modules/campaigns/verbs.ts`,
    'export default async function f(ctx: Context, actor: Actor) {}',
    'default does not begin with requirePermission()',
  ],
  'an operation of a read-only actor': verb('export function f(ctx: Context, actor: Readonly<Actor>) {}'),
  'an operation of a part of an actor': verb(
    "export function f(ctx: Context, actor: Pick<Actor, 'role'>) {}",
  ),
  'an operation of more than an actor': verb('export function f(ctx: Context, actor: Actor & { a: 1 }) {}'),
  'an operation of a renamed actor': verb(
    'type Who = Actor;\nexport function f(ctx: Context, actor: Who) {}',
  ),
  'an operation of an imported name': verb(
    "import type { Actor as Who } from '../../platform/actor.ts';\nexport function f(ctx: Context, actor: Who) {}",
  ),
  'an operation of backups without a check': [
    `${SERVER}/backup/a.ts`,
    'export function f(ctx: Context, operator: Operator) {}',
    'f does not begin with requireOperatorPermission()',
  ],
  'a service that exports an import': service("import { list } from '../apps/service.ts';\nexport { list };"),
  'a service that exports an import under a new name': service(
    "import { list } from '../apps/service.ts';\nexport const all = list;",
  ),
  'a service that exports an import as another type': service(
    "import { list } from '../apps/service.ts';\nexport const all = list as () => number;",
  ),
  'a service that exports the type of an import': service(
    "import type { list } from '../apps/service.ts';\nexport type All = list;",
  ),
  'a folder of one machine': [
    'docs/a.md',
    `Data is in ${['', 'home', 'ann', 'x'].join('/')}.`,
    'one machine',
  ],
  'a percentage with a space': [
    `${SERVER}/start/a.ts`,
    'export const text = (share: number) => `${share} %`;',
    'unlike all others',
  ],
  'thousands with commas': [
    'packages/console/src/lib/a.ts',
    "export const text = (count: number) => count.toLocaleString('en-US');",
    'unlike all others',
  ],
  'a temporary folder': [
    `${SERVER}/start/a.ts`,
    `export const at = '${['', 'tmp', 'x'].join('/')}';`,
    'names a folder of one machine',
  ],
  'an address of a person': ['docs/a.md', ['Ask ann', 'firm.com.'].join('@'), 'names an e-mail address'],
  'a file with another ending': [
    `${SERVER}/delivery/auction/a.mts`,
    'export const a = 1;',
    'has another ending than .ts',
  ],
  'a folder testing within a module': [
    `${SERVER}/modules/campaigns/testing/a.ts`,
    "import { rows } from '../../apps/store.ts';\nrows();",
    'reaches apps past its service.ts',
  ],
  'a program that imports a test': [
    `${SERVER}/delivery/auction/a.ts`,
    "import { a } from './a.test.ts';\na();",
    'is no test and may not import ./a.test.ts',
    { [`${SERVER}/delivery/auction/a.test.ts`]: 'export const a = () => 1;\n' },
  ],
};

test.each(Object.entries(planted))('%s breaks a law', async (_what, [path, text, sentence, others = {}]) => {
  const breaches = await breachesIn({ ...sound, ...others, [path]: text });
  expect(breaches).toHaveLength(1);
  expect(breaches[0]).toContain(sentence);
});
