import type { ApiToken } from '@bidwell/contract/accounts/api-token';
import type { User } from '@bidwell/contract/accounts/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Anchor, Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Loadable, useLoadable } from '../../lib/loadable.ts';
import { apiTokensQuery, revokeApiToken } from '../../entities/accounts/api-token-queries.ts';
import { scopesText } from '../../entities/accounts/scope-text.ts';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { Muted } from '../../ui/layout/muted.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { NewApiKey } from './new-api-key.tsx';
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
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={open}>
            New key
          </Button>
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

interface KeyTableProps {
  keys: Loadable<readonly ApiToken[]>;
  isMaker: boolean;
}

function KeyTable({ keys, isMaker }: KeyTableProps) {
  // Tells keys that have expired.
  const [openedAtMs] = useState(() => Date.now());
  const columns: RecordColumn<ApiToken>[] = [
    {
      header: 'Name',
      cell: ({ name, created_at: createdAt, created_by: createdBy }) => (
        <>
          <Text size="sm">{name}</Text>
          <Muted size="xs">
            {formatDay(createdAt)}, {createdBy}
          </Muted>
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
      {address !== null && <Muted size="xs">from {address}</Muted>}
    </>
  );
}

function RevokeButton({ apiKey: { uuid, name } }: { apiKey: ApiToken }) {
  const { save: revoke } = useSave({
    send: () => revokeApiToken(uuid),
    done: screenMessages.tokenRevoked(name),
  });
  const confirm = () =>
    confirmDestroy({
      title: `Revoke “${name}”?`,
      text: 'Programs that use this key are rejected from now on. This cannot be undone.',
      action: 'Revoke',
      onConfirm: () => revoke(),
    });
  return (
    <Button variant="subtle" color="gray" size="compact-sm" onClick={confirm} aria-label={`Revoke ${name}`}>
      Revoke
    </Button>
  );
}
