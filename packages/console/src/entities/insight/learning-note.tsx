import { Text } from '@mantine/core';
import { useKnown } from '../../lib/loadable.ts';
import { useToday } from '../../lib/today.ts';
import { mainFindingsQuery } from './main-finding-queries.ts';

/** The learning data of a running ad set with Target CPA or Target ROAS. Renders nothing for others. */
export function LearningNote({ adset }: { adset: string }) {
  const today = useToday();
  const data = useKnown(mainFindingsQuery({ start: today, end: today }));
  const state = data?.learning.find(({ uuid }) => uuid === adset);
  return state ? <Text size="sm">{state.text}</Text> : null;
}
