import type { ExchangeFigures, ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countingWords } from '../../lib/format/counting-text.ts';
import { formatCount } from '../../lib/format/count-text.ts';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { latencyText, rateText, shareText } from './figure-text.ts';
import { withoutWin } from './health-values.ts';

interface HealthFiguresProps {
  exchange: Ssp;
  health: ExchangeHealth;
  /** Whether the last minute is shown; it is not part of an earlier time. */
  isLive: boolean;
  /** The time of the totals, such as "Last hour". */
  period: string;
}

/** The figures of an exchange: of its last minute, and beneath of the whole time. */
export function HealthFigures({ exchange, health, isLive, period }: HealthFiguresProps) {
  const { total } = health;
  const figure = (label: string, textOf: (figures: ExchangeFigures) => string, note?: ReactNode) => (
    <Figure
      label={label}
      value={textOf(isLive ? health.last_minute : total)}
      total={isLive ? `${period}: ${textOf(total)}` : undefined}
      note={note}
    />
  );
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {figure(
        'Requests per second',
        ({ qps }) => rateText(qps),
        limitNote(exchange, isLive ? health.last_minute : total),
      )}
      {figure('Bid rate', ({ bid_rate_percent: rate }) => shareText(rate))}
      {/* Of a minute there are too few bids with a known outcome. */}
      <Figure
        label={`Win rate, ${period.toLowerCase()}`}
        value={shareText(total.win_rate_percent)}
        note={countingWords.exchangeWinRate}
      />
      {figure('Spend', ({ spend }) => formatMoney(spend))}
      {figure(
        'Latency p50 / p99, ms',
        ({ latency_p50_ms: p50, latency_p99_ms: p99 }) => `${latencyText(p50)} / ${latencyText(p99)}`,
      )}
      {figure(
        'Timeouts',
        ({ late }) => formatNumber(late),
        timeoutNote(exchange, isLive ? health.last_minute : total),
      )}
      <Figure
        label={`Notice discrepancy, ${period.toLowerCase()}`}
        value={shareText(total.discrepancy_percent)}
        note={
          exchange.charge_on === 'win'
            ? 'It charges on the win notice, so there is nothing to compare.'
            : `${formatCount(total.wins, 'win notice')}, ${formatCount(total.charged, 'impression')} charged`
        }
      />
      <Figure label={`Charged without a win notice, ${period.toLowerCase()}`} {...withoutWin(health)} />
    </SimpleGrid>
  );
}

function timeoutNote({ timeout_ms: ms }: Ssp, { shed }: ExchangeFigures): string {
  const limit =
    ms === null ? 'Responses later than tmax' : `Responses later than tmax or ${formatNumber(ms)} ms`;
  return shed === 0
    ? limit
    : `${limit}; in addition ${formatCount(shed, 'request')} shed, which could not be answered in time`;
}

/** The limit of the exchange, and what came above it. */
function limitNote({ requests_per_second: limit }: Ssp, { above_limit: above }: ExchangeFigures): string {
  if (limit === null) return 'No limit is set';
  return `Limit: ${formatNumber(limit)}, without requests on which no ad set can bid${above > 0 ? `; ${formatNumber(above)} above it got no bid` : ''}`;
}

interface FigureProps {
  label: string;
  value: string;
  total?: string | undefined;
  note?: ReactNode;
}

/** A figure with its label, and a note. */
export function Figure({ label, value, total, note }: FigureProps) {
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <Caption>{label}</Caption>
      <Text fw={600} fz={20} lh={1.4} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      {total !== undefined && (
        <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {total}
        </Text>
      )}
      {note !== undefined && <Caption component="div">{note}</Caption>}
    </Paper>
  );
}
