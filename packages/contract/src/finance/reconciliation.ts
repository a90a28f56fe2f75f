import { z } from 'zod';
import { CalendarDate, Timestamp } from '../lib/wire.ts';

const amounts = {
  /** Dollars that the reports show. */
  reports: z.number(),
  /** Dollars that the ledger has taken from the balance for spend. */
  ledger: z.number(),
  /** Dollars of all charges in the log of events, added up one by one. */
  log: z.number(),
  /** Charges in the log. */
  charges: z.number(),
  /** Whether the three amounts are the same to the micro. */
  agrees: z.boolean(),
};

/**
 * GET /finance/reconciliation: spend of a range of days as the reports, the ledger and the log of events have it. Days with
 * spend only, oldest first.
 */
export const Reconciliation = z.object({
  time_zone: z.string(),
  /**
   * Instants between which spend is compared: whole hours of UTC, as the ledger posts them. The hour that is not over yet is
   * left out, and months whose events have expired.
   */
  from: Timestamp,
  before: Timestamp,
  days: z.array(z.object({ date: CalendarDate, ...amounts })),
  total: z.object(amounts),
});
export type Reconciliation = z.infer<typeof Reconciliation>;
export type ReconciledAmounts = Reconciliation['total'];
