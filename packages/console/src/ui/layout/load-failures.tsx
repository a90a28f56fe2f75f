import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Alert, Group, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { failureText } from '../../lib/api/api-error.ts';
import { SmallButton } from './buttons.tsx';

/** Whether an active query has no data because its request failed, and nothing on the page says so in its place. */
const isMissing = (query: Query) =>
  query.isActive() &&
  query.state.status === 'error' &&
  query.state.data === undefined &&
  !query.observers.some(({ options }) => options.meta?.['isFailureShownInPlace'] === true);

/** Notice above the page that parts of it could not be loaded, with a button that refetches them. */
export function LoadFailures() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const failed = useSyncExternalStore(subscribe, () => cache.getAll().find(isMissing)?.state.error ?? null);
  if (!failed) return null;
  return (
    <Alert
      role="alert"
      variant="light"
      color="red"
      icon={<IconCloudOff size={17} />}
      mb="md"
      py={8}
      className="no-print"
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{consoleMessages.partsMissing(failureText(failed))}</Text>
        <SmallButton onClick={() => void queries.refetchQueries({ predicate: isMissing })}>
          Try again
        </SmallButton>
      </Group>
    </Alert>
  );
}
