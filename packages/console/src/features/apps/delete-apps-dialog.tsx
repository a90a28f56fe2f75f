import type { App } from '@bidwell/contract/apps/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { failureText } from '../../lib/api/api-error.ts';
import { deleteApps } from '../../entities/apps/queries.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { useFocusReturn } from '../../ui/layout/use-focus-return.ts';

interface DeleteAppsDialogProps {
  apps: readonly App[];
  onDeleted: () => void;
  onClose: () => void;
}

/** Deletes the selected apps, all or none; shows an error in the dialog, where the selection can still be changed. */
export function DeleteAppsDialog({ apps, onDeleted, onClose }: DeleteAppsDialogProps) {
  useFocusReturn();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const remove = async () => {
    setBusy(true);
    try {
      await deleteApps(apps.map(({ uuid }) => uuid));
      toastSuccess(screenMessages.appsDeleted(apps.length));
      onDeleted();
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      title={apps.length === 1 ? 'Delete this app?' : `Delete ${apps.length} apps?`}
    >
      <Stack>
        <List size="sm" mah={180} style={{ overflowY: 'auto' }}>
          {apps.map(({ uuid, name }) => (
            <List.Item key={uuid}>{name}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed">
          They will no longer be offered for new campaigns. Their creatives, targets, links and reports are
          not deleted.
        </Text>
        {error && (
          <Alert color="red" role="alert" title={screenMessages.appsNotDeleted} p="xs">
            {error}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.8" loading={busy} onClick={() => void remove()}>
            {apps.length === 1 ? 'Delete app' : `Delete ${apps.length} apps`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
