import type { Ssp } from '@bidwell/contract/operator/schema';
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { switchExchange } from '../../entities/exchanges/queries.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';

/** Turns an exchange on or off at once; a word for operators who may not. */
export function ExchangeSwitch({ exchange, mayChange }: { exchange: Ssp; mayChange: boolean }) {
  const [busy, setBusy] = useState(false);
  if (!mayChange) return <StatusBadge status={exchange.active ? 'Active' : 'Paused'} />;
  const change = async (active: boolean) => {
    setBusy(true);
    try {
      await switchExchange(exchange, active);
      toastSuccess(active ? `${exchange.name} gets bids` : `${exchange.name} gets no more bids`);
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Switch
      checked={exchange.active}
      disabled={busy}
      label={exchange.active ? 'On' : 'Off'}
      aria-label={`${exchange.name} receives bids`}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}
