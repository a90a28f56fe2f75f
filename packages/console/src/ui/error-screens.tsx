import { messages } from '@bidwell/contract/messages';
import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isAway } from '../lib/api-error.ts';

/** An address that leads nowhere. */
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

/** A screen that broke. */
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

/** What could not be fetched: not there, or the server is away; null stands for an address without an id. */
export function LoadErrorScreen({ error }: { error: Error | null }) {
  return error !== null && isAway(error) ? <RouteErrorScreen /> : <NotFoundScreen />;
}
