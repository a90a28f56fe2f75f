import * as endpoints from '@bidwell/contract/accounts/viewer-endpoints';
import { Anchor, Center, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api } from '../../lib/api/api-client.ts';
import { failureText } from '../../lib/api/api-error.ts';
import { beginViewing } from '../../lib/api/viewing.ts';
import { PageLoader } from '../../ui/layout/page-loader.tsx';

/** A code works once, also where the screen is rendered twice. */
let opening: Promise<void> | null = null;

/** /view#CODE: exchanges an operator's code for a read-only session. Without a code, says that the session has ended. */
export function ViewScreen() {
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    opening ??= open(location.hash.slice(1));
    opening.catch((error: unknown) => setFailure(failureText(error)));
  }, []);
  if (failure === null) return <PageLoader />;
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={1} size="h3">
          Read-only view
        </Title>
        <Text ta="center">{failure}</Text>
        <Anchor href="/operator/companies">Operator console</Anchor>
      </Stack>
    </Center>
  );
}

async function open(code: string): Promise<void> {
  if (code === '') throw new Error('It has ended: a view lasts an hour at most.');
  // The code is not left in the history.
  history.replaceState(null, '', location.pathname);
  beginViewing(await api.call(endpoints.openViewerSession, { body: { code } }));
}
