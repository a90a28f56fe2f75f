import type { SkadnetworkSettings } from '@bidwell/contract/skadnetwork/schema';
import { operatorSigningTexts } from '@bidwell/contract/text/skadnetwork-text';
import { Stack, Text } from '@mantine/core';
import { postbackProblemTexts } from '../../entities/skadnetwork/postback-text.ts';
import { UncountedList } from '../../entities/skadnetwork/uncounted-list.tsx';
import { type Loadable, knownData } from '../../lib/loadable.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { LongText, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** Where devices send postbacks, and the outcomes of the last seven days. */
export function PostbacksSection({ figures }: { figures: Loadable<SkadnetworkSettings> }) {
  const postbacks = knownData(figures)?.postbacks;
  return (
    <Section title="Postbacks, last 7 days">
      <FigureFrame figures={figures} what="The postbacks">
        {postbacks && <Postbacks postbacks={postbacks} />}
      </FigureFrame>
    </Section>
  );
}

function Postbacks({ postbacks }: { postbacks: SkadnetworkSettings['postbacks'] }) {
  const { url, url_is_set: isSet, counted, last_counted_at: last, uncounted } = postbacks;
  return (
    <Stack gap="sm">
      <LongText component="div">
        Address to register with Apple: <CopyText value={url} label="the address for postbacks" full />
      </LongText>
      {!isSet && <Muted>{operatorSigningTexts.addressUnset}</Muted>}
      <Text size="sm">
        {last === null
          ? operatorSigningTexts.noneCounted
          : `${operatorSigningTexts.counted(formatNumber(counted))}, the last one ${formatMoment(last)}.`}
      </Text>
      {uncounted.length > 0 && (
        <UncountedList
          label="Postbacks that do not count"
          rows={uncounted}
          textOf={(reason) =>
            reason === 'unknown_app' ? operatorSigningTexts.unknownApp : postbackProblemTexts[reason]
          }
        />
      )}
    </Stack>
  );
}
