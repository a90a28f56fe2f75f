import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense, lazy } from 'react';
import { formatNumber } from '../lib/format.ts';
import { ChipList } from './chip-list.tsx';

const BundleForm = lazy(async () => ({ default: (await import('./bundle-form.tsx')).BundleForm }));

interface BundleListProps {
  label: string;
  /** Explains what an empty list means. */
  description: string;
  value: readonly string[];
  onChange: (bundles: string[]) => void;
}

/** A list of publisher bundle ids with a dialog that edits it by typing or from a CSV file. */
export function BundleList({ label, description, value, onChange }: BundleListProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {label}
          {value.length > 0 && (
            <Text span inherit c="dimmed" fw={400}>
              {' '}
              {formatNumber(value.length)}
            </Text>
          )}
        </Text>
        <Group gap={4} wrap="nowrap">
          {value.length > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => onChange([])}
              aria-label={`Clear ${label.toLowerCase()}`}
            >
              Clear
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            onClick={open}
            aria-label={`Edit ${label.toLowerCase()}`}
          >
            Edit
          </Button>
        </Group>
      </Group>
      {value.length === 0 ? (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      ) : (
        <ChipList value={value} onRemove={(bundle) => onChange(value.filter((other) => other !== bundle))} />
      )}
      <Modal opened={opened} onClose={close} title="Manual or CSV Rule Template" size="lg" centered>
        {opened && (
          <Suspense fallback={<Loader type="dots" />}>
            <BundleForm
              value={value}
              onCancel={close}
              onApply={(bundles) => {
                onChange(bundles);
                close();
              }}
            />
          </Suspense>
        )}
      </Modal>
    </Stack>
  );
}
