import type { DeliveryDeps } from './delivery-deps.ts';
import { storedToday } from './correct-spend.ts';
import { spendOfAllTime } from './event-store/event-store.ts';
import { bookedSpend, raiseSpend } from './pacing/lease-store.ts';
import type { SnapshotService } from './snapshot/service.ts';

/** Ad sets per query of today's spend. */
const ADSETS_AT_ONCE = 1000;

/** Books spend of stored events that is not booked: after an upgrade, a restored backup, or a failover that lost bookings. */
export async function reconcileBookedSpend(
  { db, clickhouse, now }: DeliveryDeps,
  snapshot: SnapshotService,
): Promise<void> {
  const booked = await bookedSpend(db);
  const missing = (await spendOfAllTime(clickhouse)).filter(
    ({ adsetId, spentMicros }) => (booked.get(adsetId) ?? 0) < spentMicros,
  );
  for (let from = 0; from < missing.length; from += ADSETS_AT_ONCE) {
    const adsets = missing.slice(from, from + ADSETS_AT_ONCE);
    const ids = adsets.map(({ adsetId }) => adsetId);
    const today = await storedToday({ clickhouse, now }, snapshot, ids);
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
