import { isLearning } from '@bidwell/contract/text/learning-text';
import { Text, type TextProps } from '@mantine/core';
import { useKnown } from '../../../lib/loadable.ts';
import { mainFindingsQuery } from '../../../entities/insight/main-finding-queries.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import type { TreeRow } from './tree-rows.ts';

/** What an ad set with a goal of value lacks to have learned it, or how many of a campaign do; nothing for others. */
export function LearningLine({
  row,
  ...text
}: { row: TreeRow & { kind: 'campaign' | 'adset' } } & Pick<TextProps, 'hiddenFrom' | 'visibleFrom'>) {
  const { range } = useRangeSearch();
  const found = useKnown(mainFindingsQuery(range));
  const isOf = ({ uuid, campaign_uuid: campaign }: { uuid: string; campaign_uuid: string }) =>
    row.kind === 'adset' ? uuid === row.uuid : campaign === row.campaign.uuid;
  if (!found) return null;
  const own = found.learning.filter(isOf);
  const learning = own.filter(isLearning);
  const [first] = learning;
  if (!first) return null;
  return (
    <Text size="xs" c="dimmed" maw={220} {...text}>
      {own.length === 1 ? first.text : `Learning: ${learning.length} of ${own.length} ad sets with a goal.`}
    </Text>
  );
}
