import { Avatar, Badge, Group, Stack, Text } from '@mantine/core';
import type { AppValues } from './app-values.ts';

/** Preview of the app as lists show it. */
export function AppSummary({ values }: { values: AppValues }) {
  const { name, icon_link: icon, os, bundle_id: bundle, rating, size_in_kb: sizeKb } = values;
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar src={icon || null} name={name || bundle} color="initials" radius="md" size={48} alt="" />
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Group gap={6}>
          <Text fw={600}>{name || 'No title yet'}</Text>
          {os && (
            <Badge size="xs" variant="default" tt="none">
              {os === 'ios' ? 'iOS' : 'Android'}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[
            bundle,
            rating === null ? null : `rated ${rating}`,
            sizeKb === null ? null : `${Math.max(1, Math.round(sizeKb / 1024))} MB`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Stack>
    </Group>
  );
}
