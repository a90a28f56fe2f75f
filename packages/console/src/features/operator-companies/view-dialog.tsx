import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { viewCompany } from '../../entities/companies/queries.ts';
import { toastError } from '../../lib/toast.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { LongText } from '../../ui/layout/text.tsx';
import type { CompanyDialogProps } from './change-company-dialog.tsx';

/** Asks before the console of a company is opened, because the company sees that it was. */
export function ViewDialog({ opened, company, onClose }: CompanyDialogProps) {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      location.assign((await viewCompany(company.uuid)).address);
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Log in as this company?">
      <LongText mb="md">
        You see the console of {company.name} for an hour at most, and can change nothing. Its change log and
        the log of operators say who viewed it and when.
      </LongText>
      <Group justify="flex-end">
        <SecondaryButton onClick={onClose}>Cancel</SecondaryButton>
        <Button data-autofocus loading={busy} onClick={() => void open()}>
          Log in as, read only
        </Button>
      </Group>
    </Modal>
  );
}
