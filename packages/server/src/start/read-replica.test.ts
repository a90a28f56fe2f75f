import { afterAll, expect, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { postgresReplica } from '@bidwell/testing/engines/postgres-replica';
import { addressOf, migratedDatabase, throughRelay } from '@bidwell/testing/engines/postgres-server';
import { testApp } from '@bidwell/testing/test-app';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { eventually } from '@bidwell/testing/eventually';

const primary = await migratedDatabase(undefined);
const replica = primary && postgresReplica(primary);
afterAll(async () => {
  replica?.kill();
  await primary?.remove();
});

/** A server with the replica, which it reaches through a relay. */
async function installation() {
  const copy = { ...primary!, url: replica!.url };
  const relay = await tcpRelay(() => addressOf(copy));
  const app = await testApp({
    DATABASE_URL: primary!.url,
    DATABASE_REPLICA_URL: throughRelay(copy, relay.port),
  });
  const company = await app.freshCompany();
  /** How many reads had this outcome. */
  const count = async (outcome: string): Promise<number> => {
    const { payload } = await app.admin.inject({ url: '/metrics' });
    return Number(new RegExp(`reads_total\\{answer="${outcome}"\\} (\\d+)`).exec(payload)?.[1] ?? 0);
  };
  let days = 0;
  /** Names in the list, which is never the cached one. */
  const names = async (): Promise<string[]> => {
    days += 1;
    const start = new Date(Date.UTC(2000, 0, days)).toISOString().slice(0, 10);
    const list = await company.call('GET', `/app?start_date=${start}&end_date=9999-12-31`);
    expect(list.status).toBe(200);
    return list.data.apps.map(({ name }: { name: string }) => name).toSorted();
  };
  const add = async (name: string) =>
    make(
      company,
      '/app',
      appBody({ name, store_link: `https://play.google.com/store/apps/details?id=com.${name}.a` }),
    );
  const fromReplica = async () => {
    const before = await count('replica');
    await expect
      .poll(async () => (await names()) && (await count('replica')) > before, { interval: 100 })
      .toBe(true);
  };
  const degraded = async (): Promise<string> => (await app.http.inject({ url: '/readyz' })).payload;
  return { relay, count, names, add, fromReplica, degraded };
}

// Before the tests, so that it is closed before its databases end.
const installed = replica && (await installation());

test.skipIf(!installed)(
  'lists come from a replica; one that is late hides no change, and one that is silent or away stops none',
  async () => {
    const { relay, count, names, add, fromReplica, degraded } = installed!;
    await add('one');
    await fromReplica();
    expect(await names()).toEqual(['one']);

    await replica!.pause();
    await add('two');
    // A replica that does not respond in time counts as one that is down.
    await eventually(async () => {
      expect(await names()).toEqual(['one', 'two']);
      expect(await count('late')).toBeGreaterThan(0);
    });
    await replica!.resume();
    await fromReplica();

    relay.silence();
    await add('three');
    expect(await names()).toEqual(['one', 'three', 'two']);
    expect(await names()).toEqual(['one', 'three', 'two']);
    expect(await count('down')).toBeGreaterThan(0);
    await eventually(async () =>
      expect(await degraded()).toContain('The read replica of PostgreSQL does not answer'),
    );
    relay.cut();
    relay.mend();
    await fromReplica();

    replica!.kill();
    await add('four');
    expect(await names()).toEqual(['four', 'one', 'three', 'two']);
  },
);
