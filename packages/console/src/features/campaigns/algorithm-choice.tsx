import type { Algorithm } from '@bidwell/contract/adset';
import { ALGORITHMS } from '@bidwell/contract/adset';
import { Radio, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

/** One sentence about each algorithm. */
const explanations: Record<Algorithm, string> = {
  'Manual CPM': 'Bids your CPM on every impression that fits.',
  'Target CPI': 'Bids what an impression is worth at your price of an install, never above the CPM.',
  'Max installs': 'Spends the daily budget evenly over the day, and pays less than the CPM where it can.',
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
      label="Algorithm"
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
