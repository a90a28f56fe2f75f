import type { Micros } from '@bidwell/contract/money';
import type { DeliveryDeps } from './delivery-deps.ts';
import { addToSum } from '../platform/group-by.ts';
import { spendOfAllTime, spendSince } from './events/event-store.ts';
import { bookedSpend, raiseSpend } from './pacing/lease-store.ts';
import { dayAt } from './pacing/pace.ts';
import type { SnapshotService } from './snapshot/service.ts';

const TWO_DAYS_MS = 48 * 3_600_000;
/** Ad sets per query of today's spend. */
const ADSETS_AT_ONCE = 1000;

/** Books spend of stored events that is not booked: after an upgrade, a restored backup, or a failover that lost bookings. */
export async function reconcileBookedSpend(
  { db, clickhouse, now }: DeliveryDeps,
  snapshot: SnapshotService,
): Promise<void> {
  const nowMs = now().getTime();
  const booked = await bookedSpend(db);
  const missing = (await spendOfAllTime(clickhouse)).filter(
    ({ adsetId, spentMicros }) => (booked.get(adsetId) ?? 0) < spentMicros,
  );
  for (let from = 0; from < missing.length; from += ADSETS_AT_ONCE) {
    const adsets = missing.slice(from, from + ADSETS_AT_ONCE);
    const ids = adsets.map(({ adsetId }) => adsetId);
    const today = new Map<string, Micros>();
    for (const slice of await spendSince(clickhouse, nowMs - TWO_DAYS_MS, ids)) {
      if (slice.quarterMs < dayAt(nowMs, snapshot.timeZone(slice.companyId)).startMs) continue;
      addToSum(today, slice.adsetId, slice.spentMicros);
    }
    await raiseSpend(
      db,
      adsets.map(({ adsetId, companyId, spentMicros }) => ({
        adsetId,
        companyId,
        micros: spentMicros,
        dayMicros: today.get(adsetId) ?? 0,
      })),
    );
  }
}
