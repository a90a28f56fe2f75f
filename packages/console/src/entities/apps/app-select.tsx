import type { App } from '@bidwell/contract/apps/schema';
import { Select, type SelectProps } from '@mantine/core';
import { currentOnly } from '../../lib/current-only.ts';

interface AppSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  apps: readonly App[];
  /** Uuid of the selected app; empty for none. An archived app is offered only while it is selected. */
  value: string;
  onChange: (uuid: string) => void;
  /** Uuid of an app that is listed but cannot be selected. */
  disabledUuid?: string | null;
}

/** Selects the app that an entity advertises. */
export function AppSelect({ apps, value, onChange, disabledUuid, ...props }: AppSelectProps) {
  return (
    <Select
      label="App"
      withAsterisk
      searchable
      placeholder="Choose the app to advertise"
      nothingFoundMessage="No app of that name"
      {...props}
      data={currentOnly(apps, value).map(({ uuid, name }) => ({
        value: uuid,
        label: name,
        disabled: uuid === disabledUuid,
      }))}
      value={value || null}
      onChange={(uuid) => onChange(uuid ?? '')}
    />
  );
}
