import { constantFrom, array, assert, asyncProperty, integer, nat, oneof, record } from 'fast-check';
import { expect, test } from 'vitest';
import { ID_STATES } from '@bidwell/contract/insight/device-ids';
import { FUNNEL_EXITS, stepOf } from '@bidwell/contract/insight/funnel';
import type { Candidate } from '../model/candidate.ts';
import { addToSum } from '../../platform/group-by.ts';
import { FunnelCounts } from './counts.ts';
import { storeFunnel } from './recorder.ts';

const HOUR_MS = 3_600_000;
const adsets = Array.from({ length: 5 }, (_, index) => ({
  index,
  adsetId: `adset-${index}`,
  campaignId: `campaign-${index % 2}`,
  companyId: 'company',
})) as Candidate[];
const exits = array(integer({ min: 0, max: FUNNEL_EXITS.length }), { minLength: 5, maxLength: 5 });
const OUTBID = FUNNEL_EXITS.indexOf('outbid');

interface StoredRow {
  adset_id: string;
  exit?: string;
  /** Of an advertising id. */
  state?: string;
  outbid_by?: string;
  hour: number;
  requests: number;
}

const step = oneof(
  record({
    kind: constantFrom('explained' as const),
    hour: nat(2),
    exits,
    by: nat(4),
    weight: integer({ min: 1, max: 1000 }),
    idState: constantFrom(...ID_STATES),
    // How many of the ad sets the snapshot has.
    running: integer({ min: 1, max: 5 }),
  }),
  record({ kind: constantFrom('sent' as const), hour: nat(2), adset: nat(4) }),
  record({
    kind: constantFrom('store' as const),
    works: constantFrom('none' as const, 'exits' as const, 'all' as const),
  }),
);

test('every counted request is stored once, also after failed attempts to store', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
      const counts = new FunnelCounts();
      const expected = new Map<string, number>();
      const stored = new Map<string, number>();
      const store = (works: 'none' | 'exits' | 'all') =>
        storeFunnel(
          {
            async insert(table, rows) {
              if (works === 'none' || (works === 'exits' && table === 'device_ids'))
                throw new Error('unavailable');
              for (const row of rows as StoredRow[])
                addToSum(
                  stored,
                  `${row.adset_id} ${row.exit ?? row.state} ${row.outbid_by ?? ''} ${row.hour}`,
                  row.requests,
                );
            },
          },
          counts,
        ).catch(() => {});
      for (const one of steps) {
        if (one.kind === 'store') {
          await store(one.works);
        } else if (one.kind === 'sent') {
          counts.addSent(adsets[one.adset]!, one.hour * HOUR_MS);
          addToSum(expected, `adset-${one.adset} sent  ${one.hour * 3600}`, 1);
        } else {
          const candidates = adsets.slice(0, one.running);
          const outbidBy = new Map([[adsets[0]!, adsets[one.by]!]]);
          const explained = { exits: Uint8Array.from(one.exits), outbidBy, checked: candidates };
          const { idState, weight } = one;
          counts.add(candidates, explained, { atMs: one.hour * HOUR_MS, weight, idState });
          for (const { adsetId, index } of candidates) {
            const code = one.exits[index]!;
            const by = code === OUTBID && index === 0 ? `adset-${one.by}` : '';
            const exit = FUNNEL_EXITS[code];
            if (exit === undefined || !['open', 'targeted'].includes(stepOf(exit)))
              addToSum(expected, `${adsetId} ${idState}  ${one.hour * 3600}`, weight);
            addToSum(expected, `${adsetId} ${exit ?? 'bid'} ${by} ${one.hour * 3600}`, weight);
          }
        }
      }
      await store('all');
      expect(stored).toEqual(expected);
      expect(counts.size).toBe(0);
    }),
  );
});

test('counts are stored in parts that delay no bid, and the parts after a failed one are retained', async () => {
  const counts = new FunnelCounts();
  for (let adset = 0; adset < 5000; adset += 1)
    counts.addSent({ adsetId: `adset-${adset}`, campaignId: 'campaign', companyId: 'company' }, 0);
  const parts: number[] = [];
  let fails = true;
  const clickhouse = {
    insert: async (_table: string, rows: readonly object[]) => {
      if (fails && parts.length === 1) throw new Error('unavailable');
      parts.push(rows.length);
    },
  };

  await expect(storeFunnel(clickhouse, counts)).rejects.toThrow('unavailable');
  fails = false;
  await storeFunnel(clickhouse, counts);

  expect(parts).toEqual([2000, 2000, 1000]);
});
