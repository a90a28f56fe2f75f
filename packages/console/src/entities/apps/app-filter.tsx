import { Select, type SelectProps } from '@mantine/core';

interface AppFilterProps extends Pick<SelectProps, 'size' | 'w'> {
  /** Names of the apps by uuid. */
  apps: ReadonlyMap<string, string>;
  /** Uuid of the selected app; null for all. */
  value: string | null;
  onChange: (uuid: string | null) => void;
}

/** Limits a list of creatives to one app; nothing while all are of one app. */
export function AppFilter({ apps, value, onChange, ...props }: AppFilterProps) {
  if (apps.size <= 1) return null;
  return (
    <Select
      aria-label="App of the creatives"
      placeholder="All apps"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Show all apps' }}
      nothingFoundMessage="No app with that name"
      data={[...apps].map(([uuid, name]) => ({ value: uuid, label: name }))}
      value={value}
      onChange={onChange}
      {...props}
    />
  );
}
