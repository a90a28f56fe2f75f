import { Paper, Text, Title } from '@mantine/core';
import { SecondFactors } from '../../entities/accounts/sign-in/second-factors.tsx';
import { personCalls } from '../../entities/accounts/sign-in/sign-in-calls.ts';
import { Muted } from '../../ui/layout/muted.tsx';

/** The user's second factor; a session by single sign-on (`bySso`) does not change it. */
export function SecondFactorSection({ bySso }: { bySso: boolean }) {
  return (
    <Paper component="section" aria-label="Second factor" withBorder p="md" mb="md" maw={800}>
      <Title order={2} size="h5">
        Second factor
      </Title>
      <Muted>Something you have, so that a stolen password alone is not enough to log in.</Muted>
      {bySso ? (
        <Text size="sm" mt="sm">
          You signed in by single sign-on: the provider of your company decides what it asks you for. Log in
          with your password to change the second factor of that login.
        </Text>
      ) : (
        <SecondFactors calls={personCalls} />
      )}
    </Paper>
  );
}
