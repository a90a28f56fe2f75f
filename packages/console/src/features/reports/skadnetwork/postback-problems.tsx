import type { PostbackProblem } from '@bidwell/contract/skadnetwork/report';
import { List, Text } from '@mantine/core';
import { postbackProblemTexts } from '../../../entities/skadnetwork/postback-text.ts';
import { formatMoment, formatNumber } from '../../../lib/format/format.ts';
import { Section } from '../../../ui/layout/section.tsx';

/** Postbacks that need a look, and what they mean; nothing without any. */
export function PostbackProblems({ problems }: { problems: readonly PostbackProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <Section title="Postbacks that need a look">
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
    </Section>
  );
}
