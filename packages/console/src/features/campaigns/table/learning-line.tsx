import { isLearning } from '@bidwell/contract/text/learning-text';
import { mainFindingsQuery } from '../../../entities/insight/main-finding-queries.ts';
import { useKnown } from '../../../lib/loadable.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import { LazyTooltip } from '../../../ui/layout/lazy-tooltip.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import type { TreeRow } from './tree-rows.ts';

interface LearningProps {
  row: TreeRow & { kind: 'campaign' | 'adset' };
}

/** Says below the status that a row learns; a tooltip says what it lacks. On a phone {@link LearningLine} says all of it. */
export function LearningStatus({ row }: LearningProps) {
  const text = useLearningText(row);
  if (text === null) return null;
  return (
    <LazyTooltip label={text} multiline maw={280}>
      <Caption w="fit-content" visibleFrom="sm" tabIndex={0}>
        Learning
      </Caption>
    </LazyTooltip>
  );
}

/** On a phone, the same as {@link LearningStatus} in a sentence. */
export function LearningLine({ row }: LearningProps) {
  const text = useLearningText(row);
  return text === null ? null : <Caption hiddenFrom="sm">{text}</Caption>;
}

/** What an ad set with a value goal still needs to learn, or how many ad sets of a campaign are learning; null for others. */
function useLearningText(row: LearningProps['row']): string | null {
  const { range } = useRangeSearch();
  const findings = useKnown(mainFindingsQuery(range));
  if (!findings) return null;
  const own = findings.learning.filter(({ uuid, campaign_uuid: campaign }) =>
    row.kind === 'adset' ? uuid === row.uuid : campaign === row.campaign.uuid,
  );
  const learning = own.filter(isLearning);
  const [first] = learning;
  if (!first) return null;
  return own.length === 1 ? first.text : `Learning: ${learning.length} of ${own.length} ad sets with a goal.`;
}
