import type { OperatorCompany } from '@bidwell/contract/operator';
import { Button, Group, Modal, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { changeCompany } from '../../lib/queries/operator-companies.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';

const GIB = 1024 ** 3;

interface StorageDialogProps {
  opened: boolean;
  company: OperatorCompany;
  onClose: () => void;
}

/** Changes how much storage a company's files may have. */
export function StorageDialog({ opened, company, onClose }: StorageDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Change the storage" centered>
      {opened && <StorageForm company={company} onDone={onClose} />}
    </Modal>
  );
}

function StorageForm({ company, onDone }: { company: OperatorCompany; onDone: () => void }) {
  const own = company.storage_quota_bytes;
  const [gib, setGib] = useState<number | null>(own === null ? null : own / GIB);
  const [busy, setBusy] = useState(false);
  const quota = gib === null ? null : Math.round(gib * GIB);
  const submit = async () => {
    setBusy(true);
    try {
      await changeCompany(company.uuid, { storage_quota_bytes: quota });
      toastSuccess(`The storage of ${company.name} is changed`);
      onDone();
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <DialogForm onSubmit={() => void submit()}>
      <Text size="sm">
        At once: an upload that does not fit is refused. Files that are stored stay, also where they have
        more.
      </Text>
      <NumberInput
        label="Storage"
        description="Empty for the quota of the settings, which grows with the first approved app."
        suffix=" GiB"
        min={0}
        decimalScale={2}
        hideControls
        value={gib ?? ''}
        onChange={(input) => setGib(input === '' ? null : Number(input))}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={quota === own}>
          Change
        </Button>
      </Group>
    </DialogForm>
  );
}
