import type { ApprovalInput } from '@bidwell/contract/approvals/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { z } from 'zod';
import { useTyped } from '../../ui/form/unsaved-input.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { requestApproval } from './approval-queries.ts';

/** A change that a second person has to approve. */
export type RequestedChange = Omit<z.input<typeof ApprovalInput>, 'note'>;
const MODAL = 'request-approval';

/** Opens the dialog that requests an approval; `reason` says why it is needed. `onRequested` is called once it was requested. */
export function openRequest(change: RequestedChange, reason: string, onRequested?: () => void): void {
  modals.open({
    modalId: MODAL,
    title: 'Request an approval?',
    children: <RequestForm change={change} reason={reason} onRequested={onRequested} />,
  });
}

interface RequestFormProps {
  change: RequestedChange;
  reason: string;
  onRequested: (() => void) | undefined;
}

function RequestForm({ change, reason, onRequested }: RequestFormProps) {
  const [note, setNote] = useTyped('Note', '');
  const close = () => modals.close(MODAL);
  const { save, busy } = useSave({
    send: () => requestApproval({ ...change, note }),
    done: screenMessages.approvalRequested,
    onSaved: () => {
      close();
      onRequested?.();
    },
  });
  return (
    <Stack>
      <Text size="sm">{reason}</Text>
      <Textarea
        label="Note"
        description="For the person who approves it."
        maxLength={limits.descriptionMax}
        autosize
        minRows={2}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" gap="xs">
        <SecondaryButton onClick={close}>Cancel</SecondaryButton>
        <Button loading={busy} onClick={() => save()}>
          Request approval
        </Button>
      </Group>
    </Stack>
  );
}
