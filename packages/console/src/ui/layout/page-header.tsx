import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { SkeletonBar } from '../chart/skeleton-bar.tsx';
import { Muted } from './text.tsx';

/** Header of a page: title, description and actions. `isLoading`: the name at the end of the title is not known yet. */
export function PageHeader({
  title,
  isLoading = false,
  description,
  actions,
}: {
  title: string;
  isLoading?: boolean;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <Stack gap={2}>
        <Title order={1} size="h3">
          {title}
          {isLoading && (
            <>
              {' '}
              <SkeletonBar width={180} />
            </>
          )}
        </Title>
        {description && <Muted component="div">{description}</Muted>}
      </Stack>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
