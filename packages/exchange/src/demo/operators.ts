import { OperatorAccount, type OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import { recordBackup } from '@bidwell/server/backup/stream-backup';
import type { Context } from '@bidwell/server/context';
import { transact } from '@bidwell/server/platform/postgres/transaction';
import { randomUUID } from 'node:crypto';
import { type Api, operatorSessionApi } from './api.ts';
import { daysBefore } from './history/clock.ts';

/** A person who operates the demo's server. */
interface StaffMember {
  login: string;
  name: string;
  role: OperatorRole;
  /** Days before the first start of the demo, and hour of UTC, of the last login. */
  lastLogin: { daysAgo: number; hour: number };
}

const ADMIN: StaffMember = {
  login: 'priya.nair',
  name: 'Priya Nair',
  role: 'admin',
  lastLogin: { daysAgo: 2, hour: 8 },
};
const MODERATOR: StaffMember = {
  login: 'mara.ellis',
  name: 'Mara Ellis',
  role: 'moderator',
  lastLogin: { daysAgo: 1, hour: 9 },
};
const FINANCE: StaffMember = {
  login: 'jonas.weber',
  name: 'Jonas Weber',
  role: 'finance',
  lastLogin: { daysAgo: 1, hour: 7 },
};

/** The people who operate the demo's server, in addition to the visitor's login. No one knows their passwords. */
const STAFF: readonly StaffMember[] = [ADMIN, MODERATOR, FINANCE];

/** The calls of finance, by the start of their path. */
const FINANCE_PATHS = ['/companies/', '/invoice_settings', '/payment_instructions'];

/** When each of {@link STAFF} logged in last, by login. Pure. */
export function lastLogins(nowMs: number): ReadonlyMap<string, Date> {
  return new Map(
    STAFF.map(({ login, lastLogin: { daysAgo, hour } }) => [
      login,
      new Date(daysBefore(nowMs, daysAgo, hour)),
    ]),
  );
}

/** The operators of the demo at work. */
export interface Staff {
  /** The operator's API: the moderator reviews, finance moves money, the admin does everything else. */
  api: Api;
  /** Lets each operator start a new session with the next call, after the server's clock was moved. */
  logIn(): void;
  /** Notes in the operators' log that the admin made a backup; there is no file of it. */
  noteBackup(ctx: Context): Promise<void>;
}

/**
 * Creates the accounts of {@link STAFF}: the first one with the operator's token, the others by the first one.
 * `startSession` starts a session of an operator, and returns its cookie. Throws ApiError.
 */
export async function hireStaff(
  url: string,
  token: Api,
  startSession: (operatorUuid: string) => Promise<string>,
): Promise<Staff> {
  const uuids = new Map<string, string>();
  /** Sessions that were started since the clock was moved: most steps are of one operator or none. */
  const cookies = new Map<string, Promise<string>>();
  const add = async (by: Api, { login, name, role }: StaffMember): Promise<void> => {
    const account = { login, name, role, password: randomUUID() };
    uuids.set(login, (await by.send('POST', '/operators', account, OperatorAccount)).uuid);
  };
  const sessionOf = async ({ login }: StaffMember): Promise<Api> => {
    let cookie = cookies.get(login);
    if (!cookie) cookies.set(login, (cookie = startSession(uuids.get(login)!)));
    const started = await cookie;
    return operatorSessionApi(url, () => started);
  };
  const as = (member: StaffMember): Api => ({
    get: async (...call) => (await sessionOf(member)).get(...call),
    send: async (...call) => (await sessionOf(member)).send(...call),
  });
  await add(token, ADMIN);
  for (const member of STAFF) if (member !== ADMIN) await add(as(ADMIN), member);
  const [admin, moderator, finance] = [as(ADMIN), as(MODERATOR), as(FINANCE)];
  const whoSends = (path: string): Api => {
    if (path.endsWith('/decision')) return moderator;
    return FINANCE_PATHS.some((start) => path.startsWith(start)) ? finance : admin;
  };
  return {
    api: {
      get: async (path, schema) => admin.get(path, schema),
      send: async (method, path, body, schema) => whoSends(path).send(method, path, body, schema),
    },
    logIn: () => cookies.clear(),
    async noteBackup(ctx) {
      const by = { uuid: uuids.get(ADMIN.login)!, login: ADMIN.login, role: ADMIN.role };
      await transact(ctx.db, async (tx) => recordBackup(ctx, tx, { by, missing: [] }));
    },
  };
}
