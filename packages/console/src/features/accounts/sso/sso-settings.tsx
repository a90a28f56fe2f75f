import {
  SsoInput,
  type SsoSettings as Settings,
  ssoVersion,
} from '@bidwell/contract/accounts/single-sign-on';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import {
  Box,
  Button,
  Checkbox,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { readAgain } from '../../../lib/api/query-client.ts';
import { useLoadable } from '../../../lib/loadable.ts';
import { roleOptions } from '../../../entities/accounts/role-text.ts';
import { deleteSso, saveSso, ssoQuery } from '../../../entities/accounts/sso-queries.ts';
import { Choice } from '../../../ui/form/choice.tsx';
import { useDestroy } from '../../../ui/form/confirm.tsx';
import { FigureFrame, ListSkeleton } from '../../../ui/chart/figure-frame.tsx';
import { useSavedForm } from '../../../ui/form/saved-form.ts';
import { CopyText } from '../../../ui/layout/copy-text.tsx';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { SsoDomains } from './sso-domains.tsx';

/** The provider at which people of the company sign in, and the mail domains that lead to it. */
export function SsoSettings() {
  const settings = useLoadable(ssoQuery);
  return (
    <Paper withBorder p="md" mt="md" maw={560} component="section" aria-label="Single sign-on of the company">
      <Title order={2} size="h5">
        Single sign-on
      </Title>
      <Muted>
        People sign in at your OpenID provider, such as Google Workspace, Microsoft Entra or Okta.
      </Muted>
      <Box mt="sm">
        <FigureFrame figures={settings} what="The settings" skeleton={<ListSkeleton height={56} />}>
          {(known) => (
            <Stack>
              <RedirectAddress address={known.redirect_uri} />
              <ProviderForm settings={known} />
              <SsoDomains domains={known.domains} />
            </Stack>
          )}
        </FigureFrame>
      </Box>
    </Paper>
  );
}

function RedirectAddress({ address }: { address: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        Redirect address
      </Text>
      <Caption>Enter it at the provider exactly as shown.</Caption>
      <CopyText value={address} label="redirect address" full />
    </div>
  );
}

const newPeople = roleOptions.filter(({ value }) => value !== 'owner');

const valuesOf = ({ provider }: Settings) => ({
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  role: provider?.role ?? 'analyst',
  may_join: provider?.may_join ?? false,
  is_required: provider?.is_required ?? false,
});

function ProviderForm({ settings }: { settings: Settings }) {
  const { provider } = settings;
  const { form, busy, submit, changedElsewhere } = useSavedForm({
    initialValues: valuesOf(settings),
    entity: { saved: settings, valuesOf, version: ssoVersion, reload: () => readAgain(ssoQuery) },
    schema: SsoInput,
    send: (values, version) => saveSso(SsoInput.parse(values), version),
    done: screenMessages.ssoSaved,
  });
  const check = (name: 'may_join' | 'is_required') => form.getInputProps(name, { type: 'checkbox' });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {changedElsewhere}
        <TextInput
          label="Issuer"
          description="The provider's address, such as https://accounts.google.com"
          withAsterisk
          {...form.getInputProps('issuer')}
        />
        <TextInput label="Client ID" withAsterisk {...form.getInputProps('client_id')} />
        <PasswordInput
          label="Client secret"
          description={
            provider?.has_client_secret ? 'One is stored. Enter another to replace it.' : undefined
          }
          withAsterisk={!provider?.has_client_secret}
          autoComplete="off"
          {...form.getInputProps('client_secret')}
        />
        <Checkbox
          label="People of the mail domains may join by signing in"
          description="Otherwise only people of the company and those who are invited can sign in."
          {...check('may_join')}
        />
        {form.values.may_join && (
          <Choice label="Role of people who join" data={newPeople} {...form.getInputProps('role')} />
        )}
        <Checkbox
          label="Required for people of the mail domains"
          description="They cannot use a password for this company. Owners always can, in case the provider fails."
          {...check('is_required')}
        />
        <Group justify="space-between">
          {provider ? <RemoveButton /> : <span />}
          <Button type="submit" loading={busy}>
            Save single sign-on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RemoveButton() {
  const { confirm } = useDestroy({
    title: 'Remove single sign-on?',
    text: 'Sessions that were started with it end at once. People without a password choose one with “Forgot password?”.',
    action: 'Remove',
    send: deleteSso,
    done: screenMessages.ssoRemoved,
  });
  return (
    <Button variant="subtle" color="gray" onClick={confirm}>
      Remove
    </Button>
  );
}
