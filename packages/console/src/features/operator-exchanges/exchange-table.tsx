import type { ExchangeSummaries } from '@bidwell/contract/operator/exchange-health';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { Stack } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { countingWords } from '../../lib/format/counting-text.ts';
import {
  type Loadable,
  type Unknown,
  combined,
  dataOrUnknown,
  isUnknown,
  knownData,
  useLoadable,
} from '../../lib/loadable.ts';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';
import {
  UNREADABLE_DAYS,
  exchangeTrafficQuery,
  unreadablePricesQuery,
} from '../../entities/exchanges/queries.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { numberColumn } from '../../ui/table/number-column.ts';
import type { Column } from '../../ui/table/table-state.ts';
import { UnknownFigure } from '../../ui/chart/unknown-figure.tsx';
import { ExchangeSwitch } from './exchange-switch.tsx';
import { latencyText, rateText, shareText } from './figure-text.ts';

type Traffic = ExchangeSummaries['exchanges'][number];

/** An exchange with its figures, as far as they are known. */
interface ExchangeRow {
  exchange: Ssp;
  /** Null where there are none. */
  traffic: Traffic | null | Unknown;
  unreadableNotices: number | Unknown;
}

interface ExchangeTableProps {
  /** Load state of the exchanges. */
  list: Loadable<{ ssps: readonly Ssp[] }>;
  mayChange: boolean;
  /** Shown instead of the table when there are no exchanges. */
  empty: ReactNode;
}

/** The exchanges with their traffic. The URL holds search, order and page. */
export function ExchangeTable({ list, mayChange, empty }: ExchangeTableProps) {
  const [state, setState] = useTableSearch();
  const prices = useLoadable(unreadablePricesQuery);
  const hour = useLoadable(exchangeTrafficQuery);
  const unreadable = dataOrUnknown(prices);
  const traffic = dataOrUnknown(hour);
  const known = knownData(list);
  const columns = useMemo(() => exchangeColumns(mayChange), [mayChange]);
  const rows = useMemo(
    () =>
      known?.ssps.map((exchange): ExchangeRow => {
        const isOf = ({ slug }: { slug: string }) => slug === exchange.slug;
        return {
          exchange,
          traffic: isUnknown(traffic) ? traffic : (traffic.find(isOf) ?? null),
          unreadableNotices: isUnknown(unreadable)
            ? unreadable
            : unreadable.reduce((sum, { ssp, notices }) => (ssp === exchange.slug ? sum + notices : sum), 0),
        };
      }),
    [known, traffic, unreadable],
  );
  return (
    <DataTable
      label="Exchanges"
      columns={columns}
      rows={rows}
      figures={combined(list, hour, prices)}
      rowId={({ exchange }) => exchange.slug}
      rowName={({ exchange }) => exchange.name}
      searchText={searchText}
      state={state}
      onStateChange={setState}
      minWidth={1080}
      empty={empty}
    />
  );
}

const searchText = ({ exchange: { name, slug } }: ExchangeRow): string => `${name} ${slug}`;

function exchangeColumns(mayChange: boolean): readonly Column<ExchangeRow>[] {
  return [
    {
      id: 'name',
      header: 'Exchange',
      sortBy: ({ exchange }) => exchange.name,
      cell: ({ exchange: { name, slug } }) => (
        <Stack gap={0}>
          <AnchorLink to={`/operator/exchanges/${slug}` as string} size="sm" fw={500}>
            {name}
          </AnchorLink>
          <Caption>{slug}</Caption>
        </Stack>
      ),
    },
    {
      id: 'active',
      header: 'Receives bids',
      sortBy: ({ exchange }) => Number(exchange.active),
      cell: ({ exchange }) => <ExchangeSwitch exchange={exchange} mayChange={mayChange} />,
    },
    {
      ...figureColumn('requests', 'Requests/s, limit', qpsOf, rateText),
      cell: (row) => (
        <>
          {loadedText(qpsOf(row), rateText)}
          <Caption>{limitText(row.exchange.requests_per_second)}</Caption>
        </>
      ),
    },
    figureColumn('bid-rate', 'Bid rate', totalOf('bid_rate_percent'), shareText),
    {
      ...figureColumn('win-rate', 'Win rate', totalOf('win_rate_percent'), shareText),
      about: countingWords.exchangeWinRate,
    },
    {
      ...figureColumn('timeouts', 'Timeouts', totalOf('late')),
      cell: (row) => (
        <>
          {loadedText(totalOf('late')(row), formatNumber)}
          {shedNote(totalOf('shed')(row))}
        </>
      ),
    },
    figureColumn('p99', 'p99, ms', totalOf('latency_p99_ms'), latencyText),
    figureColumn('spend', 'Spend', totalOf('spend'), formatMoney),
    figureColumn(
      'unreadable',
      `Unreadable prices, ${UNREADABLE_DAYS} days`,
      ({ unreadableNotices }) => unreadableNotices,
    ),
  ];
}

/** A figure of a row: null if there is none. */
type Figure = number | null | Unknown;

const qpsOf = ({ traffic }: ExchangeRow): Figure =>
  traffic === null || isUnknown(traffic) ? traffic : traffic.last_minute.qps;

/** Reads a figure of the last hour. */
const totalOf =
  (name: 'bid_rate_percent' | 'win_rate_percent' | 'late' | 'shed' | 'latency_p99_ms' | 'spend') =>
  ({ traffic }: ExchangeRow): Figure =>
    traffic === null || isUnknown(traffic) ? traffic : traffic.total[name];

function figureColumn(
  id: string,
  header: string,
  figureOf: (row: ExchangeRow) => Figure,
  format: (value: number | null) => string = formatNumber,
): Column<ExchangeRow> {
  const column = numberColumn(id, header, (row: ExchangeRow) => sortKey(figureOf(row)), format);
  return { ...column, figure: true, cell: (row) => loadedText(figureOf(row), format) };
}

const sortKey = (figure: Figure): number | null => (isUnknown(figure) ? null : figure);

function loadedText(figure: Figure, format: (value: number | null) => string): ReactNode {
  return isUnknown(figure) ? <UnknownFigure why={figure} /> : format(figure);
}

/** Requests that could not be answered in time, and were not read. */
const shedNote = (shed: Figure): ReactNode =>
  shed === null || isUnknown(shed) || shed === 0 ? null : <Caption>{formatNumber(shed)} shed</Caption>;

const limitText = (limit: number | null): string =>
  limit === null ? 'no limit' : `of ${formatNumber(limit)}`;
