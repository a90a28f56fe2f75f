import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { isReloadingPage } from '../../lib/load-code.ts';
import { SecondaryButton } from '../layout/buttons.tsx';

interface LeaveGuardProps {
  /** Whether there are unsaved changes. False while saving, so that the navigation after it is not blocked. */
  when: boolean;
  /** For a form with a draft: the dialog offers to keep the draft, or to discard it with this callback. */
  onDiscard?: () => void;
  /** Whether the draft is also on the server. */
  isShared?: boolean;
}

/** Asks before a dirty form is left by a link, by back, or by closing the tab. */
export function LeaveGuard({ when, onDiscard, isShared = false }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    // What has a draft is there again after a reload for another release.
    enableBeforeUnload: () => when && !(onDiscard && isReloadingPage()),
    disabled: !when,
    withResolver: true,
  });
  const leave = (discard: boolean) => {
    if (discard) onDiscard?.();
    blocker.proceed?.();
  };
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
    >
      <Stack>
        <Text size="sm">
          {onDiscard
            ? `You have unsaved changes. You can keep them ${isShared ? 'as a draft of the company' : 'in this browser as a draft'}.`
            : 'Your unsaved changes will be lost.'}
        </Text>
        <Group justify="flex-end" gap="xs">
          <SecondaryButton onClick={() => blocker.reset?.()} data-autofocus>
            Stay
          </SecondaryButton>
          <Button variant="light" color="red" onClick={() => leave(true)}>
            {onDiscard ? 'Discard' : 'Leave'}
          </Button>
          {onDiscard && <Button onClick={() => leave(false)}>Keep draft and leave</Button>}
        </Group>
      </Stack>
    </Modal>
  );
}
