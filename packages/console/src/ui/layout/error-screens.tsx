import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { messages } from '@bidwell/contract/text/messages';
import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiError, failureText } from '../../lib/api/api-error.ts';
import type { Loadable } from '../../lib/loadable.ts';
import { SecondaryButton } from './buttons.tsx';

/** Screen for an unknown URL. */
export function NotFoundScreen() {
  return (
    <Center mih="70vh" p="md">
      <Stack align="center">
        <Title order={1} size="h2">
          {messages.notFoundPage}
        </Title>
        <Anchor component={Link} to="/">
          {messages.backToHome}
        </Anchor>
      </Stack>
    </Center>
  );
}

/** Screen for an error while a route renders or loads. */
export function RouteErrorScreen() {
  return (
    <Center mih="70vh" p="md">
      <Stack align="center">
        <Text size="lg" ta="center" role="alert">
          {messages.routeError}
        </Text>
        <Button component="a" href="/">
          {messages.goHome}
        </Button>
      </Stack>
    </Center>
  );
}

/** Screen for an entity that could not be loaded: not found, or why and a button that tries again. */
export function LoadErrorScreen({ of: { error, isFetching, retry } }: { of: Loadable }) {
  if (error instanceof ApiError && error.status === 404) return <NotFoundScreen />;
  return (
    <Center mih="70vh" p="md">
      <Stack align="center">
        <Text size="lg" ta="center" role="alert">
          {consoleMessages.figuresFailed('The page')} {error && failureText(error)}
        </Text>
        <SecondaryButton loading={isFetching} onClick={retry}>
          Try again
        </SecondaryButton>
      </Stack>
    </Center>
  );
}
