import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { configOf, temporaryFolder } from '@bidwell/testing/backups';
import { installNewPostgres } from '@bidwell/testing/empty-engines';
import { eventually } from '@bidwell/testing/eventually';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Context } from '../context.ts';
import { insertMembership } from '../modules/identity/people/membership-store.ts';
import { insertCompany, insertUser } from '../modules/identity/store.ts';
import { confirmationMails } from '../modules/identity/address-confirmation.ts';
import { createAlertChannel } from '../modules/messaging/alerts/channels.ts';
import { planAlerts } from '../modules/messaging/alerts/plan-alerts.ts';
import { notify } from '../modules/messaging/notifications/service.ts';
import { operatorAlertMails } from '../modules/operations/operator-alerts.ts';
import { createReportDestination } from '../modules/reporting/schedules/destinations/destinations.ts';
import { sendReportNow } from '../modules/reporting/schedules/runs.ts';
import { createReportSchedule } from '../modules/reporting/schedules/service.ts';
import type { Actor } from '../platform/actor.ts';
import { transact } from '../platform/postgres/transaction.ts';
import { createApp } from './app.ts';

const folder = await temporaryFolder();
const EACH = 200;
const COMPANIES = 10;
const SECRET = 'a_secret_of_at_least_thirty_two_characters';
const secrets = { ACCESS_TOKEN_SECRET: SECRET, SIGNING_SECRET: SECRET, OPERATOR_TOKEN: SECRET };

type Kind = 'awaited' | 'today' | 'alert' | 'report';
const KINDS = ['awaited', 'today', 'alert', 'report'] as const;

/** The messages that receivers have acknowledged, and the ones that they hold back once they have acknowledged `most` of a kind. */
const received: Record<Kind, string[]> = { awaited: [], today: [], alert: [], report: [] };
const held: Record<Kind, number> = { awaited: 0, today: 0, alert: 0, report: 0 };
let most = 0;
function takes(kind: Kind, id: string): boolean {
  if (received[kind].length < most) {
    received[kind].push(id);
    return true;
  }
  held[kind] += 1;
  return false;
}

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onRcptTo({ address }, _session, done) {
    if (takes(address.startsWith('awaited') ? 'awaited' : 'today', address)) done();
  },
  onData(stream, _session, done) {
    stream.resume().on('end', () => done());
  },
});
const hooks = createServer((request, response) => {
  const kind = request.url === '/report' ? 'report' : 'alert';
  request.resume().on('end', () => {
    if (takes(kind, String(request.headers['webhook-id']))) response.writeHead(204).end();
  });
});
await Promise.all([
  once(smtp.listen(0, '127.0.0.1'), 'listening'),
  once(hooks.listen(0, '127.0.0.1'), 'listening'),
]);
afterAll(() => {
  smtp.close();
  hooks.closeAllConnections();
  hooks.close();
});
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const hookUrl = (path: string) => `http://127.0.0.1:${portOf(hooks)}/${path}`;
const environment = {
  ...secrets,
  SMTP_URL: `smtp://127.0.0.1:${portOf(smtp.server)}`,
  ALERT_INTERNAL_HOSTS: `127.0.0.1:${portOf(hooks)}`,
};
/** Messages of each kind that are under way at once, of these companies and hosts. */
const PLACES = [
  ['awaited', 6],
  ['today', 4],
  ['alert', 12],
  ['report', 4],
] as const;
const idle = 3_600_000;

/** A company with a person. */
async function makeCompany({ db, now }: Context, n: number, isConfirmed: boolean): Promise<Actor> {
  const [companyId, userId, at] = [uuidv7(), uuidv7(), now()];
  await insertCompany(db, {
    uuid: companyId,
    name: `Company ${n}`,
    postback_secret: companyId,
    created_at: at,
  });
  await insertUser(db, companyId, {
    uuid: userId,
    login: `person.${'abcdefghijkl'[n]}`,
    first_name: 'A',
    last_name: 'B',
    contact: 'c',
    email: `person${n}@example.com`,
    email_confirmed_at: isConfirmed ? at : null,
    password_hash: '',
    avatar_file_uuid: null,
    created_at: at,
    updated_at: at,
  });
  await insertMembership(db, companyId, { userId, role: 'owner', at });
  return { companyId, userId, role: 'person', companyRole: 'owner' } as Actor;
}

