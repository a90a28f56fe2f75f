/** Packages that break no law, for the tests that plant a violation in them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { breachesOf } from './laws.mjs';

/** The texts of files by their paths. */
export const sound = {
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
  'packages/server/src/modules/moderation/service.ts':
    "import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';\nexport function decide(ctx: object, operator: Operator) {\n  requireOperatorPermission(operator, 'moderation.decide');\n}\nexport function record(ctx: object, tx: Tx, operator: Operator) {\n  void operator;\n}\n",
  'packages/server/src/platform/operator.ts':
    'export type Operator = object;\nexport function requireOperatorPermission(operator: Operator, permission: string) {}\n',
  'packages/server/src/modules/apps/verbs.ts':
    "export async function f(ctx: Context, actor: Actor) {\n  requirePermission(actor, 'app.read');\n}\nexport const g = (ctx: Context, tx: Tx, actor: Actor) => tx.db;\nexport const h = (ctx: Context, owner: Owner) => ctx.db;\n",
  'packages/server/src/modules/reports/buckets.ts': 'export const buckets = () => 1;\n',
  'packages/server/src/modules/reports/tree.ts': 'export const tree = () => 1;\n',
  'packages/server/src/modules/finance/routes.ts':
    "import { buckets } from '../reports/buckets.ts';\nbuckets();\n",
  'packages/server/src/backup/stream.ts':
    "import { f } from '../delivery/public.ts';\nexport function stream(ctx: Context, operator: Operator) {\n  requireOperatorPermission(operator, 'backup.read');\n  return f();\n}\n",
  'packages/server/src/cli/main.ts': "import { stream } from '../backup/stream.ts';\nstream();\n",
  'packages/contract/src/lib/endpoint.ts': 'export const endpoint = (declared: object) => declared;\n',
  'packages/contract/src/finance/endpoints.ts':
    "import { endpoint } from '../lib/endpoint.ts';\nexport const readBalance = endpoint({ path: '/a', companyPermission: 'money.read' });\nexport const again = endpoint({ ...readBalance, path: '/b' });\nexport const open = endpoint({ path: '/c', isPublic: true });\n",
  'packages/server/src/modules/finance/balance.ts':
    "export async function balance(ctx: Context, actor: Actor) {\n  requirePermission(actor, 'money.read');\n}\nexport async function pay(ctx: Context, actor: Actor) {\n  requirePermission(actor, 'money.write');\n}\n",
  'packages/server/src/modules/finance/balance-routes.ts':
    "import * as endpoints from '@bidwell/contract/finance/endpoints';\nimport { balance, pay } from './balance.ts';\nroute(http, endpoints.again, async (request) => balance(ctx, actorOf(request)));\nvoid pay;\n",
  'deploy/a.yml': '# mail operator@ads.example; a volume is in /var/lib/bidwell\n',
  'packages/server/src/delivery/auction/f.ts': 'export const f = () => 1;\n',
  'packages/server/src/delivery/delivery.ts': "import { f } from './auction/f.ts';\nexport { f };\n",
  'packages/server/src/delivery/public.ts': "export { f } from './auction/f.ts';\n",
  'packages/server/src/modules/campaigns/routes.ts': "import { f } from '../../delivery/public.ts';\nf();\n",
  'packages/console/src/lib/format/format.ts': "export const format = () => '';\n",
  'packages/console/src/ui/table/table.tsx':
    "import { format } from '../../lib/format/format.ts';\nexport const Table = () => format();\n",
  'packages/console/src/entities/duplicates/queries.ts': 'export const duplicate = () => 1;\n',
  'packages/console/src/entities/archive/archive-menu.tsx':
    "import { Table } from '../../ui/table/table.tsx';\nimport { duplicate } from '../duplicates/queries.ts';\nexport const ArchiveMenu = () => [Table(), duplicate()];\n",
  'packages/console/src/features/apps/apps-tab.tsx':
    "import { ArchiveMenu } from '../../entities/archive/archive-menu.tsx';\nexport const has = (x: object) => 'id' in x && ArchiveMenu();\n",
  'packages/console/src/app/router.tsx':
    "import { has } from '../features/apps/apps-tab.tsx';\nexport const router = has({});\n",
  'packages/console/src/main.tsx': "import { router } from './app/router.tsx';\nvoid router;\n",
};

/** The violations in a folder with these files. */
export async function breachesIn(files) {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-laws-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return breachesOf(folder);
}
