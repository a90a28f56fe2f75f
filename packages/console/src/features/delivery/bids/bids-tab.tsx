import { BID_OUTCOMES, type BidOutcome } from '@bidwell/contract/bid-log/schema';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '../../../lib/format/csv-file.ts';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { knownData, loadableOf, shownInPlace } from '../../../lib/loadable.ts';
import { campaignBidsQuery, downloadBids } from '../../../entities/campaign-reports/queries.ts';
import { useTableSearch } from '../../../lib/table-search.ts';
import { SecondaryButton, SmallButton } from '../../../ui/layout/buttons.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { PagedTable } from '../../../ui/table/paged-table.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import { bidColumns } from './bid-columns.tsx';
import { OUTCOME_NAMES } from './bid-text.ts';
import { useSave } from '../../../ui/form/use-save.ts';

const ALL = 'all';
const outcomes = [
  { value: ALL, label: 'All' },
  ...BID_OUTCOMES.map((value) => ({ value, label: OUTCOME_NAMES[value] })),
] as const;

interface BidsTabProps {
  uuid: string;
  range: DateRange;
}

/** The bids of a campaign, one by one, and their export. The URL has the outcome that is shown. */
export function BidsTab({ uuid, range }: BidsTabProps) {
  const [{ status }, setSearch] = useTableSearch();
  const outcome = BID_OUTCOMES.find((one) => one === status);
  const query = useInfiniteQuery({ ...campaignBidsQuery(uuid, range, outcome), meta: shownInPlace });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const figures = loadableOf(query);
  const bids = knownData(figures)?.pages.flatMap((page) => page.bids);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Segments
          label="Outcome"
          value={outcome ?? ALL}
          onChange={(value) => setSearch({ status: value === ALL ? undefined : value })}
          options={outcomes}
        />
        <Downloads
          key={`${range.start} ${range.end} ${outcome}`}
          uuid={uuid}
          range={range}
          outcome={outcome}
        />
      </Group>
      <PagedTable
        label="Bids"
        columns={bidColumns}
        rows={bids}
        figures={figures}
        rowId={({ bid_id: id }) => id}
        minWidth={980}
        rowHeight={57}
        empty={
          <EmptyState
            title={outcome ? 'No such bids in this range' : 'No bids in this range'}
            text="Bids are listed here seconds after they are sent, won or lost."
          />
        }
        footer={
          hasNextPage &&
          figures.state === 'current' && (
            <SecondaryButton m="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Load more
            </SecondaryButton>
          )
        }
      />
      {bids && bids.length > 0 && (
        <Caption>
          All won bids and all bids with a loss notice are listed. Of the other bids of 30 days a sample is
          listed, and each says how many bids it stands for. Charges and clicks are from the chosen range and
          add up to the reports; a charge is stated per 1000 impressions.
        </Caption>
      )}
    </Stack>
  );
}

type Format = 'csv' | 'parquet';

/** Where the last file ended, if the range has more. */
interface Rest {
  format: Format;
  cursor: string;
  /** The number of the next file. */
  part: number;
}

function Downloads({ uuid, range, outcome }: BidsTabProps & { outcome: BidOutcome | undefined }) {
  const [rest, setRest] = useState<Rest | null>(null);
  const {
    save: download,
    busy,
    sent,
  } = useSave({
    send: ({ format, from }: { format: Format; from: Rest | null }) =>
      downloadBids(uuid, range, { outcome, format, cursor: from?.cursor ?? null }),
    onSaved: ({ file, next }, { format, from }) => {
      const part = from?.part ?? 1;
      const number = from || next !== null ? `-${part}` : '';
      saveFile(`bidwell-bids-${range.start}-${range.end}${number}.${format}`, file);
      setRest(next === null ? null : { format, cursor: next, part: part + 1 });
    },
  });
  return (
    <Group gap="xs">
      {(['csv', 'parquet'] as const).map((format) => (
        <SecondaryButton
          key={format}
          leftSection={<IconDownload size={16} />}
          loading={sent?.format === format}
          disabled={busy && sent?.format !== format}
          onClick={() => download({ format, from: null })}
        >
          {format === 'csv' ? 'CSV' : 'Parquet'}
        </SecondaryButton>
      ))}
      {rest && (
        <Alert variant="light" py={8} role="status">
          <Group gap="sm">
            <Text size="sm">The range has more bids than fit in one file.</Text>
            <SmallButton loading={busy} onClick={() => download({ format: rest.format, from: rest })}>
              Download file {rest.part}
            </SmallButton>
          </Group>
        </Alert>
      )}
    </Group>
  );
}
