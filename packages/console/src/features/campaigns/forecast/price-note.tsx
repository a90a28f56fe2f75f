import { Skeleton } from '@mantine/core';
import { addDays } from '@bidwell/contract/lib/calendar';
import { useLoadable } from '../../../lib/loadable.ts';
import { PRICE_DAYS, presentPricesQuery } from '../../../entities/reports/present-price-queries.ts';
import { useToday } from '../../../lib/today.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import { presentPricesText } from './price-text.ts';

/** What an ad set, or without one the company, pays and wins at present. Shown next to a field for a price. */
export function PriceNote({ adset }: { adset: string | null }) {
  const end = useToday();
  const prices = useLoadable(
    presentPricesQuery(
      { start: addDays(end, 1 - PRICE_DAYS), end },
      adset === null ? { kind: null } : { adset },
    ),
  );
  return (
    <FigureFrame
      figures={prices}
      what="The present prices"
      skeleton={<Skeleton role="img" height={18} maw={360} aria-label="Loading the present prices" />}
    >
      {(known) => <Muted>{presentPricesText(known, adset === null)}</Muted>}
    </FigureFrame>
  );
}
