import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useToday } from '../../lib/today.ts';
import { mainFindingsQuery } from './main-finding-queries.ts';

/** What a running ad set with Target CPA or Target ROAS has to learn from; nothing for others. */
export function LearningNote({ adset }: { adset: string }) {
  const today = useToday();
  const { data } = useQuery(mainFindingsQuery({ start: today, end: today }));
  const state = data?.learning.find(({ uuid }) => uuid === adset);
  return state ? <Text size="sm">{state.text}</Text> : null;
}
