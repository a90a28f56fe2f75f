import type { RevenueDay } from '@bidwell/contract/operator/schema';
import { Box } from '@mantine/core';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { revenueParts } from './revenue-values.ts';

/** Height of the table before it scrolls: a dozen days. */
const HEIGHT_PX = 420;

const columns: readonly RecordColumn<RevenueDay>[] = [
  { header: 'Day (UTC)', wrap: 'never', cell: ({ date }) => formatDay(date) },
  ...revenueParts.map(([part, header]) => ({
    header,
    numeric: true,
    cell: (day: RevenueDay) => formatMoney(day[part]),
  })),
];

/** The days of a period with their spend, its parts and the added funds, the newest first. */
export function RevenueDays({ days }: { days: readonly RevenueDay[] }) {
  return (
    <Box mt="md">
      <RecordTable
        label="Revenue by day"
        columns={columns}
        rows={days.toReversed()}
        minWidth={480}
        maxHeight={HEIGHT_PX}
      />
    </Box>
  );
}
