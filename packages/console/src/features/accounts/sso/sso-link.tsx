import { Group, Paper, Title } from '@mantine/core';
import { useKnown } from '../../../lib/loadable.ts';
import { linkAtProvider, ownSsoQuery } from '../../../entities/accounts/sso-queries.ts';
import { withProof } from '../../../entities/accounts/sign-in/prove.tsx';
import { personCalls } from '../../../entities/accounts/sign-in/sign-in-calls.ts';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Muted } from '../../../ui/layout/text.tsx';

/** Links the account with an identity at the company's provider; nothing if the company has none. */
export function SsoLink() {
  const data = useKnown(ownSsoQuery);
  const { save: link, busy } = useSave({ send: async () => withProof(personCalls, linkAtProvider) });
  if (!data?.is_offered) return null;
  return (
    <Paper withBorder p="md" mt="md" maw={560} component="section" aria-label="Single sign-on">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Title order={2} size="h5">
            Single sign-on
          </Title>
          <Muted>
            {data.is_linked
              ? 'Your account is linked: you can sign in at the provider of your company.'
              : 'Link your account, to sign in at the provider of your company from now on.'}
          </Muted>
        </div>
        <SecondaryButton onClick={() => link()} loading={busy} flex="none">
          {data.is_linked ? 'Link again' : 'Link'}
        </SecondaryButton>
      </Group>
    </Paper>
  );
}
