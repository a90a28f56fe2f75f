import type { InAppEvents } from '@bidwell/contract/measurement/schema';
import { Stack } from '@mantine/core';
import { EventName } from '../../entities/measurement/event-name.tsx';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

const columns: readonly RecordColumn<InAppEvents>[] = [
  { header: 'Event', cell: ({ name, label }) => <EventName name={name} label={label} />, wrap: 'anywhere' },
  { header: 'Events', cell: ({ count }) => formatNumber(count), numeric: true },
  { header: 'People', cell: ({ people }) => formatNumber(people), numeric: true },
  {
    header: 'Revenue',
    numeric: true,
    cell: ({ revenue, unknown_amounts: unknown }) => (
      <>
        {formatMoney(revenue)}
        {unknown > 0 && (
          <Caption>{unknown === 1 ? '1 amount unknown' : `${formatNumber(unknown)} amounts unknown`}</Caption>
        )}
      </>
    ),
  },
];

/** In-app events by name: their number, people and revenue. Renders nothing if there are none. */
export function InAppEventsSection({ events }: { events: readonly InAppEvents[] }) {
  if (events.length === 0) return null;
  return (
    <Section title="In-app events">
      <Stack gap="sm">
        <RecordTable label="In-app events" columns={columns} rows={events} minWidth={320} />
        <Caption>
          Each event counts once, on the day on which its postback came, without invalid traffic. People are
          distinct clicks or views. Events that the partner took back, and events after an install that it
          rejected, are left out, as in reports. Revenue is in dollars, less refunds, from the sources that
          the app counts. It leaves out amounts that cannot be read or whose currency has no rate; they are
          counted as unknown.
        </Caption>
      </Stack>
    </Section>
  );
}
