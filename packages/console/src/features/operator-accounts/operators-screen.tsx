import type { OperatorAccount, OperatorRole } from '@bidwell/contract/operator-account';
import { NewOperator, OPERATOR_ROLES } from '@bidwell/contract/operator-account';
import {
  Badge,
  Button,
  Menu,
  Modal,
  Paper,
  PasswordInput,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDotsVertical, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { formatMoment } from '../../lib/format.ts';
import { addOperator, changeOperator, operatorsQuery } from '../../lib/queries/operator-accounts.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { confirmDestroy } from '../../ui/confirm.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const roleTexts: Record<OperatorRole, string> = {
  admin: 'Admin: everything',
  moderator: 'Moderator: decides on ads',
  finance: 'Finance: moves money',
  viewer: 'Viewer: changes nothing',
};
const roleOptions = OPERATOR_ROLES.map((value) => ({ value, label: roleTexts[value] }));

/** /operator/operators: the people who may log in here. */
export function OperatorsScreen() {
  const { data: operators, error } = useQuery(operatorsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title="Operators"
        description="People who may log in here. Each logs in with a password and an authenticator app."
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            Add operator
          </Button>
        }
      />
      <Paper withBorder>
        {error && !operators && <EmptyState title="The operators cannot be loaded" text={error.message} />}
        {!operators && !error && <Skeleton height={160} />}
        {operators && (
          <Table.ScrollContainer minWidth={640} type="native">
            <Table verticalSpacing="xs" aria-label="Operators">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Login</Table.Th>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Last login</Table.Th>
                  <Table.Th aria-label="Actions" />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {operators.map((operator) => (
                  <Row key={operator.uuid} operator={operator} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Paper>
      <Modal opened={opened} onClose={close} title="Add operator" centered>
        {opened && <AddForm onDone={close} />}
      </Modal>
    </>
  );
}

function Row({ operator }: { operator: OperatorAccount }) {
  const { uuid, login, name, role, active, enrolled, last_login_at: lastLogin } = operator;
  const change = (changes: Parameters<typeof changeOperator>[1], done: string) =>
    void changeOperator(uuid, changes).then(() => toastSuccess(done), toastError);
  return (
    <Table.Tr>
      <Table.Td>
        {login}{' '}
        {!active && (
          <Badge size="sm" color="gray" variant="light">
            Deactivated
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{name}</Table.Td>
      <Table.Td>
        <Select
          aria-label={`Role of ${login}`}
          data={roleOptions}
          value={role}
          allowDeselect={false}
          size="xs"
          w={240}
          onChange={(value) => change({ role: value as OperatorRole }, `${login} has a new role`)}
        />
      </Table.Td>
      <Table.Td>
        {lastLogin ? formatMoment(lastLogin) : <Text size="sm">{enrolled ? 'Never' : 'Not set up yet'}</Text>}
      </Table.Td>
      <Table.Td ta="right">
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="subtle" color="gray" size="compact-sm" aria-label={`Actions on ${login}`}>
              <IconDotsVertical size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              onClick={() =>
                confirmDestroy({
                  title: `Reset the authenticator app of ${login}?`,
                  text: 'All sessions end. The next login sets up an authenticator app again.',
                  action: 'Reset',
                  onConfirm: () => change({ reset_authenticator: true }, 'Reset'),
                })
              }
            >
              Reset authenticator app
            </Menu.Item>
            {active ? (
              <Menu.Item
                color="red"
                onClick={() =>
                  confirmDestroy({
                    title: `Deactivate ${login}?`,
                    text: 'All sessions end, and the account cannot log in any more.',
                    action: 'Deactivate',
                    onConfirm: () => change({ active: false }, `${login} is deactivated`),
                  })
                }
              >
                Deactivate
              </Menu.Item>
            ) : (
              <Menu.Item onClick={() => change({ active: true }, `${login} is active again`)}>
                Activate
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}

/** Asks for the account of a new operator. */
function AddForm({ onDone }: { onDone: () => void }) {
  const [values, setValues] = useState({ login: '', name: '', role: 'viewer' as OperatorRole, password: '' });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const parsed = NewOperator.safeParse(values);
    if (!parsed.success)
      return setErrors(
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
      );
    setErrors({});
    setBusy(true);
    try {
      await addOperator(parsed.data);
      toastSuccess(`${parsed.data.login} is added`);
      onDone();
    } catch (error) {
      if (error instanceof ApiError) setErrors(error.fields);
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <DialogForm onSubmit={() => void submit()}>
      <Stack>
        <TextInput
          label="Login"
          data-autofocus
          value={values.login}
          error={errors['login']}
          onChange={(event) => setValues({ ...values, login: event.currentTarget.value })}
        />
        <TextInput
          label="Name"
          value={values.name}
          error={errors['name']}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
        />
        <Select
          label="Role"
          data={roleOptions}
          value={values.role}
          allowDeselect={false}
          onChange={(role) => setValues({ ...values, role: role as OperatorRole })}
        />
        <PasswordInput
          label="First password"
          description="The operator sets up an authenticator app at the first login."
          autoComplete="new-password"
          value={values.password}
          error={errors['password']}
          onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
        />
        <FormButtons action="Add" onCancel={onDone} busy={busy} />
      </Stack>
    </DialogForm>
  );
}
