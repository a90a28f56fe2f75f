import type { App } from '@bidwell/contract/apps/schema';
import { Select, type SelectProps } from '@mantine/core';
import { type Loadable, mapped } from '../../lib/loadable.ts';
import { pickerProps } from '../../ui/form/picker/picker-options.tsx';
import { currentOnly } from '../../lib/current-only.ts';

interface AppSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  apps: Loadable<readonly App[]>;
  /** Uuid of the selected app; empty for none. An archived app is offered only while it is selected. */
  value: string;
  onChange: (uuid: string) => void;
  /** Uuid of an app that is listed but cannot be selected. */
  disabledUuid?: string | null;
}

/** Selects the app that an entity advertises. */
export function AppSelect({
  apps,
  value,
  onChange,
  disabledUuid,
  placeholder = 'Choose the app to advertise',
  ...props
}: AppSelectProps) {
  const options = mapped(apps, (known) =>
    currentOnly(known, value).map(({ uuid, name }) => ({
      value: uuid,
      label: name,
      disabled: uuid === disabledUuid,
    })),
  );
  return (
    <Select
      label="App"
      withAsterisk
      searchable
      {...props}
      {...pickerProps(options, { placeholder, emptyText: 'There is no app yet' })}
      value={value || null}
      onChange={(uuid) => onChange(uuid ?? '')}
    />
  );
}
