import { audiencesOfMultipliers } from '@bidwell/contract/adsets/multipliers';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { DayForecast, Forecast } from '@bidwell/contract/insight/forecast';
import { Group, Loader, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { isKnown, useLoadable } from '../../../lib/loadable.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { forecastQuery } from '../../../entities/insight/forecast-queries.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import type { AdsetValues } from '../adset-form/adset-values.ts';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { ForecastChart } from './forecast-chart.tsx';
import { forecastInput, forecastRequest } from './forecast-input.ts';
import {
  basisText,
  bidText,
  cappedText,
  countText,
  limitText,
  rangeText,
  recordText,
  shareOfRange,
  valueText,
  whatIfText,
} from './forecast-text.ts';

/** While someone types, no forecast is requested. */
const DEBOUNCE_MS = 500;

interface ForecastPanelProps {
  values: AdsetValues;
  /** The ad set that is being edited; null for a new one. */
  uuid: string | null;
  campaignKind: CampaignKind;
}

/** What the ad set of a form would get a day, updated while the form changes. */
export function ForecastPanel({ values, uuid, campaignKind }: ForecastPanelProps) {
  const [settled] = useDebouncedValue(values, DEBOUNCE_MS);
  const input = useMemo(() => forecastInput(settled, uuid, campaignKind), [settled, uuid, campaignKind]);
  const figures = useLoadable(forecastQuery(input));
  return (
    <Paper withBorder p="md" component="section" aria-label="Forecast">
      <Group justify="space-between" mb="xs">
        <Text fw={600}>Forecast for a day</Text>
        {figures.isFetching && isKnown(figures) && <Loader size={14} aria-label="Updating the forecast" />}
      </Group>
      {input === null ? (
        <Muted>{forecastRequest(settled)}</Muted>
      ) : (
        <FigureFrame
          figures={figures}
          what="The forecast"
          skeleton={<Skeleton role="img" height={240} aria-label="Loading the forecast" />}
        >
          {(forecast) => (
            <ForecastFigures
              forecast={forecast}
              values={settled}
              isStale={figures.state === 'stale'}
              campaignKind={campaignKind}
            />
          )}
        </FigureFrame>
      )}
    </Paper>
  );
}

interface ForecastFiguresProps {
  forecast: Forecast;
  values: AdsetValues;
  /** Whether the figures are of the values before these. */
  isStale: boolean;
  campaignKind: CampaignKind;
}

function ForecastFigures({ forecast, values, isStale, campaignKind }: ForecastFiguresProps) {
  const { message, day, curve, record, value, what_if: whatIf } = forecast;
  if (message !== null || !day) return <Muted>{message}</Muted>;
  const [limit, bid] = [limitText(day), bidText(forecast)];
  return (
    <Stack gap="sm">
      {whatIf && <Text size="sm">{whatIfText(whatIf)}</Text>}
      <DayFigures day={day} campaignKind={campaignKind} />
      {campaignKind === 're_engagement' && (
        <Caption>
          How many people come back is not forecast: it depends on the audience and on what the ad offers
          them.
        </Caption>
      )}
      {limit && <Text size="sm">{limit}</Text>}
      {/* It names the goal, which may differ from the goal of the previous figures. */}
      {value && !isStale && <Text size="sm">{valueText(value, values)}</Text>}
      {curve && <ForecastChart curve={curve} />}
      {bid !== '' && <Text size="sm">{bid}</Text>}
      {record && <Text size="sm">{recordText(record)}</Text>}
      {audiencesOfMultipliers(values.bid_multipliers).length > 0 && (
        <Caption>Multipliers by audience are not counted.</Caption>
      )}
      {day.capped_share !== null && <Text size="sm">{cappedText(day.capped_share)}</Text>}
      {forecast.not_counted.includes('frequency_caps') && (
        <Caption>
          Frequency caps are not counted yet: most sampled requests are older than the update that counts
          people. With the caps the ad set may get less.
        </Caption>
      )}
      {forecast.not_counted.includes('audiences') && (
        <Caption>
          Audiences are not counted: bidders know them only while running ad sets use them. With them the ad
          set may get less.
        </Caption>
      )}
      <Caption>80 of 100 days are within the range in brackets. {basisText(forecast)}</Caption>
    </Stack>
  );
}

function DayFigures({ day, campaignKind }: { day: DayForecast; campaignKind: CampaignKind }) {
  const rows = [
    ['Requests that match the target', rangeText(day.matching, countText)],
    ...(day.audience_share === null
      ? []
      : [
          [
            'Of people whom the audiences allow',
            rangeText(shareOfRange(day.matching, day.audience_share), countText),
          ] as const,
        ]),
    ['Impressions', rangeText(day.impressions, countText)],
    ['Spend', rangeText(day.spend, formatMoney)],
    ['CPM', day.cpm ? rangeText(day.cpm, formatMoney) : '–'],
    campaignKind === 're_engagement'
      ? ['Re-attributions', 'Not forecast']
      : ['Installs', day.installs ? rangeText(day.installs, countText) : '–'],
  ] as const;
  return (
    <Stack component="dl" gap={4} m={0}>
      {rows.map(([label, text]) => (
        <Group key={label} justify="space-between" gap="xs">
          <Muted component="dt">{label}</Muted>
          <Text component="dd" size="sm" m={0} fw={500}>
            {text}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
