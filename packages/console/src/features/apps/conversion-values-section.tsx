import { Skeleton, Stack } from '@mantine/core';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { conversionValuesQuery } from '../../entities/apps/queries.ts';
import { dayText } from '@bidwell/contract/lib/calendar';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ConversionValuesForm } from './conversion-values-form.tsx';

interface ConversionValuesSectionProps {
  /** Of the app. */
  uuid: string;
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

/** What the conversion values of an app mean in SKAdNetwork and AdAttributionKit. */
export function ConversionValuesSection({ uuid, onDirtyChange }: ConversionValuesSectionProps) {
  const figures = useLoadable(conversionValuesQuery(uuid));
  const data = knownData(figures);
  const since = data?.versions[0]?.valid_from;
  return (
    <Section title="Conversion values">
      <FigureFrame figures={figures} what="The conversion values" skeleton={<Skeleton height={160} />}>
        {data && (
          <Stack>
            <Muted>
              {screenMessages.conversionValues}
              {since && ` The ones below explain postbacks that have arrived since ${dayText(since)}.`}
            </Muted>
            <ConversionValuesForm uuid={uuid} saved={data} onDirtyChange={onDirtyChange} />
          </Stack>
        )}
      </FigureFrame>
    </Section>
  );
}
