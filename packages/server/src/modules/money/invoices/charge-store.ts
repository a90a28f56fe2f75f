import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { exactSum } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The spend of a campaign in a period, as the ledger has it. */
export interface CampaignCharge {
  campaignId: string;
  campaign: string;
  micros: Micros;
}

/** The charges of a period, by campaign, the largest first, and the sum of those before it. */
export interface Charges {
  campaigns: CampaignCharge[];
  earlierMicros: Micros;
}

/**
 * What the ledger has charged a company for the hours from `from` until `before`, by campaign, and for all hours before
 * `from`. One statement, so that all figures are of one moment.
 */
export async function chargesIn(
  db: Db,
  companyId: string,
  { from, before }: { from: Date; before: Date },
): Promise<Charges> {
  const { rows } = await sql<CampaignCharge & { isEarlier: boolean }>`
    select s."isEarlier", s.campaign_uuid as "campaignId", c.name as campaign, s.micros
    from (
      select t.hour < ${from} as "isEarlier", t.campaign_uuid, ${exactSum(sql`-sum(e.amount_micros)`)} as micros
      from ledger_entries e join ledger_transactions t on t.uuid = e.transaction_uuid
      where e.company_uuid = ${companyId} and e.account = 'wallet' and t.kind = 'spend' and t.hour < ${before}
      group by 1, 2
    ) as s join campaigns c on c.uuid = s.campaign_uuid
    order by s.micros desc, c.name, c.uuid`.execute(db);
  return {
    campaigns: rows
      .filter(({ isEarlier }) => !isEarlier)
      .map(({ campaignId, campaign, micros }) => ({ campaignId, campaign, micros })),
    earlierMicros: rows.reduce((sum, { isEarlier, micros }) => sum + (isEarlier ? micros : 0), 0),
  };
}
