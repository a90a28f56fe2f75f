import type { BiddingState } from '@bidwell/contract/operator/schema';
import { Alert, Button, Group, Modal, Paper, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { formatMoment } from '../../lib/format/format.ts';
import { switchBidding } from '../../entities/operator/health-queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useTyped } from '../../ui/form/unsaved-input.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';

/** The switch that stops the bidding of all companies; says who stopped it and why. */
export function BiddingSwitch({ bidding: { stopped } }: { bidding: BiddingState }) {
  const [opened, { open, close }] = useDisclosure(false);
  const { save: resume } = useSave({
    send: () => switchBidding({ stopped: false }),
    done: 'Bidding has resumed',
  });
  const maySwitch = useMayCall('bidding.write');
  if (stopped)
    return (
      <Alert color="red" title="All bidding is stopped" icon={<IconHandStop size={18} />}>
        <Group justify="space-between">
          <Text size="sm">
            {stopped.operator} stopped it on {formatMoment(stopped.at)}: {stopped.reason}
          </Text>
          {maySwitch && (
            <Button size="xs" onClick={() => resume()}>
              Resume bidding
            </Button>
          )}
        </Group>
      </Alert>
    );
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between">
        <Text size="sm">Bidding is running. All bidders stop within two seconds of pressing the button.</Text>
        {maySwitch && (
          <SecondaryButton size="xs" leftSection={<IconHandStop size={15} />} onClick={open}>
            Stop all bidding
          </SecondaryButton>
        )}
      </Group>
      <Modal opened={opened} onClose={close} title="Stop all bidding?">
        {opened && <StopForm onDone={close} />}
      </Modal>
    </Paper>
  );
}

function StopForm({ onDone }: { onDone: () => void }) {
  const [reason, setReason] = useTyped('Reason', '');
  const [error, setError] = useState<string>();
  const { save, busy } = useSave({
    send: () => switchBidding({ stopped: true, reason }),
    done: 'All bidding is stopped',
    onSaved: onDone,
  });
  const submit = () => (reason.trim() === '' ? setError('Say why') : save());
  return (
    <DialogForm onSubmit={submit}>
      <Text size="sm">
        No company bids on any exchange until an operator resumes bidding. Won bids are still counted.
      </Text>
      <TextInput
        label="Reason"
        data-autofocus
        maxLength={200}
        value={reason}
        error={error}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <FormButtons action="Stop all bidding" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
