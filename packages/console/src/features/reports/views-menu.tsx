import { messages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconDeviceFloppy, IconLink, IconTrash } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { VIEW_NAME_MAX, useSavedViews } from './saved-views.ts';

/** Menu of the user's named reports, and a link to share the current one. */
export function ViewsMenu({ range }: { range: { start: string; end: string } }) {
  const router = useRouter();
  const { views, save, remove } = useSavedViews();
  const [naming, { open, close }] = useDisclosure(false);
  const share = async () => {
    // Names the days, because the recipient's browser may have stored another range.
    const { href } = router.buildLocation({
      to: '/reports',
      search: (before: object) => ({ ...before, from: range.start, to: range.end }),
    });
    try {
      await navigator.clipboard.writeText(location.origin + href);
      toastSuccess(screenMessages.linkCopied);
    } catch {
      toastError(new Error(screenMessages.linkNotCopied));
    }
  };
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <SecondaryButton leftSection={<IconBookmark size={16} />}>Views</SecondaryButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={open}>
            Save this view…
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void share()}>
            Copy a link to this report
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Saved views</Menu.Label>
          {views.length === 0 && (
            <Muted px="sm" pb="xs">
              A saved view keeps filters, levels and metrics under a name.
            </Muted>
          )}
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => router.history.push(`/reports${view.query}`)} style={{ minWidth: 0 }}>
                <Text size="sm" truncate>
                  {view.name}
                </Text>
              </Menu.Item>
              <Menu.Item
                w="auto"
                closeMenuOnClick={false}
                onClick={() => remove(view.name)}
                aria-label={`Delete the view ${view.name}`}
              >
                <IconTrash size={15} style={{ display: 'block' }} />
              </Menu.Item>
            </Group>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={naming} onClose={close} title="Save this view">
        {naming && (
          <NameForm
            taken={views.map(({ name }) => name)}
            onCancel={close}
            onSave={(name) => {
              save({ name, query: router.state.location.searchStr });
              toastSuccess(screenMessages.viewSaved(name));
              close();
            }}
          />
        )}
      </Modal>
    </>
  );
}

interface NameFormProps {
  taken: readonly string[];
  onSave: (name: string) => void;
  onCancel: () => void;
}

function NameForm({ taken, onSave, onCancel }: NameFormProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const trimmed = name.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed === '') setError(messages.required);
        else onSave(trimmed);
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={VIEW_NAME_MAX}
          value={name}
          error={error}
          description={
            taken.includes(trimmed)
              ? 'Replaces the view with that name'
              : 'Saved in this browser, for you only'
          }
          onChange={(event) => {
            setName(event.currentTarget.value);
            setError(undefined);
          }}
        />
        <FormButtons action="Save view" onCancel={onCancel} busy={false} />
      </Stack>
    </form>
  );
}
