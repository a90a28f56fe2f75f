import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';
import { deleteExpiredClaims } from './event-claims.ts';

const { db } = (await testApp()).ctx;

test('claims of old bids are deleted, and no others', async () => {
  const nowMs = Date.now();
  const [old, young] = [uuidv7({ msecs: nowMs - 1000 }), uuidv7({ msecs: nowMs })];
  await sql`
    insert into event_claims (bid_id, kind, batch)
    select id, 0, ${uuidv7()}::uuid from unnest(${`{${old},${young}}`}::uuid[]) as id`.execute(db);
  await deleteExpiredClaims(db, nowMs);
  const { rows } = await sql<{ bid_id: string }>`select bid_id from event_claims`.execute(db);
  expect(rows).toEqual([{ bid_id: young }]);
});
