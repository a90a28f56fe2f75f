import type { Passkey } from '@bidwell/contract/accounts/passkey';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Modal, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { formatMoment } from '../../../lib/format/format.ts';
import { confirmed } from '../../../ui/form/confirm.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecretDialog } from '../../../ui/secrets/secret-dialog.tsx';
import { ScrollFrame } from '../../../ui/table/scroll-frame.tsx';
import { offersPasskeys } from './browser-passkeys.ts';
import { NewPasskeyForm } from './new-passkey.tsx';
import { PasskeyNameForm } from './passkey-name-form.tsx';
import { proved } from './prove.tsx';
import type { SessionCalls } from './sign-in-calls.ts';
import { passkeysQuery, refetchSignIn } from './sign-in-queries.ts';

interface PasskeyListProps {
  calls: SessionCalls;
  /** Called after a passkey was added. */
  onAdded: (() => void) | undefined;
}

/** The passkeys of an account: adds, renames and removes them. */
export function PasskeyList({ calls, onAdded }: PasskeyListProps) {
  const { data: passkeys = [], error } = useQuery(passkeysQuery(calls));
  const [isAdding, setIsAdding] = useState(false);
  const add = useSave({ send: () => proved(calls), onSaved: setIsAdding });
  const isAdded = useRef(false);
  const close = () => {
    setIsAdding(false);
    if (!isAdded.current) return;
    isAdded.current = false;
    void refetchSignIn(calls).then(onAdded);
  };
  return (
    <>
      <Group justify="space-between">
        <Text size="sm">
          {offersPasskeys()
            ? 'Passkeys log in alone, by a fingerprint, a face or a PIN, and are a second factor too.'
            : 'This browser has no passkeys at this address.'}
        </Text>
        {offersPasskeys() && (
          <Button variant="default" loading={add.busy} onClick={() => add.save()}>
            Add a passkey
          </Button>
        )}
      </Group>
      {error && passkeys.length === 0 && <ErrorText size="sm">{error.message}</ErrorText>}
      {passkeys.length > 0 && (
        <ScrollFrame minWidth={440}>
          <Table fz="sm" aria-label="Passkeys">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Passkey</Table.Th>
                <Table.Th>Last use</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.uuid} passkey={passkey} calls={calls} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollFrame>
      )}
      <SecretDialog opened={isAdding} onClose={close} title="New passkey">
        <NewPasskeyForm
          calls={calls}
          onAdded={() => {
            isAdded.current = true;
          }}
          onDone={close}
        />
      </SecretDialog>
    </>
  );
}

function PasskeyRow({ passkey, calls }: { passkey: Passkey; calls: SessionCalls }) {
  const { uuid, name, is_synced, created_at, last_used_at } = passkey;
  const [isRenaming, setIsRenaming] = useState(false);
  const rename = useSave({ send: () => proved(calls), onSaved: setIsRenaming });
  const remove = useSave({
    confirm: async () =>
      (await confirmed({
        title: `Remove “${name}”?`,
        text: 'It does not log in any more. Delete it on the device too, which goes on offering it otherwise.',
        action: 'Remove',
      })) && proved(calls),
    send: async () => {
      await calls.removePasskey(uuid);
      await refetchSignIn(calls);
    },
    done: screenMessages.passkeyRemoved(name),
  });
  const action = { variant: 'subtle', color: 'gray', size: 'compact-sm' } as const;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {is_synced ? 'Synced' : 'On one device'}, since {formatMoment(created_at)}
        </Text>
      </Table.Td>
      <Table.Td>{last_used_at === null ? 'Never' : formatMoment(last_used_at)}</Table.Td>
      <Table.Td>
        <Group justify="flex-end" gap={4} wrap="nowrap">
          <Button
            {...action}
            loading={rename.busy}
            onClick={() => rename.save()}
            aria-label={`Rename ${name}`}
          >
            Rename
          </Button>
          <Button
            {...action}
            loading={remove.busy}
            onClick={() => remove.save()}
            aria-label={`Remove ${name}`}
          >
            Remove
          </Button>
        </Group>
        <Modal
          opened={isRenaming}
          onClose={() => setIsRenaming(false)}
          title="Rename the passkey"
          centered
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <PasskeyNameForm
            name={name}
            action="Rename"
            send={(to) => calls.renamePasskey(uuid, to)}
            done={screenMessages.passkeyRenamed}
            onCancel={() => setIsRenaming(false)}
            onSaved={async () => {
              setIsRenaming(false);
              await refetchSignIn(calls);
            }}
          />
        </Modal>
      </Table.Td>
    </Table.Tr>
  );
}
