import { Switch } from '@mantine/core';
import { useSave } from '../form/use-save.ts';

interface RowSwitchProps {
  /** Name of the row. */
  name: string;
  isOn: boolean;
  mayWrite: boolean;
  /** Saves the state. Throws ApiError. */
  send: (isOn: boolean) => Promise<unknown>;
}

/** Switches what a row is about on and off. */
export function RowSwitch({ name, isOn, mayWrite, send }: RowSwitchProps) {
  const { save, busy } = useSave({ send });
  return (
    <Switch
      aria-label={`${name} is on`}
      checked={isOn}
      disabled={!mayWrite || busy}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
