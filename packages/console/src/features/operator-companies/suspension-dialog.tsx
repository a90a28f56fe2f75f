import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { Modal, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { suspendCompany } from '../../entities/companies/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useTyped } from '../../ui/form/unsaved-input.ts';
import { useSave } from '../../ui/form/use-save.ts';
import type { CompanyDialogProps } from './change-company-dialog.tsx';

/** Dialog that suspends an active company, with a reason, or resumes a suspended one. */
export function SuspensionDialog({ opened, company, onClose }: CompanyDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`${company.suspended ? 'Resume' : 'Suspend'} ${company.name}?`}
    >
      {opened && <SuspensionForm company={company} onDone={onClose} />}
    </Modal>
  );
}

function SuspensionForm({ company, onDone }: { company: OperatorCompany; onDone: () => void }) {
  const suspending = !company.suspended;
  const [reason, setReason] = useTyped('Reason', '');
  const [error, setError] = useState<string>();
  const { save, busy } = useSave({
    send: () => suspendCompany(company, { suspended: suspending, reason: reason.trim() }),
    done: `${company.name} is ${suspending ? 'suspended' : 'active again'}`,
    onSaved: onDone,
  });
  const submit = () => (suspending && reason.trim() === '' ? setError('Say why') : save());
  return (
    <DialogForm onSubmit={submit}>
      <Text size="sm">
        {suspending
          ? 'All its campaigns stop bidding, and its people can only read until you resume it.'
          : 'Its campaigns may bid again, and its people can change things again.'}
      </Text>
      <Textarea
        label="Reason"
        description={suspending ? 'The company is notified of it.' : 'Only the log of operators shows it.'}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        withAsterisk={suspending}
        value={reason}
        error={error}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <FormButtons
        action={suspending ? 'Suspend' : 'Resume'}
        onCancel={onDone}
        busy={busy}
        color={suspending ? 'red.8' : undefined}
      />
    </DialogForm>
  );
}
