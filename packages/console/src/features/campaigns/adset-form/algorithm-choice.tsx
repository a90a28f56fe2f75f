import { ALGORITHMS, type Algorithm } from '@bidwell/contract/adsets/goals';
import { Radio, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

/** One sentence about each algorithm. */
const explanations: Record<Algorithm, string> = {
  'Manual CPM': 'Bids your CPM on every matching impression.',
  'Target CPI':
    'Bids the predicted value of an impression at your target cost per install, never above the CPM bid.',
  'Max installs':
    'Spends the daily budget evenly over the day, and pays less than the CPM bid where possible.',
  'Target CPA':
    'Bids for people who do the goal event in the app, at your target cost per person, never above the CPM bid. Works well from about 50 of them in 7 days.',
  'Target ROAS':
    'Bids for people whose revenue in the app reaches your target in percent of the spend, never above the CPM bid. Works well from about 50 payers in 7 days.',
};

interface AlgorithmChoiceProps {
  value: Algorithm | null;
  onChange: (algorithm: Algorithm) => void;
  error: ReactNode;
}

/** Selects the bidding algorithm of an ad set. */
export function AlgorithmChoice({ value, onChange, error }: AlgorithmChoiceProps) {
  return (
    <Radio.Group
      label="Bid strategy"
      withAsterisk
      value={value}
      onChange={(algorithm) => onChange(algorithm as Algorithm)}
      error={error}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm" my={6}>
        {ALGORITHMS.map((algorithm) => (
          <Radio key={algorithm} value={algorithm} label={algorithm} description={explanations[algorithm]} />
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}
