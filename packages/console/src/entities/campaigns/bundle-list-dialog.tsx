import { Loader, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { formatNumber } from '../../lib/format/format.ts';
import { ListField } from '../../ui/form/list-field.tsx';

const BundleForm = lazyPart(() => import('./bundle-form.tsx'), 'BundleForm');

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
    <ListField
      label={label}
      note={
        value.length > 0 && (
          <Text span inherit c="dimmed" fw={400}>
            {' '}
            {formatNumber(value.length)}
          </Text>
        )
      }
      description={description}
      value={value}
      onChange={onChange}
      action="Edit"
      onOpen={open}
    >
      <Modal opened={opened} onClose={close} title="Manual or CSV Rule Template" size="lg">
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
    </ListField>
  );
}
