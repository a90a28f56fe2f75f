import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { ForecastInput } from '@bidwell/contract/insight/forecast';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { isKnown, useLoadable } from '../../../lib/loadable.ts';
import type { BidKind } from '../../../entities/campaigns/high-bid.ts';
import { adsetQuery } from '../../../entities/campaigns/adset-queries.ts';
import { forecastQuery } from '../../../entities/insight/forecast-queries.ts';
import { adsetValues } from '../adset-form/adset-values.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { forecastInput } from './forecast-input.ts';
import { PriceNote } from './price-note.tsx';
import { priceForecastText } from './price-text.ts';

/** While someone types, no forecast is requested. */
const DEBOUNCE_MS = 500;

interface BidNoteProps {
  adset: AdsetSummary;
  field: BidKind;
  /** The typed bid. */
  dollars: number | null;
}

/** What an ad set pays and wins at present, and what a typed bid would get it. */
export function BidNote({ adset: { uuid }, field, dollars }: BidNoteProps) {
  const [settled] = useDebouncedValue(dollars, DEBOUNCE_MS);
  const adset = useLoadable(adsetQuery(uuid));
  const input: ForecastInput | null =
    isKnown(adset) && settled ? forecastInput({ ...adsetValues(adset.data), [field]: settled }, uuid) : null;
  const forecast = useLoadable(forecastQuery(input));
  const isStale = settled !== dollars || forecast.state === 'stale';
  return (
    <Stack gap={4} aria-live="polite">
      <PriceNote adset={uuid} />
      {(input !== null || !isKnown(adset)) && (
        <FigureFrame
          figures={isKnown(adset) ? forecast : adset}
          what="The forecast"
          isSilent={forecast.state === 'stale'}
          skeleton={<Skeleton role="img" height={18} aria-label="Loading the forecast" />}
        >
          {() =>
            isKnown(forecast) && (
              <Text size="sm" data-stale={isStale ? 'all' : undefined} opacity={isStale ? 0.45 : 1}>
                {priceForecastText(forecast.data)}
              </Text>
            )
          }
        </FigureFrame>
      )}
    </Stack>
  );
}
