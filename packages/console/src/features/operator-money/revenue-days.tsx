import type { RevenueDay } from '@bidwell/contract/operator/schema';
import { Box, Table } from '@mantine/core';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { revenueParts } from './revenue-values.ts';

/** Height of the table before it scrolls: a dozen days. */
const HEIGHT_PX = 420;

const columns = [{ heading: 'Day (UTC)' }, ...revenueParts.map(([, heading]) => ({ heading, right: true }))];

/** The days of a period with their spend, its parts and the added funds, the newest first. */
export function RevenueDays({ days }: { days: readonly RevenueDay[] }) {
  return (
    <Box mt="md">
      <RecordTable label="Revenue by day" columns={columns} minWidth={480} maxHeight={HEIGHT_PX}>
        {days.toReversed().map((day) => (
          <Table.Tr key={day.date}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDay(day.date)}</Table.Td>
            {revenueParts.map(([part]) => (
              <Table.Td key={part} ta="right">
                {formatMoney(day[part])}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </RecordTable>
    </Box>
  );
}
