import { ALERT_KINDS, type AlertKind } from '@bidwell/contract/alerts/kinds';
import { Checkbox, Stack } from '@mantine/core';

/** What people read of each kind of alert. */
const KIND_TEXTS: Readonly<Record<AlertKind, { label: string; description: string }>> = {
  balance: { label: 'Balance', description: 'Low or used up; a top-up was confirmed or declined' },
  rule: { label: 'Rules', description: 'A figure went above or below what a rule of your company allows' },
  spend: { label: 'Spend off plan', description: 'A day spent less than half of its daily budgets' },
  anomaly: { label: 'Anomalies', description: 'The spend, CPI or install rate of an hour is unusual' },
  postbacks: { label: 'Postbacks', description: 'A measurement partner has gone silent' },
  review: {
    label: 'Reviews',
    description: 'An app, creative or link was reviewed; a campaign started or could not start',
  },
  delivery: { label: 'Delivery', description: 'An ad set cannot run, or an advertiser domain is missing' },
  account: {
    label: 'Account',
    description: 'Suspension, credit limit, time zone, passwords, alert channels',
  },
};

/** The names of kinds, as a list. */
export function kindNames(kinds: readonly AlertKind[]): string {
  return kinds.length === ALERT_KINDS.length
    ? 'All kinds'
    : kinds.map((kind) => KIND_TEXTS[kind].label).join(', ') || 'Nothing';
}

interface KindsFieldProps {
  label: string;
  value?: string[];
  defaultValue?: string[];
  onChange?: (kinds: string[]) => void;
  error?: React.ReactNode;
}

/** A choice of kinds of alerts. */
export function KindsField(props: KindsFieldProps) {
  return (
    <Checkbox.Group {...props}>
      <Stack gap="xs" mt="xs">
        {ALERT_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            value={kind}
            label={KIND_TEXTS[kind].label}
            description={KIND_TEXTS[kind].description}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
