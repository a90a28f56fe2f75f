import type { ApiToken } from '@bidwell/contract/accounts/api-token';
import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import type { User } from '@bidwell/contract/accounts/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Anchor, Button, Code, Group, Paper, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { apiTokensQuery, revokeApiToken } from '../../entities/accounts/api-token-queries.ts';
import { scopesText } from '../../entities/accounts/scope-text.ts';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { ErrorText } from '../../ui/form/error-text.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { ScrollFrame } from '../../ui/table/scroll-frame.tsx';
import { NewApiKey } from './new-api-key.tsx';

/** Lists the company's API keys for programs; who may makes and revokes them. */
export function ApiKeys({ user }: { user: User }) {
  const { data: keys, error, dataUpdatedAt: readAtMs } = useQuery(apiTokensQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const isMaker = companyRoleHas(user.role, 'api_token.create');
  return (
    <Paper withBorder p="md" maw={960} component="section" aria-label="API keys">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Title order={2} size="h5">
            API keys
          </Title>
          <Text size="sm" c="dimmed">
            A key lets a program do what its scopes say, as far as the role of the person who made it allows.{' '}
            <Anchor underline="always" href="/api/docs" target="_blank" size="sm">
              How to call the API
            </Anchor>
          </Text>
        </div>
        {isMaker && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={open} flex="none">
            New key
          </Button>
        )}
      </Group>
      {error && !keys && (
        <ErrorText size="sm" mt="sm">
          {error.message}
        </ErrorText>
      )}
      {keys?.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          There are no keys yet.
        </Text>
      )}
      {keys && keys.length > 0 && <KeyTable keys={keys} isMaker={isMaker} readAtMs={readAtMs} />}
      <SecretDialog opened={opened} onClose={close} title="New API key">
        {opened && <NewApiKey onDone={close} />}
      </SecretDialog>
    </Paper>
  );
}

function KeyTable({ keys, ...row }: { keys: readonly ApiToken[]; isMaker: boolean; readAtMs: number }) {
  return (
    <ScrollFrame minWidth={720} mt="sm">
      <Table fz="sm" aria-label="API keys">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Key</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th>Last used</Table.Th>
            {row.isMaker && <Table.Th aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.uuid} apiKey={key} {...row} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollFrame>
  );
}

const oneLine = { whiteSpace: 'nowrap' } as const;

function KeyRow({ apiKey, isMaker, readAtMs }: { apiKey: ApiToken; isMaker: boolean; readAtMs: number }) {
  const { uuid, name, ending, scopes, created_at, created_by, expires_at } = apiKey;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {formatDay(created_at)}, {created_by}
        </Text>
      </Table.Td>
      <Table.Td style={oneLine}>
        <Code>…{ending}</Code>
      </Table.Td>
      <Table.Td>{scopesText(scopes)}</Table.Td>
      <Table.Td style={oneLine}>
        <Expiry at={expires_at} nowMs={readAtMs} />
      </Table.Td>
      <Table.Td style={oneLine}>
        <LastUse apiKey={apiKey} />
      </Table.Td>
      {isMaker && (
        <Table.Td ta="right">
          <RevokeButton uuid={uuid} name={name} />
        </Table.Td>
      )}
    </Table.Tr>
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
      {address !== null && (
        <Text size="xs" c="dimmed">
          from {address}
        </Text>
      )}
    </>
  );
}

function RevokeButton({ uuid, name }: { uuid: string; name: string }) {
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
