import { Switch } from '@mantine/core';
import { useSave } from '../../ui/form/use-save.ts';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';

interface SigningSwitchProps {
  enabled: boolean;
  /** Of the exchange or the app. */
  name: string;
  mayChange: boolean;
  send: (enabled: boolean) => Promise<unknown>;
}

/** Turns signed bids of an exchange or an app on or off at once; a word for operators who may not. */
export function SigningSwitch({ enabled, name, mayChange, send }: SigningSwitchProps) {
  const { save, busy } = useSave({
    send,
    done: (_saved, next: boolean) =>
      next ? `Bids of ${name} are signed` : `Bids of ${name} are no longer signed`,
  });
  if (!mayChange) return <StatusBadge status={enabled ? 'Active' : 'Paused'} />;
  return (
    <Switch
      checked={enabled}
      disabled={busy}
      label={enabled ? 'On' : 'Off'}
      aria-label={`Bids of ${name} are signed`}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
