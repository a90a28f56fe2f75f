import type { Ssp } from '@bidwell/contract/operator/schema';
import { Switch } from '@mantine/core';
import { switchExchange } from '../../entities/exchanges/queries.ts';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { useSave } from '../../ui/form/use-save.ts';

/** Turns an exchange on or off at once; a word for operators who may not. */
export function ExchangeSwitch({ exchange, mayChange }: { exchange: Ssp; mayChange: boolean }) {
  const { save, busy } = useSave({
    send: (active: boolean) => switchExchange(exchange, active),
    done: (_saved, active) => (active ? `${exchange.name} gets bids` : `${exchange.name} gets no more bids`),
  });
  if (!mayChange) return <StatusBadge status={exchange.active ? 'Active' : 'Paused'} />;
  return (
    <Switch
      checked={exchange.active}
      disabled={busy}
      label={exchange.active ? 'On' : 'Off'}
      aria-label={`${exchange.name} receives bids`}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
