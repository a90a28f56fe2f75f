import { addDays } from '@bidwell/contract/lib/calendar';
import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '../../lib/format.ts';
import { adsetsQuery } from '../../lib/queries/adsets.ts';
import { forecastQuery } from '../../lib/queries/forecast.ts';
import { PRICE_DAYS, presentPricesQuery } from '../../lib/queries/present-prices.ts';
import { useToday } from '../../lib/today.ts';
import type { AdsetValues } from './adset-values.ts';
import { forecastInput } from './forecast-input.ts';
import type { SuggestedAmount, Suggestion } from './suggestion.ts';
import { suggestionOfCompany, suggestionOfForecast } from './suggestion.ts';

/** Dollars from whose forecast the curve over the bid is taken. */
const PROBE_CPM = 2;
const DEBOUNCE_MS = 500;

const sources = {
  adsets: 'the median of your other ad sets',
  paid: `what you paid on average in the last ${PRICE_DAYS} days`,
  forecast: 'from the forecast for its target',
} as const satisfies Record<SuggestedAmount['source'], string>;

interface SuggestedAmountsProps {
  values: AdsetValues;
  onUse: (amounts: Partial<AdsetValues>) => void;
}

/** Offers a bid and a daily budget for a new ad set while it lacks one of them; nothing where none is known. */
export function SuggestedAmounts({ values, onUse }: SuggestedAmountsProps) {
  const { bet_cpm: bid, daily_budget_const: budget } = useSuggestion(values);
  const from = (amount: SuggestedAmount) => ` (${sources[amount.source]})`;
  // One source is named once.
  const isSame = bid?.source === budget?.source;
  const named = [
    ...(bid ? [`a CPM bid of ${formatMoney(bid.dollars)}${isSame ? '' : from(bid)}`] : []),
    ...(budget ? [`a daily budget of ${formatMoney(budget.dollars)}${from(budget)}`] : []),
  ];
  if (named.length === 0) return null;
  const use = () =>
    onUse({
      ...(bid && { bet_cpm: bid.dollars }),
      ...(budget && { daily_budget_const: budget.dollars }),
    });
  return (
    <Group gap="sm" role="group" aria-label="Suggested amounts" wrap="nowrap" align="flex-start">
      <Text size="sm">Suggested: {named.join(' and ')}.</Text>
      <Button size="compact-sm" variant="light" style={{ flexShrink: 0 }} onClick={use}>
        Use
      </Button>
    </Group>
  );
}

const nothing: Suggestion = { bet_cpm: null, daily_budget_const: null };

/** Amounts for the fields that are empty: from the company's own history, and from the forecast where that has none. */
function useSuggestion(values: AdsetValues): Suggestion {
  const end = useToday();
  const adsets = useQuery(adsetsQuery).data;
  const paid = useQuery(presentPricesQuery({ start: addDays(end, 1 - PRICE_DAYS), end }, null));
  const isKnown = adsets !== undefined && !paid.isPending;
  const own = isKnown ? suggestionOfCompany(adsets, paid.data?.cpm ?? null) : nothing;
  const [lacksBid, lacksBudget] = [values.bet_cpm === null, values.daily_budget_const === null];
  const needsForecast = isKnown && ((lacksBid && !own.bet_cpm) || (lacksBudget && !own.daily_budget_const));
  const forecast = useProbe(values, needsForecast);
  if (!isKnown) return nothing;
  return {
    bet_cpm: lacksBid ? (own.bet_cpm ?? forecast.bet_cpm) : null,
    daily_budget_const: lacksBudget ? (own.daily_budget_const ?? forecast.daily_budget_const) : null,
  };
}

/** What the forecast suggests for the ad set without its own bids and budgets, once its other fields are filled in. */
function useProbe(values: AdsetValues, isNeeded: boolean): Suggestion {
  const [settled] = useDebouncedValue(values, DEBOUNCE_MS);
  const probe = {
    ...settled,
    algo: 'Manual CPM' as const,
    bet_cpm: PROBE_CPM,
    daily_budget_const: null,
    all_budget_const: null,
  };
  const { data, isPlaceholderData } = useQuery(forecastQuery(isNeeded ? forecastInput(probe, null) : null));
  // The forecast of another target is no suggestion for this one.
  return suggestionOfForecast(isPlaceholderData ? undefined : data);
}
