import type { Network, SkadnetworkSettings } from '@bidwell/contract/skadnetwork/schema';
import { Badge, Button, Group, Modal, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { removeNetwork } from '../../entities/skadnetwork/queries.ts';
import type { Figures } from '../../lib/figures.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { NetworkForm } from './network-form.tsx';

interface NetworksSectionProps {
  figures: Figures<SkadnetworkSettings>;
  mayChange: boolean;
}

/** The ad networks with their public keys; private keys are never shown. */
export function NetworksSection({ figures, mayChange }: NetworksSectionProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const [chosen, setChosen] = useState<Network | null>(null);
  const openForm = (network: Network | null) => {
    setChosen(network);
    open();
  };
  const networks = figures.data?.networks;
  return (
    <Section
      title="Ad networks"
      flush
      actions={
        mayChange && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => openForm(null)}>
            Add ad network
          </Button>
        )
      }
    >
      <FigureFrame figures={figures} what="The ad networks" noticeMargin="sm" skeleton={<LoadingTable />}>
        {networks?.length === 0 && (
          <Text size="sm" c="dimmed" px="md" pb="md">
            None yet: no bid is signed. Register an ad network with Apple, which gives it an id, and add it
            here.
          </Text>
        )}
        {networks && networks.length > 0 && (
          <Table.ScrollContainer minWidth={620}>
            <NetworkTable networks={networks} onChange={mayChange ? openForm : undefined} />
          </Table.ScrollContainer>
        )}
      </FigureFrame>
      <Modal
        opened={opened}
        onClose={close}
        title={chosen ? `Change ${chosen.id}` : 'Add ad network'}
        centered
        size="lg"
      >
        {opened && <NetworkForm network={chosen} onDone={close} />}
      </Modal>
    </Section>
  );
}

interface NetworkTableProps {
  networks: readonly Network[];
  /** Undefined for operators who may not. */
  onChange: ((network: Network) => void) | undefined;
}

function NetworkTable({ networks, onChange }: NetworkTableProps) {
  return (
    <Table verticalSpacing="xs" aria-label="Ad networks">
      <Table.Thead>
        <Table.Tr>
          <Table.Th ps="md">Id</Table.Th>
          <Table.Th>Public key</Table.Th>
          <Table.Th ta="right">IAB number</Table.Th>
          <Table.Th>Changed</Table.Th>
          {onChange && <Table.Th aria-label="Actions" pe="md" />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {networks.map((network) => (
          <Table.Tr key={network.id}>
            <Table.Td ps="md">
              {network.id}{' '}
              {!network.has_private_key && (
                <Badge size="sm" color="red" variant="light" title="Its private key was lost: enter it again">
                  Signs nothing
                </Badge>
              )}
            </Table.Td>
            <Table.Td>
              <CopyText
                value={network.public_key}
                label={`the public key of ${network.id}`}
                short={endOfKey(network.public_key)}
              />
            </Table.Td>
            <Table.Td ta="right">{network.iab_number ?? '–'}</Table.Td>
            <Table.Td>{formatMoment(network.changed_at)}</Table.Td>
            {onChange && (
              <Table.Td pe="md">
                <NetworkActions network={network} onChange={onChange} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function NetworkActions({ network, onChange }: { network: Network; onChange: (network: Network) => void }) {
  const { save, busy } = useSave({
    send: () => removeNetwork(network.id),
    done: `${network.id} is removed`,
  });
  const remove = () =>
    confirmDestroy({
      title: `Remove ${network.id}?`,
      text: 'Its private key is deleted, and no bid is signed for it any more. Postbacks of its ads cannot be told from others then.',
      action: 'Remove',
      onConfirm: () => save(),
    });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={() => onChange(network)}>
        Change
      </Button>
      <Button size="compact-sm" variant="default" loading={busy} onClick={remove}>
        Remove
      </Button>
    </Group>
  );
}

function LoadingTable() {
  return (
    <Table verticalSpacing="xs" aria-hidden>
      <Table.Tbody>
        <Table.Tr data-skeleton="row">
          <Table.Td ps="md">
            <SkeletonBar width={170} />
          </Table.Td>
          <Table.Td>
            <SkeletonBar width={120} />
          </Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

/** The last characters of a key in PEM: the first ones are the same for all keys of the curve. */
function endOfKey(pem: string): string {
  const [body = ''] = pem.split('-----END');
  return `…${body.replaceAll(/[\s=]/g, '').slice(-10)}`;
}
