import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { TopUpForm } from './top-up-form.tsx';

/** Button with the dialog that requests a top-up from the operator. */
export function TopUpDialog() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Top up
      </Button>
      <Modal opened={opened} onClose={close} title="Top up the balance" centered>
        <TopUpForm onSent={close} onCancel={close} />
      </Modal>
    </>
  );
}
