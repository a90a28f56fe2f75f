import type { Measurement, MeasurementRow, UnattributedRow } from '@bidwell/contract/measurement/schema';
import { Stack, Text } from '@mantine/core';
import { countingWords } from '../../lib/format/counting-text.ts';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { knownData, unknownOf, useLoadable } from '../../lib/loadable.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { netInstalls, notCounted } from '../../entities/measurement/measurement-text.ts';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { measurementQuery } from '../../entities/measurement/queries.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { MeasurementTiles } from '../../entities/measurement/measurement-tiles.tsx';
import { NotCountedList } from '../../entities/measurement/not-counted-list.tsx';
import { numberColumn } from '../../ui/table/number-column.ts';
import { Section } from '../../ui/layout/section.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { InAppEventsSection } from './in-app-events.tsx';
import { rateColumn } from './rate-column.tsx';
import { UncountedEventsSection, UnreadTimesSection } from './uncounted-events.tsx';

const columns: readonly Column<MeasurementRow>[] = [
  {
    id: 'link',
    header: 'Tracking link',
    cell: ({ tracking_link: { uuid, name } }) => (
      <AnchorLink to="/tracking-links/edit" search={{ uuid }} size="sm">
        {name}
      </AnchorLink>
    ),
    sortBy: ({ tracking_link: { name } }) => name,
    fixed: true,
  },
  {
    id: 'partner',
    header: 'Partner',
    cell: ({ mmp }) => mmpNames[mmp],
    sortBy: ({ mmp }) => mmpNames[mmp],
  },
  numberColumn('clicks', 'Clicks', ({ clicks }) => clicks),
  numberColumn('postbacks', 'Postbacks', ({ postbacks }) => postbacks),
  numberColumn('installs', 'Installs', netInstalls),
  {
    ...numberColumn<MeasurementRow>('revoked', 'Taken back', ({ revoked }) => revoked),
    about: countingWords.measurementTakenBack,
  },
  numberColumn('duplicates', 'Repeated', ({ duplicates }) => duplicates),
  numberColumn('rejected', 'Rejected', ({ rejected }) => rejected),
  numberColumn('late', 'Too late', ({ late }) => late),
  numberColumn('events', 'Events', ({ events, retargeting }) => events + retargeting),
  {
    ...rateColumn<MeasurementRow>('rate', 'Installs per 100 clicks', ({ install_rate: rate }) => rate),
    about: countingWords.measurementInstallRate,
  },
  {
    id: 'last',
    header: 'Last postback',
    numeric: true,
    cell: ({ last_postback_at: at }) => (at === null ? '-' : formatMoment(at)),
    sortBy: ({ last_postback_at: at }) => at,
  },
];

/** The outcomes of a campaign's clicks and of the postbacks of the measurement partner. */
export function MeasurementTab({ uuid, range }: { uuid: string; range: DateRange }) {
  const [state, setState] = useTableSearch();
  const figures = useLoadable(measurementQuery({ campaign_id: uuid }, range));
  const report = knownData(figures);
  const isCurrent = report !== undefined && figures.state !== 'stale';
  return (
    <Stack>
      <Section title="From click to install">
        <FigureFrame figures={figures} keepsChildren isSilent>
          <MeasurementTiles counts={report?.total ?? unknownOf(figures)} />
        </FigureFrame>
      </Section>
      <DataTable
        label="Measurement"
        columns={columns}
        rows={report?.rows}
        figures={figures}
        rowId={({ mmp, tracking_link: { uuid: link } }) => `${mmp} ${link}`}
        rowName={({ tracking_link: { name } }) => name}
        state={state}
        onStateChange={setState}
        minWidth={1080}
        empty={
          <EmptyState
            title="No clicks or postbacks in this range"
            text="Tracking links are listed here once people have clicked on the campaign’s ads."
          />
        }
      />
      {isCurrent && <InAppEventsSection events={report.in_app_events} />}
      {isCurrent && <UncountedEventsSection events={report.uncounted_events} />}
      {isCurrent && <UnreadTimesSection unread={report.unread_times} />}
      {isCurrent && <Reasons report={report} />}
      {isCurrent && report.unattributed.map((row) => <Unattributed key={row.mmp ?? ''} row={row} />)}
      {isCurrent && report.rows.length > 0 && <Notes report={report} />}
    </Stack>
  );
}

function Reasons({ report: { rows, total } }: { report: Measurement }) {
  const partners = [...new Set(rows.map(({ mmp }) => mmpNames[mmp]))];
  const reasons = notCounted(total, partners.length === 1 ? partners[0]! : 'the partner');
  if (reasons.length === 0) return null;
  return (
    <Section title="Postbacks that were not counted">
      <NotCountedList reasons={reasons} />
    </Section>
  );
}

function Unattributed({ row }: { row: UnattributedRow }) {
  if (row.mmp === null) return null;
  const partner = mmpNames[row.mmp];
  const reasons = notCounted(row, partner);
  return (
    <Section title={`Postbacks of ${partner} without a tracking link`}>
      <Stack gap="sm">
        <Text size="sm">
          {row.postbacks === 1 ? 'One postback' : `${formatNumber(row.postbacks)} postbacks`} of the whole
          company could not be assigned to a tracking link, so some may belong to this campaign.
          {row.not_attributed > 0 &&
            ` ${formatNumber(row.not_attributed)} of them had no click ID, like postbacks of people who saw no ad, and are not counted.`}
          {row.installs > 0 &&
            ` ${formatNumber(row.installs)} of them counted as installs before postbacks were stored with their link.`}
        </Text>
        {reasons.length > 0 && <NotCountedList reasons={reasons} />}
      </Stack>
    </Section>
  );
}

function Notes({ report: { other, postback_days: days } }: { report: Measurement }) {
  return (
    <Caption>
      {other && `The links beyond these had ${formatNumber(other.clicks)} clicks together. `}
      Clicks and postbacks belong to the tracking link that the ad set had at the click, and to the day on
      which they arrived. Clicks include invalid traffic; installs after a view without a click are not part
      of the rate. In 95 of 100 cases the true rate is within the range beneath it. Postbacks are stored for{' '}
      {days} days.
    </Caption>
  );
}
