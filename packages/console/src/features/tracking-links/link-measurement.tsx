import type { Mmp } from '@bidwell/contract/apps/fields';
import { Stack, Text } from '@mantine/core';
import { presetRange } from '../../lib/format/date-presets.ts';
import { knownData, unknownOf, useLoadable } from '../../lib/loadable.ts';
import { notCounted } from '../../entities/measurement/measurement-text.ts';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { measurementQuery } from '../../entities/measurement/queries.ts';
import { useToday } from '../../lib/today.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { MeasurementTiles } from '../../entities/measurement/measurement-tiles.tsx';
import { NotCountedList } from '../../entities/measurement/not-counted-list.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** The outcomes of a tracking link's clicks and postbacks in the last 30 days. */
export function LinkMeasurement({ uuid, mmp }: { uuid: string; mmp: Mmp }) {
  const range = presetRange('Last 30 Days', useToday());
  const figures = useLoadable(measurementQuery({ tracking_link_id: uuid }, range));
  const report = knownData(figures);
  const reasons = report ? notCounted(report.total, mmpNames[mmp]) : [];
  return (
    <Section title="Last 30 days">
      <Stack>
        <FigureFrame figures={figures} keepsChildren>
          <MeasurementTiles counts={report?.total ?? unknownOf(figures)} />
        </FigureFrame>
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
