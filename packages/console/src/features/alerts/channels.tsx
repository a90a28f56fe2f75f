import type { AlertChannel } from '@bidwell/contract/alerts/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useLoadable } from '../../lib/loadable.ts';
import {
  alertChannelsQuery,
  deleteAlertChannel,
  testAlertChannel,
  updateAlertChannel,
} from '../../entities/alerts/queries.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { LogButton, RowMenu } from '../../ui/table/row-menu.tsx';
import { RowSwitch } from '../../ui/table/row-switch.tsx';
import { CHANNEL_TYPES } from './channel-types.ts';
import { ChannelForm } from './channel-form.tsx';
import { ChannelKindsForm } from './channel-kinds-form.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { kindNames } from './kinds-field.tsx';

/** The channels of the company: adds, tests, changes and removes them, and shows their log. */
export function Channels({ mayWrite }: { mayWrite: boolean }) {
  const channels = useLoadable(alertChannelsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Section
      title="Channels"
      description="Where your company’s alerts are sent: a chat or one of your servers."
      actions={
        mayWrite && (
          <SecondaryButton leftSection={<IconPlus size={16} />} onClick={open}>
            Add channel
          </SecondaryButton>
        )
      }
    >
      <RecordTable
        label="Channels"
        what="The channels"
        empty={<Muted>There are no channels yet. Add one for Slack, Telegram or a webhook.</Muted>}
        columns={columnsOf(mayWrite)}
        rows={channels}
        rowId={({ uuid }) => uuid}
        minWidth={640}
        cards
      />
      <SecretDialog opened={opened} onClose={close} title="Add a channel">
        {opened && <ChannelForm onDone={close} />}
      </SecretDialog>
    </Section>
  );
}

const columnsOf = (mayWrite: boolean): RecordColumn<AlertChannel>[] => [
  {
    header: 'Channel',
    wrap: 'anywhere',
    cell: ({ type, name, target }) => (
      <>
        <Text size="sm">{name}</Text>
        <Caption>
          {CHANNEL_TYPES[type].label}, {target}
        </Caption>
      </>
    ),
  },
  { header: 'Receives', cell: ({ kinds }) => kindNames(kinds) },
  {
    header: 'Last delivery',
    cell: (channel) => (
      <>
        <Text size="sm">{channel.delivered_at ? formatMoment(channel.delivered_at) : 'Never'}</Text>
        {problemOf(channel) && (
          <Text size="xs" c="var(--mantine-color-red-text)">
            {problemOf(channel)}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'On',
    cell: ({ uuid, name, is_enabled: isOn }) => (
      <RowSwitch
        name={name}
        isOn={isOn}
        mayWrite={mayWrite}
        send={(enabled) => updateAlertChannel(uuid, { is_enabled: enabled })}
      />
    ),
  },
  {
    header: 'Actions',
    actions: true,
    cell: (channel) => <ChannelActions channel={channel} mayWrite={mayWrite} />,
  },
];

/** The problem of a channel; undefined if there is none. */
function problemOf({
  is_given_up: isGivenUp,
  failing_since: failingSince,
}: AlertChannel): string | undefined {
  if (isGivenUp) return 'Switched off: its deliveries failed';
  return failingSince === null ? undefined : `Failing since ${formatMoment(failingSince)}`;
}

function ChannelActions({ channel, mayWrite }: { channel: AlertChannel; mayWrite: boolean }) {
  const { uuid, name, is_enabled: isEnabled } = channel;
  const [dialog, setDialog] = useState<'kinds' | 'log'>();
  const close = () => setDialog(undefined);
  const { save: test } = useSave({
    send: () => testAlertChannel(uuid),
    done: screenMessages.alertTestSent,
    onSaved: () => setDialog('log'),
  });
  const { confirm: confirmRemove } = useDestroy({
    title: `Remove “${name}”?`,
    text: 'It gets no more alerts, and its log is deleted. This cannot be undone.',
    action: 'Remove',
    send: () => deleteAlertChannel(uuid),
    done: screenMessages.removed(name),
  });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <LogButton name={name} onClick={() => setDialog('log')} />
      {mayWrite && (
        <RowMenu name={name}>
          <Menu.Item disabled={!isEnabled} onClick={() => test()}>
            Send a test
          </Menu.Item>
          <Menu.Item onClick={() => setDialog('kinds')}>Change</Menu.Item>
          <Menu.Item onClick={confirmRemove}>Remove</Menu.Item>
        </RowMenu>
      )}
      <Modal opened={dialog === 'log'} onClose={close} title={`Deliveries to “${name}”`} size="xl">
        {dialog === 'log' && <DeliveryLog channel={channel} mayWrite={mayWrite} />}
      </Modal>
      <Modal opened={dialog === 'kinds'} onClose={close} title={`Change “${name}”`}>
        {dialog === 'kinds' && <ChannelKindsForm channel={channel} onDone={close} />}
      </Modal>
    </Group>
  );
}
