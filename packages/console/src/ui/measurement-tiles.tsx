import type { MeasurementCounts } from '@bidwell/contract/measurement';
import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { formatMoment, formatNumber } from '../lib/format.ts';
import { installRateText } from '../lib/measurement-words.ts';

/** The figures of clicks and postbacks side by side, each under its label; placeholders while they are undefined. */
export function MeasurementTiles({ counts }: { counts: MeasurementCounts | undefined }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md" verticalSpacing="sm">
      {tilesOf(counts).map(([label, value]) => (
        <div key={label} role="group" aria-label={label}>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          {value === undefined ? (
            <Skeleton height={22} width={70} />
          ) : (
            <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Text>
          )}
        </div>
      ))}
    </SimpleGrid>
  );
}

function tilesOf(counts: MeasurementCounts | undefined): (readonly [string, string | undefined])[] {
  const number = (name: 'clicks' | 'postbacks' | 'installs') => counts && formatNumber(counts[name]);
  return [
    ['Clicks sent', number('clicks')],
    ['Postbacks received', number('postbacks')],
    ['Installs counted', number('installs')],
    ['Not counted', counts && formatNumber(counts.rejected + counts.late)],
    ['Installs per 100 clicks', counts && installRateText(counts)],
    [
      'Last postback',
      counts && (counts.last_postback_at === null ? '-' : formatMoment(counts.last_postback_at)),
    ],
  ];
}
