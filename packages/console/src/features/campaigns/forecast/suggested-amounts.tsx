import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { addDays } from '@bidwell/contract/lib/calendar';
import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { knownData, useKnown, useLoadable } from '../../../lib/loadable.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { adsetsQuery } from '../../../entities/campaigns/adset-queries.ts';
import { forecastQuery } from '../../../entities/insight/forecast-queries.ts';
import { PRICE_DAYS, presentPricesQuery } from '../../../entities/reports/present-price-queries.ts';
import { useToday } from '../../../lib/today.ts';
import type { AdsetValues } from '../adset-form/adset-values.ts';
import { forecastInput, listText } from './forecast-input.ts';
import {
  type SuggestedAmount,
  type Suggestion,
  adsetsOfKind,
  suggestionOfCompany,
  suggestionOfForecast,
} from './suggestion.ts';

/** Dollars from whose forecast the curve over the bid is taken. */
const PROBE_CPM = 2;
const DEBOUNCE_MS = 500;

const sources = {
  adsets: 'the median of your other ad sets of this kind',
  paid: `what you paid on average in the last ${PRICE_DAYS} days`,
  forecast: 'from the forecast for its target',
} as const satisfies Record<SuggestedAmount['source'], string>;

/** The amounts that are suggested, as the sentence names them. */
const FIELDS = [
  { field: 'bet_cpm', name: 'a CPM bid' },
  { field: 'bet_cpi', name: 'a target CPI' },
  { field: 'daily_budget_const', name: 'a daily budget' },
] as const;

interface SuggestedAmountsProps {
  values: AdsetValues;
  campaignKind: CampaignKind;
  onUse: (amounts: Partial<AdsetValues>) => void;
}

/** Offers bids and a daily budget for a new ad set while it lacks one of them; nothing if none is known. */
export function SuggestedAmounts({ values, campaignKind, onUse }: SuggestedAmountsProps) {
  const suggestion = useSuggestion(values, campaignKind);
  const offered = FIELDS.flatMap(({ field, name }) => {
    const amount = suggestion[field];
    return amount ? [{ field, name, ...amount }] : [];
  });
  if (offered.length === 0) return null;
  const named = offered.map(({ name, dollars, source }, index) => {
    // A source of several amounts is named once, after the last of them.
    const from = offered[index + 1]?.source === source ? '' : ` (${sources[source]})`;
    return `${name} of ${formatMoney(dollars)}${from}`;
  });
  const use = () => onUse(Object.fromEntries(offered.map(({ field, dollars }) => [field, dollars])));
  return (
    <Group gap="sm" role="status" aria-label="Suggested amounts" wrap="nowrap" align="flex-start">
      <Text size="sm">Suggested: {listText(named)}.</Text>
      <Button size="compact-sm" variant="light" style={{ flexShrink: 0 }} onClick={use}>
        Use
      </Button>
    </Group>
  );
}

const nothing: Suggestion = { bet_cpm: null, bet_cpi: null, daily_budget_const: null };

/** Amounts for the fields that are empty: from the company's own history, and from the forecast where that has none. */
function useSuggestion(values: AdsetValues, kind: CampaignKind): Suggestion {
  const end = useToday();
  const campaigns = useKnown(campaignsQuery);
  const adsets = useKnown(adsetsQuery);
  const paid = useKnown(presentPricesQuery({ start: addDays(end, 1 - PRICE_DAYS), end }, { kind }));
  const hasHistory = adsets !== undefined && paid !== undefined && campaigns !== undefined;
  const own = hasHistory ? suggestionOfCompany(adsetsOfKind(adsets, campaigns, kind), paid) : nothing;
  const [lacksBid, lacksBudget] = [values.bet_cpm === null, values.daily_budget_const === null];
  const lacksPrice = values.algo === 'Target CPI' && values.bet_cpi === null;
  const needsForecast =
    hasHistory &&
    ((lacksBid && !own.bet_cpm) || (lacksPrice && !own.bet_cpi) || (lacksBudget && !own.daily_budget_const));
  const forecast = useProbe(values, needsForecast, kind);
  if (!hasHistory) return nothing;
  return {
    bet_cpm: lacksBid ? (own.bet_cpm ?? forecast.bet_cpm) : null,
    bet_cpi: lacksPrice ? (own.bet_cpi ?? forecast.bet_cpi) : null,
    daily_budget_const: lacksBudget ? (own.daily_budget_const ?? forecast.daily_budget_const) : null,
  };
}

/** What the forecast suggests for the ad set without its own bids and budgets, once its other fields are filled in. */
function useProbe(values: AdsetValues, isNeeded: boolean, kind: CampaignKind): Suggestion {
  const [settled] = useDebouncedValue(values, DEBOUNCE_MS);
  const probe = {
    ...settled,
    algo: 'Manual CPM' as const,
    bet_cpm: PROBE_CPM,
    daily_budget_const: null,
    all_budget_const: null,
  };
  const forecast = useLoadable(forecastQuery(isNeeded ? forecastInput(probe, null, kind) : null));
  // The forecast of another target is no suggestion for this one.
  return suggestionOfForecast(forecast.state === 'stale' ? undefined : knownData(forecast));
}