/** Lets messages of each kind wait, of ten companies; none is sent yet. People with a confirmed address get mails of the alerts too. */
async function fill(
  ctx: Context,
  { each, isConfirmed }: { each: number; isConfirmed: boolean },
): Promise<void> {
  for (let n = 0; n < COMPANIES; n += 1) {
    const actor = await makeCompany(ctx, n, isConfirmed);
    const { companyId } = actor;
    await createAlertChannel(ctx, actor, {
      type: 'webhook',
      name: 'Ours',
      url: hookUrl('alert'),
      kinds: ['balance'],
    });
    const destination = await createReportDestination(ctx, actor, {
      type: 'webhook',
      name: 'Ours',
      url: hookUrl('report'),
    });
    for (let count = 0; count < each / COMPANIES; count += 1) {
      await transact(ctx.db, async (tx) => {
        const alert = { kind: 'balance', severity: 'info', title: 'Low', text: '' } as const;
        await notify(ctx, tx, companyId, alert);
        // Their subject does not matter here: each goes to its own address.
        const mail = { about: companyId, companyId };
        await operatorAlertMails.queue(ctx, tx, {
          ...mail,
          to: `today.${n}.${count}@host${n}.example`,
          content: { sentences: ['A sentence.'] },
        });
        const email = `awaited.${n}.${count}@host${n}.example`;
        await confirmationMails.queue(ctx, tx, {
          ...mail,
          to: email,
          content: { kind: 'person_address', uuid: actor.userId!, email: `person${n}@example.com` },
        });
      });
      const schedule = await createReportSchedule(ctx, actor, {
        name: `Report ${count}`,
        report: { levels: { bundle: '' } },
        format: 'csv',
        frequency: 'daily',
        weekday: null,
        hour: 8,
        user_uuids: [],
        destination_uuids: [destination.uuid],
        is_enabled: false,
      });
      await sendReportNow(ctx, actor, schedule);
    }
  }
  while (await planAlerts(ctx));
}

const waiting = async ({ db }: Context) => db.selectFrom('messages').select(['kind', 'about']).execute();

/** Starts the server from its sources; resolves to a function that kills it. */
async function startProgram(dataDir: string): Promise<() => Promise<void>> {
  const program = fileURLToPath(new URL('serve.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'development',
      DATA_DIR: dataDir,
      PORT: '0',
      PUBLIC_URL: 'http://bidwell.test',
      CAPTCHA: 'off',
      STORE_PAGES: 'off',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('Bidwell is at '))
      return async () => {
        child.kill('SIGKILL');
        await ended;
      };
  throw new Error('the server did not start');
}

test('200 messages of each kind that wait arrive once each, after a stop and a kill of the server', async () => {
  const dataDir = join(folder, 'data');
  await installNewPostgres(dataDir);
  const config = configOf(dataDir, environment);
  const first = await createApp(config, { alertsEveryMs: idle });
  await fill(first.ctx, { each: EACH, isConfirmed: false });
  // The mail server holds the mails that are sent at once.
  await eventually(() => expect(held.awaited).toBe(6));
  await first.close();

  most = 20;
  for (const kind of KINDS) held[kind] = 0;
  const kill = await startProgram(dataDir);
  // All places are taken by messages that no counter acknowledges: messages acknowledged before them are stored.
  await eventually(() => {
    for (const [kind, places] of PLACES) expect(held[kind]).toBeGreaterThanOrEqual(places);
  });
  await kill();
  for (const kind of KINDS) expect(received[kind]).toHaveLength(20);

  most = Infinity;
  // Another server takes over the killed server's messages when its claim has ended.
  const last = await createApp(config, { alertsEveryMs: 50, now: () => new Date(Date.now() + 16 * 60_000) });
  onTestFinished(() => last.close());
  await eventually(() => {
    for (const kind of KINDS) expect([kind, new Set(received[kind]).size]).toEqual([kind, EACH]);
  });
  await eventually(async () => expect(await waiting(last.ctx)).toEqual([]));
  for (const kind of KINDS) expect([kind, received[kind].length]).toEqual([kind, EACH]);
}, 300_000);

test('messages that wait in a database of the previous release are sent once after the upgrade', async () => {
  most = 0;
  for (const kind of KINDS) received[kind] = [];
  const dataDir = join(folder, 'upgraded');
  await installNewPostgres(dataDir);
  const config = configOf(dataDir, environment);
  const before = await createApp(config, { alertsEveryMs: idle });
  const each = 5 * COMPANIES;
  await fill(before.ctx, { each, isConfirmed: true });
  // As that release left it.
  await sql`drop table messages`.execute(before.ctx.db);
  await sql`delete from kysely_migration where name = '0041-messages'`.execute(before.ctx.db);
  await before.close();
  most = Infinity;
  const after = await createApp(config, { alertsEveryMs: 20 });
  onTestFinished(() => after.close());
  const kinds = ['alert', 'report', 'today'] as const;
  // One mail of alerts to each person.
  const expected = [each, each, COMPANIES];
  await eventually(() => expect(kinds.map((kind) => new Set(received[kind]).size)).toEqual(expected));
  await eventually(async () => expect(await waiting(after.ctx)).toEqual([]));
  expect(kinds.map((kind) => received[kind].length)).toEqual(expected);
}, 300_000);
