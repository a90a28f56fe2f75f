import { Button, Group, Menu, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { trackingLinksQuery } from '../../lib/queries/tracking-links.ts';

type FieldProps = Pick<
  ComponentProps<typeof TextInput>,
  'value' | 'onChange' | 'error' | 'onBlur' | 'onFocus'
>;

interface AddressFieldsProps {
  /** The app that is advertised: its tracking links are offered. Empty while none is chosen. */
  appUuid: string;
  clickProps: FieldProps;
  viewProps: FieldProps;
  onFill: (addresses: { click_url: string; view_url: string }) => void;
}

/** Where a creative leads, and what is told when it is seen; a tracking link of the app fills in both. */
export function AddressFields({ appUuid, clickProps, viewProps, onFill }: AddressFieldsProps) {
  const { data: links = [] } = useQuery(trackingLinksQuery);
  const offered = links.filter((link) => link.app.uuid === appUuid);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Click URL" withAsterisk placeholder="https://" {...clickProps} />
        <TextInput label="View URL" withAsterisk placeholder="https://" {...viewProps} />
      </SimpleGrid>
      {offered.length > 0 && (
        <Group gap="xs">
          <Menu position="bottom-start" width={320}>
            <Menu.Target>
              <Button variant="default" size="xs" leftSection={<IconLink size={14} />}>
                Take both from a tracking link
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
              {offered.map(({ uuid, name, click_url, view_url }) => (
                <Menu.Item key={uuid} onClick={() => onFill({ click_url, view_url })}>
                  <Text size="sm">{name}</Text>
                  <Text size="xs" c="dimmed" truncate>
                    {click_url}
                  </Text>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
    </>
  );
}
