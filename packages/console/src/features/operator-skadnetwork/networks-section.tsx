import type { Network, SkadnetworkSettings } from '@bidwell/contract/skadnetwork/schema';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { removeNetwork } from '../../entities/skadnetwork/queries.ts';
import type { Figures } from '../../lib/figures.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { NetworkForm } from './network-form.tsx';

interface NetworksSectionProps {
  figures: Figures<SkadnetworkSettings>;
  mayChange: boolean;
}

/** The ad networks with their public keys; private keys are never shown. */
export function NetworksSection({ figures, mayChange }: NetworksSectionProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const [chosen, setChosen] = useState<Network | null>(null);
  const openForm = useCallback(
    (network: Network | null) => {
      setChosen(network);
      open();
    },
    [open],
  );
  const columns = useMemo(() => columnsOf(mayChange ? openForm : undefined), [mayChange, openForm]);
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
      <FigureFrame figures={figures} what="The ad networks" noticeMargin="sm">
        {networks?.length === 0 ? (
          <Text size="sm" c="dimmed" px="md" pb="md">
            None yet: no bid is signed. Register an ad network with Apple, which gives it an id, and add it
            here.
          </Text>
        ) : (
          <RecordTable
            label="Ad networks"
            columns={columns}
            rows={networks}
            rowId={({ id }) => id}
            minWidth={680}
          />
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

/** The columns of the table; `onChange` is undefined for operators who may not. */
function columnsOf(onChange: ((network: Network) => void) | undefined): readonly RecordColumn<Network>[] {
  const columns: RecordColumn<Network>[] = [
    { header: 'Id', cell: (network) => <NetworkName network={network} />, wrap: 'anywhere', width: 200 },
    {
      header: 'Public key',
      cell: ({ id, public_key: key }) => (
        <CopyText value={key} label={`the public key of ${id}`} short={endOfKey(key)} />
      ),
      wrap: 'never',
    },
    { header: 'IAB number', cell: ({ iab_number: number }) => number ?? '–', numeric: true },
    { header: 'Changed', cell: ({ changed_at: at }) => formatMoment(at), wrap: 'never' },
  ];
  if (!onChange) return columns;
  const actions = (network: Network) => <NetworkActions network={network} onChange={onChange} />;
  return [...columns, { header: 'Actions', actions: true, cell: actions }];
}

function NetworkName({ network: { id, has_private_key: hasKey } }: { network: Network }) {
  return (
    <>
      {id}
      {!hasKey && (
        <Text size="xs" c="red">
          Signs nothing: its private key was lost. Enter it again.
        </Text>
      )}
    </>
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

/** The last characters of a key in PEM: the first ones are the same for all keys of the curve. */
function endOfKey(pem: string): string {
  const [body = ''] = pem.split('-----END');
  return `…${body.replaceAll(/[\s=]/g, '').slice(-10)}`;
}
