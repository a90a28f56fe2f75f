import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Anchor, Center, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { roleNames } from '../entities/accounts/role-text.ts';

/** In place of a screen that the role of the user does not include. Finances are the screen that every role may open. */
export function RefusedScreen({ role, shows }: { role: CompanyRole; shows: string }) {
  return (
    <Center mih="70vh" p="md">
      <Stack align="center">
        <Title order={1} size="h3" ta="center">
          {screenMessages.screenNotOfRole(roleNames[role], shows)}
        </Title>
        <Anchor component={Link} to="/finances" underline="always">
          Open finances
        </Anchor>
      </Stack>
    </Center>
  );
}
