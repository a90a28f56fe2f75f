import { type RawBuilder, sql } from 'kysely';

/** Whether an ad set lacks a goal that its bid strategy needs, as `missingGoal` of the contract decides for one. Reads the table `adsets`. */
export function lacksGoal(): RawBuilder<boolean> {
  return sql<boolean>`(
    (adsets.algo = 'Target CPI' and coalesce(adsets.bet_cpi_micros, 0) = 0)
    or (adsets.algo = 'Target CPA' and (coalesce(adsets.goal_event, '') = '' or coalesce(adsets.cpa_micros, 0) = 0))
    or (adsets.algo = 'Target ROAS' and coalesce(adsets.roas_percent, 0) = 0)
  )`;
}
