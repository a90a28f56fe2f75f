import type { App } from '@bidwell/contract/apps/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Alert, Button, Group, List, Modal, Stack } from '@mantine/core';
import { deleteApps } from '../../entities/apps/queries.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { useFocusReturn } from '../../ui/layout/use-focus-return.ts';
import { useSave } from '../../ui/form/use-save.ts';

interface DeleteAppsDialogProps {
  apps: readonly App[];
  onDeleted: () => void;
  onClose: () => void;
}

/** Deletes the selected apps, all or none; shows an error in the dialog, where the selection can still be changed. */
export function DeleteAppsDialog({ apps, onDeleted, onClose }: DeleteAppsDialogProps) {
  useFocusReturn();
  const {
    save: remove,
    busy,
    error,
  } = useSave({
    send: () => deleteApps(apps.map(({ uuid }) => uuid)),
    done: screenMessages.appsDeleted(apps.length),
    onSaved: onDeleted,
    shownInPlace: true,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={apps.length === 1 ? 'Delete this app?' : `Delete ${apps.length} apps?`}
    >
      <Stack>
        <List size="sm" mah={180} style={{ overflowY: 'auto' }}>
          {apps.map(({ uuid, name }) => (
            <List.Item key={uuid}>{name}</List.Item>
          ))}
        </List>
        <Muted>
          They will no longer be offered for new campaigns. Their creatives, targets, links and reports are
          not deleted.
        </Muted>
        {error && (
          <Alert color="red" role="alert" title={screenMessages.appsNotDeleted} p="xs">
            {error}
          </Alert>
        )}
        <Group justify="flex-end">
          <SecondaryButton onClick={onClose} data-autofocus>
            Cancel
          </SecondaryButton>
          <Button color="red.8" loading={busy} onClick={() => remove()}>
            {apps.length === 1 ? 'Delete app' : `Delete ${apps.length} apps`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
