import type { Approval } from '@bidwell/contract/approvals/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import { rejectApproval } from '../../../entities/campaigns/approval-queries.ts';
import { useTyped } from '../../../ui/form/unsaved-input.ts';
import { useSave } from '../../../ui/form/use-save.ts';

const MODAL = 'reject-approval';

/** Opens the dialog that rejects a request with a reason. */
export function openReject(approval: Approval): void {
  modals.open({
    modalId: MODAL,
    title: `Reject the budgets of ${approval.campaign.name}?`,
    children: <RejectForm uuid={approval.uuid} />,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}

function RejectForm({ uuid }: { uuid: string }) {
  const [reason, setReason] = useTyped(`Reason ${uuid}`, '');
  const close = () => modals.close(MODAL);
  const { save, busy } = useSave({
    send: () => rejectApproval(uuid, reason),
    done: screenMessages.approvalRejected,
    onSaved: close,
  });
  return (
    <Stack>
      <Textarea
        label="Reason"
        withAsterisk
        maxLength={limits.descriptionMax}
        autosize
        minRows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button color="red.8" loading={busy} disabled={reason.trim() === ''} onClick={() => save()}>
          Reject
        </Button>
      </Group>
    </Stack>
  );
}
