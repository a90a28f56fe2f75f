import { messages } from '@bidwell/contract/text/messages';
import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isAway } from '../../lib/api/api-error.ts';

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

/** Screen for data that could not be loaded: not found, or the server unavailable; null means a URL without an id. */
export function LoadErrorScreen({ error }: { error: Error | null }) {
  return error !== null && isAway(error) ? <RouteErrorScreen /> : <NotFoundScreen />;
}
