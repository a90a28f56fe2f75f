import type { UncountedEvents, UnreadTimes } from '@bidwell/contract/measurement/uncounted-events';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { Code, Stack, Text } from '@mantine/core';
import { brand } from '../../lib/brand.ts';
import { uncountedText } from '../../entities/measurement/uncounted-text.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { Caption, LongText } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

const columns: readonly RecordColumn<UncountedEvents>[] = [
  {
    header: 'Why',
    cell: ({ mmp, reason }) => {
      const { text, remedy } = uncountedText(reason, mmpNames[mmp]);
      return (
        <>
          {text}
          <Caption>{remedy}</Caption>
        </>
      );
    },
  },
  { header: 'Partner', cell: ({ mmp }) => mmpNames[mmp] },
  { header: 'Events', cell: ({ count }) => formatNumber(count), numeric: true },
  { header: 'Last postback', cell: ({ last_at: at }) => formatMoment(at), wrap: 'never' },
  {
    header: 'Examples',
    cell: ({ examples }) =>
      examples.map((example) => (
        <Text key={`${example.at} ${example.click_id} ${example.name}`} size="xs">
          {example.name ?? 'An event'}
          {example.event_at !== null && ` of ${formatMoment(example.event_at)}`}
          {example.click_id !== '' && (
            <>
              , click ID <Code>{example.click_id}</Code>
            </>
          )}
        </Text>
      )),
    wrap: 'anywhere',
    width: 380,
  },
];

/** Events in the app that are dated as they arrived, since the time that the partner sent cannot be read. */
export function UnreadTimesSection({ unread }: { unread: readonly UnreadTimes[] }) {
  if (unread.length === 0) return null;
  return (
    <Section title="Event times that could not be read">
      <Stack gap={6}>
        {unread.map(({ mmp, count, last_at: at, example }) => (
          <LongText key={mmp}>
            {formatNumber(count)} {count === 1 ? 'event' : 'events'} of {mmpNames[mmp]} with a time that could
            not be read
            {example !== '' && (
              <>
                : <Code>{example}</Code>
              </>
            )}
            , the last one on {formatMoment(at)}.
          </LongText>
        ))}
        <Caption>
          They count on the day on which they arrived. Have the partner send Unix seconds, or a date and time
          such as 2026-05-04T12:00:00Z.
        </Caption>
      </Stack>
    </Section>
  );
}

/** Events in the app that partners reported and that count nothing: why, how many, and the latest of them. */
export function UncountedEventsSection({ events }: { events: readonly UncountedEvents[] }) {
  if (events.length === 0) return null;
  return (
    <Section title="Events that do not count">
      <Stack gap="sm">
        <RecordTable label="Events that do not count" columns={columns} rows={events} minWidth={640} cards />
        <Caption>
          Events without a click of {brand.name} are counted for the whole company, so some may belong to
          other campaigns.
        </Caption>
      </Stack>
    </Section>
  );
}
