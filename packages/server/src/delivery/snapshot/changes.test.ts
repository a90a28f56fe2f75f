import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { openNats } from '../../platform/nats/connection.ts';
import { openPostgres } from '../../platform/postgres/client.ts';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { followChanges } from './changes.ts';
import { eventually } from '@bidwell/testing/eventually';

const log = pino({ level: 'silent' });
const server = await natsServer();

describe.runIf(server)('two processes', async () => {
  if (!server) return;
  const db = await openPostgres({ embedded: await emptyPostgres() });
  const processes = [0, 1].map(() => {
    const nats = openNats(`nats://127.0.0.1:${server.port}`, log);
    const seen: string[] = [];
    const changed = { snapshot: () => void seen.push('snapshot'), funds: () => void seen.push('funds') };
    return { nats, seen, following: followChanges({ db, url: null, bus: nats, log, changed }) };
  });
  const [near, far] = processes as [(typeof processes)[0], (typeof processes)[0]];
  await eventually(() => expect(processes.map(({ nats }) => nats.isUp())).toEqual([true, true]));
  // The first poll of each reports both kinds.
  await eventually(() => expect([near.seen.length, far.seen.length]).toEqual([2, 2]));
  for (const { seen } of processes) seen.length = 0;
  afterAll(async () => {
    for (const { nats, following } of processes) {
      await following.stop();
      await nats.close();
    }
    await server.stop();
    await db.destroy();
  });

  test('a change of one reaches the other at once, and many that follow each other in few messages', async () => {
    near.following.publish('funds');
    for (let count = 0; count < 100; count += 1) near.following.publish('snapshot');
    await eventually(() => expect(far.seen.filter((kind) => kind === 'snapshot')).toHaveLength(2));
    expect(far.seen.filter((kind) => kind === 'funds')).toHaveLength(1);
    expect(near.seen).toEqual([]);
  });

  test('a change of which no message came is found by polling', async () => {
    far.seen.length = 0;
    await db.insertInto('bidding_changes').values({ kind: 'funds' }).execute();
    await eventually(() => expect(far.seen).toEqual(['funds']));
  });
});
