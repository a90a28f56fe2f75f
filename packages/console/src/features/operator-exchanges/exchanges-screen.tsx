import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { exchangesQuery } from '../../entities/exchanges/queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AddExchangeForm } from './add-exchange-form.tsx';
import { ExchangeTable } from './exchange-table.tsx';

/** /operator/exchanges: the exchanges that send bid requests. */
export function ExchangesScreen() {
  const list = useLoadable(exchangesQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const mayChange = useMayCall('exchange.write');
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add exchange
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Exchanges"
        description="Exchanges send bid requests, and are paid for the impressions that we win. Figures are for the last hour, requests per second for the last minute."
        actions={mayChange && add}
      />
      <ExchangeTable
        list={list}
        mayChange={mayChange}
        empty={
          <EmptyState
            title="No exchange yet"
            text="Each exchange gets an address of its own, to which it sends its bid requests. Nothing is bought until you add one."
            action={mayChange && add}
          />
        }
      />
      <Modal opened={opened} onClose={close} title="Add exchange" size="lg">
        {opened && <AddExchangeForm known={knownData(list)?.ssps} onDone={close} />}
      </Modal>
    </>
  );
}
