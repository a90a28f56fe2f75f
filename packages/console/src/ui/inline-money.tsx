import { ActionIcon, Group, Modal, Skeleton, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Suspense, lazy } from 'react';
import { formatMoney } from '../lib/format.ts';
import type { InlineMoneyFormProps } from './inline-money-form.tsx';
import { useLateDialog } from './use-late-dialog.ts';

const MoneyForm = lazy(async () => ({ default: (await import('./inline-money-form.tsx')).MoneyForm }));

interface InlineMoneyProps extends Omit<InlineMoneyFormProps, 'onDone'> {
  /** Whose it is, for the button's name. */
  of: string;
}

/** An amount with a pencil that opens a dialog to change it: two decimals, capped at `max` (specification, section 5). */
export function InlineMoney(props: InlineMoneyProps) {
  const { label, of, value, emptyText } = props;
  const { isThere, opened, open, close } = useLateDialog();
  const none = emptyText !== undefined && !value;
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={open}
        data-inline-edit
        aria-label={`Edit ${label.toLowerCase()} of ${of}`}
      >
        <IconPencil size={14} />
      </ActionIcon>
      <Text size="sm" c={none ? 'dimmed' : undefined} style={{ whiteSpace: 'nowrap' }}>
        {none ? emptyText : formatMoney(value)}
      </Text>
      {isThere && (
        <Modal opened={opened} onClose={close} title={`${label} of ${of}`} centered>
          {opened && (
            <Suspense fallback={<Skeleton height={112} />}>
              <MoneyForm {...props} onDone={close} />
            </Suspense>
          )}
        </Modal>
      )}
    </Group>
  );
}
