import type { BillingDetails, InvoiceSettings, TaxRule } from '@bidwell/contract/invoices/schema';
import type { InvoiceLine, InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import { decimalsOf, inCurrency, linesInCents, taxCents } from './amounts.ts';
import type { RateRow } from './settings.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { exactSum } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Campaigns with a line of their own; the others share one. */
const CAMPAIGNS_MAX = 500;

/** The lines of an invoice: the campaigns of the month, and charges of earlier months that no invoice has. Pure. */
export function linesOf({ campaigns, earlierMicros }: Charges): InvoiceLine[] {
  const others = campaigns.slice(CAMPAIGNS_MAX);
  const amounts = [
    ...campaigns.slice(0, CAMPAIGNS_MAX).map(({ campaign, micros }) => ({ description: campaign, micros })),
    ...(others.length > 0
      ? [
          {
            description: `${others.length} other campaigns`,
            micros: others.reduce((sum, { micros }) => sum + micros, 0),
          },
        ]
      : []),
    ...(earlierMicros === 0
      ? []
      : [{ description: 'Media spend of earlier months, on no invoice so far', micros: earlierMicros }]),
  ];
  const cents = linesInCents(amounts.map(({ micros }) => micros));
  return amounts.map((line, index) => ({ ...line, cents: cents[index]! }));
}

/** The first rule that fits a buyer. Pure. */
export function taxRuleOf(
  rules: readonly TaxRule[],
  { country, tax_id }: Pick<BillingDetails, 'country' | 'tax_id'>,
): TaxRule | undefined {
  return rules.find(
    (rule) =>
      (rule.country === null || rule.country === country) &&
      (rule.buyers === 'all' || (rule.buyers === 'with_tax_id') === (tax_id !== '')),
  );
}

/** The data of an invoice. */
export interface InvoiceParts {
  number: string;
  issuedOn: string;
  period: NonNullable<InvoiceSnapshot['period']>;
  settings: InvoiceSettings;
  details: BillingDetails;
  lines: InvoiceLine[];
  rate: RateRow | undefined;
  /** The name of the product. */
  product: string;
}

/** All that an invoice says. Pure. */
export function invoiceSnapshot(parts: InvoiceParts): InvoiceSnapshot {
  const { number, issuedOn, period, settings, details, lines, rate, product } = parts;
  const netCents = lines.reduce((sum, { cents }) => sum + cents, 0);
  const rule = taxRuleOf(settings.tax_rules, details);
  const tax = rule
    ? {
        label: rule.label,
        rate_percent: rule.rate_percent,
        note: rule.note,
        cents: taxCents(netCents, rule.rate_percent),
      }
    : null;
  const totalCents = netCents + (tax?.cents ?? 0);
  return {
    kind: 'invoice',
    number,
    issuedOn,
    period,
    seller: partyOf(settings),
    buyer: partyOf(details),
    lines,
    netCents,
    tax,
    totalCents,
    shown: rate
      ? shownIn(totalCents, {
          currency: rate.currency,
          perDollarMillionths: rate.per_dollar_millionths,
          date: rate.day,
          source: rate.source,
        })
      : null,
    correction: null,
    paymentText: settings.payment_text,
    product,
  };
}

/**
 * A credit note over a net amount and its tax, with the parties, the tax rule and the rate of its invoice. Pure.
 */
export function creditNoteSnapshot(
  invoice: InvoiceSnapshot,
  note: { number: string; issuedOn: string; netCents: number; taxCents: number; reason: string },
): InvoiceSnapshot {
  const { number, issuedOn, netCents, reason } = note;
  const totalCents = netCents + note.taxCents;
  return {
    ...invoice,
    kind: 'credit_note',
    number,
    issuedOn,
    period: null,
    lines: [{ description: reason, micros: null, cents: netCents }],
    netCents,
    tax: invoice.tax && { ...invoice.tax, cents: note.taxCents },
    totalCents,
    shown: invoice.shown && shownIn(totalCents, invoice.shown),
    correction: { number: invoice.number, issuedOn: invoice.issuedOn, reason },
    paymentText: '',
  };
}

function shownIn(
  totalCents: number,
  { currency, perDollarMillionths, date, source }: Omit<NonNullable<InvoiceSnapshot['shown']>, 'minorUnits'>,
): InvoiceSnapshot['shown'] {
  const minorUnits = inCurrency(totalCents, perDollarMillionths, decimalsOf(currency));
  return { currency, perDollarMillionths, date, source, minorUnits };
}

function partyOf({
  legal_name,
  address,
  country,
  tax_id,
}: InvoiceSnapshot['seller']): InvoiceSnapshot['seller'] {
  return { legal_name, address, country, tax_id };
}

/** The spend of a campaign in a period, as the ledger has it. */
interface CampaignCharge {
  campaignId: string;
  campaign: string;
  micros: Micros;
}

/** The charges of a period, by campaign, the largest first, and the sum of the charges before it. */
export interface Charges {
  campaigns: CampaignCharge[];
  earlierMicros: Micros;
}

/**
 * The ledger's charges to a company for the hours from `from` until `before`, by campaign, and for all hours before
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
