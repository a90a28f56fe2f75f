import type { InAppEvents } from '@bidwell/contract/measurement/schema';
import { Stack, Table, Text } from '@mantine/core';
import { formatMoney, formatNumber } from '../../lib/format/format.ts';
import { Section } from '../../ui/layout/section.tsx';

/** Events in the app by name: how many, of how many people, and their revenue. Nothing without any. */
export function InAppEventsSection({ events }: { events: readonly InAppEvents[] }) {
  if (events.length === 0) return null;
  return (
    <Section title="In-app events">
      <Stack gap="sm">
        <Table.ScrollContainer minWidth={320}>
          <Table aria-label="In-app events">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Event</Table.Th>
                <Table.Th ta="right">Events</Table.Th>
                <Table.Th ta="right">People</Table.Th>
                <Table.Th ta="right">Revenue</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {events.map((event) => (
                <Table.Tr key={event.name}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{event.name}</Table.Td>
                  <Table.Td ta="right">{formatNumber(event.count)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(event.people)}</Table.Td>
                  <Table.Td ta="right">
                    {formatMoney(event.revenue)}
                    {event.unknown_amounts > 0 && (
                      <Text size="xs" c="dimmed">
                        {formatNumber(event.unknown_amounts)} without a known amount
                      </Text>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Text size="xs" c="dimmed">
          Each event counts once, on the day on which its postback came, without invalid traffic. People are
          distinct clicks or views. Revenue is in dollars less refunds; it is not known where an amount cannot
          be read or its currency has no rate.
        </Text>
      </Stack>
    </Section>
  );
}
