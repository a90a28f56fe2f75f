import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { addDays } from '@bidwell/contract/lib/calendar';
import { PRICE_DAYS, presentPricesQuery } from '../../../entities/reports/present-price-queries.ts';
import { useToday } from '../../../lib/today.ts';
import { presentPricesText } from './price-text.ts';

/** What an ad set, or without one the company, pays and wins at present: beside a field for a price. */
export function PriceNote({ adset }: { adset: string | null }) {
  const end = useToday();
  const { data, error } = useQuery(presentPricesQuery({ start: addDays(end, 1 - PRICE_DAYS), end }, adset));
  if (!data && !error)
    return <Skeleton role="img" height={18} maw={360} aria-label="Loading the present prices" />;
  return (
    <Text size="sm" c="dimmed">
      {data ? presentPricesText(data, adset === null) : 'The present prices could not be loaded.'}
    </Text>
  );
}
