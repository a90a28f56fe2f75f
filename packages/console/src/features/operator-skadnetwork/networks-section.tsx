import type {
  Network,
  NetworkAppList,
  NetworkExchange,
  SkadnetworkSettings,
} from '@bidwell/contract/skadnetwork/schema';
import { networkRemovalTexts, operatorSigningTexts } from '@bidwell/contract/text/skadnetwork-text';
import { CopyButton, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy, IconPlus } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { networkAppsQuery, removeNetwork } from '../../entities/skadnetwork/queries.ts';
import { type Loadable, knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { SecondaryButton, SmallButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { NetworkForm } from './network-form.tsx';

interface NetworksSectionProps {
  figures: Loadable<SkadnetworkSettings>;
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
  // The section of apps says where they could not be loaded.
  const apps = knownData(useLoadable({ ...networkAppsQuery(''), enabled: mayChange }));
  const exchanges = knownData(figures)?.exchanges;
  const stillSigned = useMemo(() => exchanges && signedNow(exchanges, apps), [exchanges, apps]);
  const columns = useMemo(
    () => columnsOf(mayChange && stillSigned ? { onChange: openForm, stillSigned } : undefined),
    [mayChange, openForm, stillSigned],
  );
  const networks = knownData(figures)?.networks;
  return (
    <Section
      title="Ad networks"
      flush
      actions={
        mayChange && (
          <SecondaryButton leftSection={<IconPlus size={16} />} onClick={() => openForm(null)}>
            Add ad network
          </SecondaryButton>
        )
      }
    >
      <FigureFrame figures={figures} what="The ad networks" noticeMargin="sm">
        {networks?.length === 0 ? (
          <Muted px="md" pb="md">
            {operatorSigningTexts.noNetworkYet}
          </Muted>
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
        size="lg"
      >
        {opened && <NetworkForm network={chosen} onDone={close} />}
      </Modal>
    </Section>
  );
}

/** The exchanges and apps for which signing is on. */
function signedNow(exchanges: readonly NetworkExchange[], list: NetworkAppList | undefined) {
  const count = list && list.apps.filter(({ enabled }) => enabled).length;
  return {
    exchanges: exchanges.filter(({ enabled }) => enabled).map(({ name }) => name),
    // Those that are on are listed first.
    apps:
      list && count !== undefined
        ? { count, isAtLeast: count === list.apps.length && count < list.total }
        : null,
  };
}

/** The columns of the table; `actions` is undefined for operators who may not change anything. */
function columnsOf(
  actions: Omit<NetworkActionsProps, 'network'> | undefined,
): readonly RecordColumn<Network>[] {
  const columns: RecordColumn<Network>[] = [
    { header: 'Id', cell: (network) => <NetworkName network={network} />, wrap: 'anywhere', width: 200 },
    {
      header: 'Public key',
      cell: ({ id, public_key: key }) => <CopyKey value={key} label={`Copy the public key of ${id}`} />,
      wrap: 'never',
    },
    { header: 'IAB number', cell: ({ iab_number: number }) => number ?? '–', numeric: true },
    { header: 'Changed', cell: ({ changed_at: at }) => formatMoment(at), wrap: 'never' },
  ];
  if (!actions) return columns;
  const cell = (network: Network) => <NetworkActions network={network} {...actions} />;
  return [...columns, { header: 'Actions', actions: true, cell }];
}

function NetworkName({ network }: { network: Network }) {
  const { id, has_private_key: hasKey, development_postbacks: hasDevelopment } = network;
  return (
    <>
      {id}
      {hasDevelopment && <Caption>{operatorSigningTexts.verifiesDevelopment}</Caption>}
      {!hasKey && (
        <Text size="xs" c="var(--mantine-color-error)">
          Signs nothing: its private key was lost. Enter it again.
        </Text>
      )}
    </>
  );
}

interface NetworkActionsProps {
  network: Network;
  onChange: (network: Network) => void;
  /** The exchanges and apps with signing on. */
  stillSigned: Parameters<typeof networkRemovalTexts>[0];
}

function NetworkActions({ network, onChange, stillSigned }: NetworkActionsProps) {
  const { confirm, busy } = useDestroy({
    title: `Remove ${network.id}?`,
    text: networkRemovalTexts(stillSigned),
    action: 'Remove',
    send: () => removeNetwork(network.id),
    done: `${network.id} is removed`,
  });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <SmallButton onClick={() => onChange(network)}>Change</SmallButton>
      <SmallButton loading={busy} onClick={confirm}>
        Remove
      </SmallButton>
    </Group>
  );
}

function CopyKey({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <SmallButton
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          onClick={copy}
          aria-label={`${label} ${endOfKey(value)}`}
        >
          {endOfKey(value)}
        </SmallButton>
      )}
    </CopyButton>
  );
}

/** The last characters of a key in PEM: the first ones are the same for all keys of the curve. */
function endOfKey(pem: string): string {
  const [body = ''] = pem.split('-----END');
  return `…${body.replaceAll(/[\s=]/g, '').slice(-10)}`;
}
