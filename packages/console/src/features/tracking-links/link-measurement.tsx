import type { Mmp } from '@bidwell/contract/app';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { presetRange } from '../../lib/date-presets.ts';
import { notCounted } from '../../lib/measurement-words.ts';
import { mmpNames } from '@bidwell/contract/mmp-names';
import { measurementQuery } from '../../lib/queries/measurement.ts';
import { useToday } from '../../lib/today.ts';
import { MeasurementTiles } from '../../ui/measurement-tiles.tsx';
import { NotCountedList } from '../../ui/not-counted-list.tsx';
import { Section } from '../../ui/section.tsx';

/** What became of a tracking link's clicks and postbacks in the last 30 days. */
export function LinkMeasurement({ uuid, mmp }: { uuid: string; mmp: Mmp }) {
  const range = presetRange('Last 30 Days', useToday());
  const { data: report, error } = useQuery(measurementQuery({ tracking_link_id: uuid }, range));
  if (error && !report) return null;
  const reasons = report ? notCounted(report.total, mmpNames[mmp]) : [];
  return (
    <Section title="Last 30 days">
      <Stack>
        <MeasurementTiles counts={report?.total} />
        {report && report.total.clicks > 0 && report.total.postbacks === 0 && (
          <Text size="sm">
            No postback has come for this link’s clicks. Check the postback URLs at {mmpNames[mmp]}, and send
            a test install.
          </Text>
        )}
        {reasons.length > 0 && <NotCountedList reasons={reasons} />}
      </Stack>
    </Section>
  );
}
