import type { MeasurementCounts } from '@bidwell/contract/measurement/schema';
import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { type Unknown, isUnknown } from '../../lib/loadable.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { installRateText, netInstalls } from './measurement-text.ts';

/** The figures of clicks and postbacks side by side, each under its label: placeholders while they load, else dashes. */
export function MeasurementTiles({ counts }: { counts: MeasurementCounts | Unknown }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }} spacing="md" verticalSpacing="sm">
      {tilesOf(counts).map(([label, value]) => (
        <div key={label} role="group" aria-label={label}>
          <Caption>{label}</Caption>
          {value === 'loading' ? (
            <Skeleton height={22} width={70} />
          ) : (
            <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {isUnknown(value) ? '–' : value}
            </Text>
          )}
        </div>
      ))}
    </SimpleGrid>
  );
}

function tilesOf(counts: MeasurementCounts | Unknown): (readonly [label: string, text: string])[] {
  const text = (of: (known: MeasurementCounts) => string) => (isUnknown(counts) ? counts : of(counts));
  const number = (name: 'clicks' | 'postbacks' | 'revoked') => text((known) => formatNumber(known[name]));
  return [
    ['Clicks sent', number('clicks')],
    ['Postbacks received', number('postbacks')],
    ['Installs counted', text((known) => formatNumber(netInstalls(known)))],
    ['Installs taken back', number('revoked')],
    ['Not counted', text(({ rejected, late }) => formatNumber(rejected + late))],
    ['Installs after a click, per 100 clicks', text(installRateText)],
    ['Last postback', text(({ last_postback_at: at }) => (at === null ? '-' : formatMoment(at)))],
  ];
}
