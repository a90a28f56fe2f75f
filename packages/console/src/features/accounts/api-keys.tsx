import {
  type ApiToken,
  ApiTokenInput,
  KEY_EXPIRY_DAYS,
  type NewApiToken,
} from '@bidwell/contract/accounts/api-token';
import type { User } from '@bidwell/contract/accounts/schema';
import { type ApiScope, mayBeEndless } from '@bidwell/contract/accounts/scope';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Anchor, Checkbox, Code, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Loadable, useLoadable } from '../../lib/loadable.ts';
import { apiTokensQuery, createApiToken, revokeApiToken } from '../../entities/accounts/api-token-queries.ts';
import { scopeOptions, scopesText } from '../../entities/accounts/scope-text.ts';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { NameInput } from '../../ui/form/form-fields.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { QuietButton, SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { mayAs } from '../../lib/api/use-may.ts';

/** Lists the company's API keys for programs. A user with the permission creates and revokes them. */
export function ApiKeys({ user }: { user: User }) {
  const keys = useLoadable(apiTokensQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const isMaker = mayAs(user.role, 'api_token.create');
  return (
    <Section
      title="API keys"
      maxWidth={960}
      description={
        <>
          A key lets a program do what its scopes allow, within the role of the person who created it.{' '}
          <Anchor underline="always" href="/api/docs" target="_blank" size="sm">
            How to call the API
          </Anchor>
        </>
      }
      actions={
        isMaker && (
          <SecondaryButton leftSection={<IconPlus size={16} />} onClick={open}>
            New key
          </SecondaryButton>
        )
      }
    >
      <KeyTable keys={keys} isMaker={isMaker} />
      <SecretDialog opened={opened} onClose={close} title="New API key">
        {opened && <NewApiKey onDone={close} />}
      </SecretDialog>
    </Section>
  );
}

function KeyTable({ keys, isMaker }: { keys: Loadable<readonly ApiToken[]>; isMaker: boolean }) {
  // Tells keys that have expired.
  const [openedAtMs] = useState(() => Date.now());
  const columns: RecordColumn<ApiToken>[] = [
    {
      header: 'Name',
      cell: ({ name, created_at: createdAt, created_by: createdBy }) => (
        <>
          <Text size="sm">{name}</Text>
          <Caption>
            {formatDay(createdAt)}, {createdBy}
          </Caption>
        </>
      ),
    },
    { header: 'Key', wrap: 'never', cell: ({ ending }) => <Code>…{ending}</Code> },
    { header: 'Scopes', cell: ({ scopes }) => scopesText(scopes) },
    { header: 'Expires', wrap: 'never', cell: ({ expires_at: at }) => <Expiry at={at} nowMs={openedAtMs} /> },
    { header: 'Last used', wrap: 'never', cell: (key) => <LastUse apiKey={key} /> },
    ...(isMaker
      ? [{ header: 'Actions', actions: true, cell: (key: ApiToken) => <RevokeButton apiKey={key} /> }]
      : []),
  ];
  return (
    <RecordTable
      label="API keys"
      what="The keys"
      empty={<Muted>There are no keys yet.</Muted>}
      columns={columns}
      rows={keys}
      rowId={({ uuid }) => uuid}
      minWidth={720}
      cards
    />
  );
}

function Expiry({ at, nowMs }: { at: string | null; nowMs: number }) {
  if (at === null) return 'Never';
  if (Date.parse(at) > nowMs) return formatDay(at);
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      Expired {formatDay(at)}
    </Text>
  );
}

function LastUse({ apiKey: { last_used_at: at, last_used_address: address } }: { apiKey: ApiToken }) {
  if (at === null) return 'Never';
  return (
    <>
      <Text size="sm">{formatMoment(at)}</Text>
      {address !== null && <Caption>from {address}</Caption>}
    </>
  );
}

function RevokeButton({ apiKey: { uuid, name } }: { apiKey: ApiToken }) {
  const { confirm } = useDestroy({
    title: `Revoke “${name}”?`,
    text: 'Programs that use this key are rejected from now on. This cannot be undone.',
    action: 'Revoke',
    send: () => revokeApiToken(uuid),
    done: screenMessages.tokenRevoked(name),
  });
  return (
    <QuietButton onClick={confirm} aria-label={`Revoke ${name}`}>
      Revoke
    </QuietButton>
  );
}

const NEVER = 'never';
const expiryOptions = [
  ...[7, 30, KEY_EXPIRY_DAYS.default, 180, KEY_EXPIRY_DAYS.max].map((days) => ({
    value: String(days),
    label: `In ${days} days`,
  })),
  { value: NEVER, label: 'Never' },
];

/** Asks for name, scopes and end of a key, then shows the secret, which is never shown again. */
function NewApiKey({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<NewApiToken>();
  const { form, busy, submit } = useSavedForm({
    initialValues: {
      name: '',
      scopes: ['read'] as ApiScope[],
      expires_in_days: KEY_EXPIRY_DAYS.default as number | null,
    },
    schema: ApiTokenInput,
    send: createApiToken,
    onSaved: setMade,
  });
  if (made) return <Secret token={made.token} onDone={onDone} />;
  const { scopes, expires_in_days: days } = form.getValues();
  const isEndless = scopes.every(mayBeEndless);
  return (
    <DialogForm onSubmit={submit}>
      <NameInput
        description="Where it is used, so that you know which one to revoke"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Scopes" withAsterisk {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {scopeOptions.map((option) => (
            <Checkbox key={option.value} size="sm" {...option} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Choice
        label="Expires"
        description={isEndless ? undefined : screenMessages.writingKeyExpires}
        data={expiryOptions.map((option) => ({
          ...option,
          disabled: option.value === NEVER && !isEndless,
        }))}
        error={form.errors['expires_in_days']}
        value={days === null ? NEVER : String(days)}
        onChange={(value) => form.setFieldValue('expires_in_days', value === NEVER ? null : Number(value))}
      />
      <FormButtons action="Create key" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

function Secret({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <ShownOnce secret={token} testId="api-key" onDone={onDone}>
      Copy the key now: it is not shown again.
    </ShownOnce>
  );
}
