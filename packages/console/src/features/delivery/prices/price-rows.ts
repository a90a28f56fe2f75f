import type { CampaignPrices, PriceRow, Prices } from '@bidwell/contract/campaign-reports/prices';

/** An exchange, with its countries beneath, or a country of an exchange. */
export interface PriceTreeRow extends Prices {
  id: string;
  name: string;
  countries?: readonly PriceTreeRow[];
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The rows of a report as exchanges with their countries; the highest spend first. Pure. */
export function priceTree({ rows }: Pick<CampaignPrices, 'rows'>): readonly PriceTreeRow[] {
  const exchanges = new Map<string, PriceRow[]>();
  for (const row of rows) {
    const own = exchanges.get(row.exchange);
    if (own) own.push(row);
    else exchanges.set(row.exchange, [row]);
  }
  return [...exchanges]
    .map(([exchange, own]) => ({
      ...sumOf(own),
      id: exchange,
      name: own[0]!.exchange_name,
      countries: own.map((row) => ({
        ...row,
        id: `${exchange} ${row.country}`,
        name: row.country === '' ? 'Unknown' : nameOfCountry(row.country),
      })),
    }))
    .toSorted((a, b) => b.paid - a.paid);
}

/** The sum of prices, with the averages of all their impressions. Pure. */
function sumOf(all: readonly Prices[]): Prices {
  const total = (field: 'impressions' | 'value' | 'bid' | 'paid' | 'saved_by_shading' | 'saved_by_auction') =>
    all.reduce((sum, row) => sum + row[field], 0);
  const impressions = total('impressions');
  const cpm = (dollars: number) => (impressions > 0 ? (dollars / impressions) * 1000 : null);
  const [bid, paid] = [total('bid'), total('paid')];
  return {
    impressions,
    value: total('value'),
    bid,
    paid,
    saved_by_shading: total('saved_by_shading'),
    saved_by_auction: total('saved_by_auction'),
    bid_cpm: cpm(bid),
    paid_cpm: cpm(paid),
  };
}

function nameOfCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code;
}
