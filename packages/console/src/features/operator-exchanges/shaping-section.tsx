import type {
  ExchangeShaping,
  Pretargeting,
  SkippedSegment,
} from '@bidwell/contract/operator/exchange-health';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { Box, SimpleGrid, Stack, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type CsvTable, csvFile, csvText, saveFile } from '../../lib/format/csv-file.ts';
import { formatMoment, formatMoney, formatNumber } from '../../lib/format/format.ts';
import { toastError } from '../../lib/toast.ts';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { rateText, shareText } from './figure-text.ts';
import { Figure } from './health-figures.tsx';
import { formatText, pretargetingTable, segmentTexts, segmentsTable, systemText } from './shaping-values.ts';

const TITLE = 'Requests at the limit';

/** What was read and skipped of an exchange with a limit, what that is worth, and what to ask the exchange to send. */
export function ShapingSection({ exchange, shaping }: { exchange: Ssp; shaping: ExchangeShaping }) {
  const { skipped, unread, skipped_value_per_day: value, segments, pretargeting } = shaping;
  const read = shaping.read_within_limit + shaping.read_by_value + shaping.read_at_random;
  const isAbove = skipped + unread > 0;
  return (
    <Stack gap="sm" component="section" aria-label={TITLE}>
      <Box>
        <Title order={2} size="h5">
          {TITLE}
        </Title>
        <Muted>
          Since {formatMoment(shaping.since)}, without requests on which no ad set can bid: they do not count
          towards the limit.
        </Muted>
      </Box>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Figure
          label="Requests read"
          value={formatNumber(read)}
          note={`${formatNumber(shaping.read_within_limit)} while fewer came than the limit; of more, ${formatNumber(shaping.read_by_value)} by value and ${formatNumber(shaping.read_at_random)} at random`}
        />
        <Figure
          label="Read at random"
          value={formatNumber(shaping.read_at_random)}
          note="A tenth of the limit, from which values are learned"
        />
        <Figure
          label="Skipped"
          value={formatNumber(skipped + unread)}
          note={`${shareText(shaping.skipped_percent)} of the requests on which an ad set can bid${unread > 0 ? `; ${formatNumber(unread)} of all kinds were not looked at` : ''}`}
        />
        <Figure
          label="Estimated value skipped, a day"
          value={value === null ? '-' : formatMoney(value)}
          note={
            value === null
              ? 'Not known yet: too few requests were read.'
              : 'Expected charges for the bids on the skipped requests'
          }
        />
      </SimpleGrid>
      {isAbove && (
        <>
          {exchange.requests_per_second !== null && (
            <Section
              title="What to ask the exchange to send"
              flush
              actions={
                <CsvButton
                  label="CSV of what to ask for"
                  name={`pretargeting-${exchange.slug}.csv`}
                  table={pretargetingTable(pretargeting)}
                />
              }
            >
              {pretargeting.length === 0 ? (
                <Muted p="md" pt={0}>
                  The values of the requests are not known yet.
                </Muted>
              ) : (
                <RecordTable
                  label="What to ask the exchange to send"
                  columns={pretargetingColumns}
                  rows={pretargeting}
                  minWidth={720}
                />
              )}
              <Caption p="md" pt="xs">
                The requests of the most value that fit in the limit of{' '}
                {formatNumber(exchange.requests_per_second)} a second, at the rates since then. Set them as
                the pretargeting of the exchange, or ask your contact there.
              </Caption>
            </Section>
          )}
          <Section
            title="Skipped requests of the most value"
            flush
            actions={
              <CsvButton
                label="CSV of skipped requests"
                name={`skipped-${exchange.slug}.csv`}
                table={segmentsTable(segments)}
              />
            }
          >
            <RecordTable
              label="Skipped requests of the most value"
              columns={segmentColumns}
              rows={segments}
              minWidth={640}
              maxHeight={HEIGHT_PX}
            />
            <Caption p="md" pt="xs">
              The list has the fifty kinds of requests with the highest skipped value at most.
            </Caption>
          </Section>
        </>
      )}
    </Stack>
  );
}

/** Height of the table before it scrolls: a dozen rows. */
const HEIGHT_PX = 460;

const pretargetingColumns: readonly RecordColumn<Pretargeting>[] = [
  { header: 'System', wrap: 'never', cell: ({ system }) => systemText(system) },
  { header: 'Countries', cell: ({ countries }) => countries.join(', ') },
  { header: 'Formats', cell: ({ formats }) => formats.map(formatText).join('; ') },
  { header: 'Requests per second', numeric: true, cell: (one) => rateText(one.requests_per_second) },
  { header: 'Value a day', numeric: true, cell: (one) => formatMoney(one.value_per_day) },
  { header: 'Of it skipped', numeric: true, cell: (one) => formatMoney(one.added_value_per_day) },
];

const segmentColumns: readonly RecordColumn<SkippedSegment>[] = [
  { header: 'Country', wrap: 'never', cell: (segment) => segmentTexts(segment)[0] },
  { header: 'System', wrap: 'never', cell: (segment) => segmentTexts(segment)[1] },
  { header: 'Format', cell: (segment) => segmentTexts(segment)[2] },
  { header: 'Requests', numeric: true, cell: ({ offered }) => formatNumber(offered) },
  { header: 'Skipped', numeric: true, cell: ({ skipped }) => formatNumber(skipped) },
  {
    header: 'Value skipped a day',
    numeric: true,
    cell: ({ skipped_value_per_day: value }) => (value === null ? '-' : formatMoney(value)),
  },
];

function CsvButton({ label, name, table }: { label: string; name: string; table: CsvTable }) {
  return (
    <SmallButton
      leftSection={<IconDownload size={14} />}
      aria-label={label}
      disabled={table.data.length === 0}
      onClick={() => void download(name, table).catch(toastError)}
    >
      CSV
    </SmallButton>
  );
}

async function download(name: string, table: CsvTable): Promise<void> {
  saveFile(name, csvFile(await csvText(table)));
}
