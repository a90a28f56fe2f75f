import {
  API_TOKEN_LIMITS,
  type ApiToken,
  ApiTokenInput,
  type NewApiToken,
} from '@bidwell/contract/accounts/api-token';
import { limits } from '@bidwell/contract/lib/limits';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import {
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Modal,
  Paper,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { apiTokensQuery, createApiToken, revokeApiToken } from '../../entities/accounts/api-token-queries.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { CountedInput } from '../../ui/form/form-fields.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { ScrollFrame } from '../../ui/table/scroll-frame.tsx';

/** Creates, lists and revokes the company's API tokens for scripts. */
export function ApiTokens() {
  const { data: tokens, error } = useQuery(apiTokensQuery);
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Paper withBorder p="md" maw={800}>
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Title order={2} size="h5">
            API tokens
          </Title>
          <Text size="sm" c="dimmed">
            A token lets a script read your reports, and nothing else: {API_TOKEN_LIMITS.reportsPerMinute}{' '}
            reports and {API_TOKEN_LIMITS.exportsPerMinute} exports a minute.{' '}
            <Anchor underline="always" href="/api/docs" target="_blank" size="sm">
              How to call the API
            </Anchor>
          </Text>
        </div>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={open} flex="none">
          New token
        </Button>
      </Group>
      {error && !tokens && (
        <Text size="sm" c="red.8" mt="sm" role="alert">
          {error.message}
        </Text>
      )}
      {tokens?.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          There are no tokens yet.
        </Text>
      )}
      {tokens && tokens.length > 0 && (
        <ScrollFrame minWidth={440} mt="sm">
          <Table fz="sm" aria-label="API tokens">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Token</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {tokens.map((token) => (
                <TokenRow key={token.uuid} token={token} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollFrame>
      )}
      <Modal opened={opened} onClose={close} title="New API token" centered closeOnClickOutside={false}>
        {opened && <NewToken onDone={close} />}
      </Modal>
    </Paper>
  );
}

function TokenRow({ token: { uuid, name, ending, created_at, last_used_at } }: { token: ApiToken }) {
  const { save: revoke } = useSave({
    send: () => revokeApiToken(uuid),
    done: screenMessages.tokenRevoked(name),
  });
  const confirmRevoke = () =>
    confirmDestroy({
      title: `Revoke “${name}”?`,
      text: 'Scripts that use this token are rejected from now on. This cannot be undone.',
      action: 'Revoke',
      onConfirm: () => revoke(),
    });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          Created {formatDay(created_at)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Code>…{ending}</Code>
      </Table.Td>
      <Table.Td>{last_used_at ? formatMoment(last_used_at) : 'Never'}</Table.Td>
      <Table.Td ta="right">
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={confirmRevoke}
          aria-label={`Revoke ${name}`}
        >
          Revoke
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** Asks for a name, then shows the secret, which is never shown again. */
function NewToken({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const [created, setCreated] = useState<NewApiToken>();
  const { save, busy } = useSave({
    send: createApiToken,
    onSaved: setCreated,
    onFailure: (failure) => failure instanceof ApiError && setError(failure.fields['name']),
  });
  const submit = () => {
    const parsed = ApiTokenInput.safeParse({ name });
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message);
    if (parsed.success) save(parsed.data.name);
  };
  if (created) return <Secret token={created.token} onDone={onDone} />;
  return (
    <DialogForm onSubmit={submit}>
      <CountedInput
        label="Name"
        description="Where it is used, so that you know which one to revoke"
        data-autofocus
        withAsterisk
        maxLength={limits.titleMax}
        value={name}
        error={error}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormButtons action="Create token" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

function Secret({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">Copy the token now: it is not shown again.</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-testid="api-token">
        {token}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
