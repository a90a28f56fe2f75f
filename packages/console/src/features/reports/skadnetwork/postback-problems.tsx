import type { PostbackReport } from '@bidwell/contract/skadnetwork/report';
import { List, Text } from '@mantine/core';
import { postbackProblemTexts } from '../../../entities/skadnetwork/postback-text.ts';
import type { Figures } from '../../../lib/figures.ts';
import { formatMoment, formatNumber } from '../../../lib/format/format.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { Section } from '../../../ui/layout/section.tsx';

/** Rejected and unmatched postbacks, and what they mean; nothing without any. The table above says why there are no figures. */
export function PostbackProblems({ figures }: { figures: Figures<PostbackReport> }) {
  const problems = figures.data?.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <Section title="Rejected and unmatched postbacks">
      <FigureFrame figures={figures} isSilent>
        <List size="sm" spacing={6}>
          {problems.map(({ reason, count, last_at: at }) => (
            <List.Item key={reason}>
              {postbackProblemTexts[reason]}{' '}
              <Text span size="sm" c="dimmed">
                {formatNumber(count)}, the last one {formatMoment(at)}
              </Text>
            </List.Item>
          ))}
        </List>
      </FigureFrame>
    </Section>
  );
}
