import { TopUpInput } from '@bidwell/contract/finance';
import { screenMessages } from '@bidwell/contract/screen-messages';
import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { requestTopUp } from '../../lib/queries/finance.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { MoneyInput } from '../../ui/form-fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';

/** Dialog that requests a top-up from the operator. */
export function TopUpDialog() {
  const [opened, { open, close }] = useDisclosure(false);
  const [amount, setAmount] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const parsed = TopUpInput.safeParse({ amount });
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message);
    if (!parsed.success) return;
    setBusy(true);
    try {
      await requestTopUp(parsed.data.amount);
      toastSuccess(screenMessages.topUpSent);
      setAmount(null);
      close();
    } catch (failure) {
      toastError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Top up
      </Button>
      <Modal opened={opened} onClose={close} title="Top up the balance" centered>
        <DialogForm onSubmit={() => void submit()}>
          <Text size="sm" c="dimmed">
            Your request shows as pending until the operator of this platform confirms the payment.
          </Text>
          <MoneyInput label="Amount" value={amount} onChange={setAmount} error={error} required />
          <FormButtons action="Send request" onCancel={close} busy={busy} />
        </DialogForm>
      </Modal>
    </>
  );
}
