import { Badge, Group, Stack, Text } from '@mantine/core';
import { osNames } from '../../lib/format/os-names.ts';
import { AppIcon } from '../../entities/apps/app-icon.tsx';
import { Muted } from '../../ui/layout/muted.tsx';
import type { AppValues } from './app-values.ts';

/** Preview of the app as lists show it. */
export function AppSummary({ values }: { values: AppValues }) {
  const { name, icon_link: icon, os, bundle_id: bundle, rating, size_in_kb: sizeKb } = values;
  return (
    <Group gap="sm" wrap="nowrap">
      <AppIcon app={{ name: name || bundle, icon_link: icon || null }} size={48} />
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Group gap={6}>
          <Text fw={600}>{name || 'No title yet'}</Text>
          {os && (
            <Badge size="xs" variant="default">
              {os === 'ios' ? osNames.ios : osNames.android}
            </Badge>
          )}
        </Group>
        <Muted size="xs" style={{ overflowWrap: 'anywhere' }}>
          {[
            bundle,
            rating === null ? null : `rated ${rating}`,
            sizeKb === null ? null : `${Math.max(1, Math.round(sizeKb / 1024))} MB`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Muted>
      </Stack>
    </Group>
  );
}
