import type { Passkey } from '@bidwell/contract/accounts/passkey';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useLoadable } from '../../../lib/loadable.ts';
import { formatMoment } from '../../../lib/format/format.ts';
import { toastSuccess } from '../../../lib/toast.ts';
import { confirmed } from '../../../ui/form/confirm.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { SecretDialog } from '../../../ui/secrets/secret-dialog.tsx';
import { type RecordColumn, RecordTable } from '../../../ui/table/record-table.tsx';
import { makePasskey, offersPasskeys } from './browser-passkeys.ts';
import { PasskeyNameForm } from './passkey-name-form.tsx';
import { proved } from './prove.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import type { SessionCalls } from './sign-in-calls.ts';
import { passkeysQuery, refetchSignIn } from './sign-in-queries.ts';

interface PasskeyListProps {
  calls: SessionCalls;
  /** Called after a passkey was added. */
  onAdded: (() => void) | undefined;
}

/** The passkeys of an account: adds, renames and removes them. */
export function PasskeyList({ calls, onAdded }: PasskeyListProps) {
  const passkeys = useLoadable(passkeysQuery(calls));
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
            ? 'A passkey logs you in with a fingerprint, a face or a PIN, without a password. It is also a second factor.'
            : 'This browser has no passkeys at this address.'}
        </Text>
        {offersPasskeys() && (
          <SecondaryButton loading={add.busy} onClick={() => add.save()}>
            Add a passkey
          </SecondaryButton>
        )}
      </Group>
      <RecordTable
        label="Passkeys"
        what="The passkeys"
        empty={null}
        columns={[
          ...columns,
          {
            header: 'Actions',
            actions: true,
            cell: (passkey) => <PasskeyActions passkey={passkey} calls={calls} />,
          },
        ]}
        rows={passkeys}
        rowId={({ uuid }) => uuid}
        minWidth={440}
        cards
      />
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

const columns: readonly RecordColumn<Passkey>[] = [
  {
    header: 'Passkey',
    cell: ({ name, is_synced: isSynced, created_at: createdAt }) => (
      <>
        <Text size="sm">{name}</Text>
        <Caption>
          {isSynced ? 'Synced' : 'On one device'}, since {formatMoment(createdAt)}
        </Caption>
      </>
    ),
  },
  { header: 'Last use', cell: ({ last_used_at: at }) => (at === null ? 'Never' : formatMoment(at)) },
];

/** Renames and removes a passkey. */
function PasskeyActions({ passkey, calls }: { passkey: Passkey; calls: SessionCalls }) {
  const { uuid, name } = passkey;
  const [isRenaming, setIsRenaming] = useState(false);
  const rename = useSave({ send: () => proved(calls), onSaved: setIsRenaming });
  const remove = useSave({
    confirm: async () =>
      (await confirmed({
        title: `Remove “${name}”?`,
        text: 'You can no longer log in with it. Delete it on the device too; otherwise the device keeps offering it.',
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
    <>
      <Group justify="flex-end" gap={4} wrap="nowrap">
        <Button {...action} loading={rename.busy} onClick={() => rename.save()} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button {...action} loading={remove.busy} onClick={() => remove.save()} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </Group>
      <Modal opened={isRenaming} onClose={() => setIsRenaming(false)} title="Rename the passkey">
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
    </>
  );
}

interface NewPasskeyFormProps {
  calls: SessionCalls;
  /** Called once the passkey is added, before `onDone`. */
  onAdded: () => void;
  /** Closes the form, also where nothing was added. */
  onDone: () => void;
}

/** Names a passkey, has the browser make it, then shows recovery codes where it is the first second factor. */
function NewPasskeyForm({ calls, onAdded, onDone }: NewPasskeyFormProps) {
  const [recovery, setRecovery] = useState<readonly string[]>();
  if (recovery) return <RecoveryCodeList codes={recovery} onDone={onDone} />;
  return (
    <PasskeyNameForm
      name=""
      action="Continue"
      description="Give it a name that you recognize, such as the device. Your browser then asks where to store it."
      send={async (name) => {
        const credential = await makePasskey(await calls.startPasskey());
        return calls.addPasskey({ name, credential });
      }}
      onSaved={({ passkey, recovery_codes: codes }) => {
        onAdded();
        toastSuccess(screenMessages.passkeyAdded(passkey.name));
        if (codes.length > 0) setRecovery(codes);
        else onDone();
      }}
      onCancel={onDone}
    />
  );
}
