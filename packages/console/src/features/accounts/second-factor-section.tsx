import { Paper, Text, Title } from '@mantine/core';
import { SecondFactors } from '../../entities/accounts/sign-in/second-factors.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';

/** The user's second factor. */
export function SecondFactorSection() {
  return (
    <Paper component="section" aria-label="Second factor" withBorder p="md" mb="md" maw={800}>
      <Title order={2} size="h5">
        Second factor
      </Title>
      <Text size="sm" c="dimmed">
        Something you have, so that a stolen password alone opens nothing.
      </Text>
      <SecondFactors calls={personCalls} />
    </Paper>
  );
}
