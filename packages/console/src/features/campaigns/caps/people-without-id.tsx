import type { PeopleWithoutId } from '@bidwell/contract/frequency/caps';
import { Choice } from '../../../ui/form/choice.tsx';

interface PeopleWithoutIdFieldProps {
  value: PeopleWithoutId;
  onChange: (choice: PeopleWithoutId) => void;
}

const CHOICES: { value: PeopleWithoutId; label: string }[] = [
  { value: 'bid', label: 'Bid, without a cap' },
  { value: 'skip', label: 'Do not bid' },
];

/** What an ad set with frequency caps does with people whom no id identifies. */
export function PeopleWithoutIdField({ value, onChange }: PeopleWithoutIdFieldProps) {
  return (
    <Choice<PeopleWithoutId>
      label="People without an id"
      description="Nothing identifies them, or consent forbids it, so their impressions cannot be counted. “Do not bid” leaves out most people on iPhones."
      data={CHOICES}
      value={value}
      onChange={(choice) => choice && onChange(choice)}
    />
  );
}
