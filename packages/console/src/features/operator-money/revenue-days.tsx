import type { RevenueDay } from '@bidwell/contract/operator';
import { Table } from '@mantine/core';
import { formatDay, formatMoney } from '../../lib/format.ts';
import { revenueParts } from './revenue-values.ts';

/** Height of the table before it scrolls: a dozen days. */
const HEIGHT_PX = 420;

/** The days of a period with their spend, its parts and the added funds, the newest first. */
export function RevenueDays({ days }: { days: readonly RevenueDay[] }) {
  return (
    <Table.ScrollContainer minWidth={480} maxHeight={HEIGHT_PX} type="native" mt="md" tabIndex={0}>
      <Table
        fz="sm"
        stickyHeader
        aria-label="Revenue by day"
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day (UTC)</Table.Th>
            {revenueParts.map(([part, heading]) => (
              <Table.Th key={part} ta="right">
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
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
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
