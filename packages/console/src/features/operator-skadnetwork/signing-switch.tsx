import { Switch } from '@mantine/core';
import { useSave } from '../../ui/form/use-save.ts';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';

interface SigningSwitchProps {
  enabled: boolean;
  /** Of the exchange or the app. */
  name: string;
  mayChange: boolean;
  /** Why nothing can be signed for it, whatever the switch says; the switch cannot be turned on then. */
  hindrance?: string | undefined;
  send: (enabled: boolean) => Promise<unknown>;
}

/** Turns signing for an exchange or an app on or off at once; a word for operators who may not. */
export function SigningSwitch({ enabled, name, mayChange, hindrance, send }: SigningSwitchProps) {
  const { save, busy } = useSave({
    send,
    done: (_saved, next: boolean) => `Signing is ${next ? 'on' : 'off'} for ${name}`,
  });
  if (!mayChange) return <StatusBadge status={enabled ? 'Active' : 'Paused'} />;
  return (
    <Switch
      checked={enabled}
      disabled={busy || (hindrance !== undefined && !enabled)}
      label={enabled ? 'On' : 'Off'}
      description={hindrance}
      aria-label={`Signing for ${name}`}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
