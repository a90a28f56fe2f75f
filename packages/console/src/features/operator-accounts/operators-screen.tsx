import {
  NewOperator,
  OPERATOR_ROLES,
  type OperatorAccount,
  type OperatorChanges,
  type OperatorRole,
} from '@bidwell/contract/operator-accounts/schema';
import { Badge, Button, Menu, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { addOperator, changeOperator, operatorsQuery } from '../../entities/operator-accounts/queries.ts';
import { useTableSearch } from '../../lib/table-search.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { IconButton } from '../../ui/layout/buttons.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { actionsColumn } from '../../entities/archive/entity-columns.tsx';
import type { Column } from '../../ui/table/table-state.ts';

const LOCKED = 'Ten wrong codes in a row. Resetting the authenticator app unlocks the account.';

const roleTexts: Record<OperatorRole, string> = {
  admin: 'Admin: everything',
  moderator: 'Moderator: decides on ads',
  finance: 'Finance: moves money',
  viewer: 'Viewer: changes nothing',
};
const roleOptions = OPERATOR_ROLES.map((value) => ({ value, label: roleTexts[value] }));

/** /operator/operators: the people who may log in here. */
export function OperatorsScreen() {
  const figures = useLoadable(operatorsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const [state, setState] = useTableSearch();
  return (
    <>
      <PageHeader
        title="Operators"
        description="People who may log in here. Each logs in with a password and an authenticator app, or a passkey."
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            Add operator
          </Button>
        }
      />
      <DataTable
        label="Operators"
        columns={columns}
        rows={knownData(figures)}
        figures={figures}
        rowId={({ uuid }) => uuid}
        rowName={({ login }) => login}
        searchText={searchText}
        state={state}
        onStateChange={setState}
        minWidth={720}
        empty={<EmptyState title="No operator yet" />}
      />
      <Modal opened={opened} onClose={close} title="Add operator">
        {opened && <AddForm onDone={close} />}
      </Modal>
    </>
  );
}

const searchText = ({ login, name }: OperatorAccount): string => `${login} ${name}`;

const columns: readonly Column<OperatorAccount>[] = [
  {
    id: 'login',
    header: 'Login',
    sortBy: ({ login }) => login,
    cell: ({ login, active, locked }) => (
      <>
        {login}{' '}
        {!active && (
          <Badge size="sm" color="gray" variant="light">
            Deactivated
          </Badge>
        )}
        {locked && (
          <Badge size="sm" color="red" variant="light" title={LOCKED}>
            Codes locked
          </Badge>
        )}
      </>
    ),
  },
  { id: 'name', header: 'Name', sortBy: ({ name }) => name, cell: ({ name }) => name },
  {
    id: 'last-login',
    header: 'Last login',
    sortBy: ({ last_login_at: lastLogin }) => lastLogin,
    cell: ({ last_login_at: lastLogin, enrolled }) =>
      lastLogin ? formatMoment(lastLogin) : enrolled ? 'Never' : 'Not set up yet',
  },
  {
    id: 'role',
    header: 'Role',
    width: 260,
    sortBy: ({ role }) => OPERATOR_ROLES.indexOf(role),
    cell: (operator) => (
      <Choice
        aria-label={`Role of ${operator.login}`}
        data={roleOptions}
        value={operator.role}
        size="xs"
        onChange={(value) =>
          change(operator, { role: value as OperatorRole }, `${operator.login} has a new role`)
        }
      />
    ),
  },
  actionsColumn((operator) => <Actions operator={operator} />),
];

function change(operator: OperatorAccount, changes: OperatorChanges, done: string): void {
  void changeOperator(operator, changes).then(() => toastSuccess(done), toastError);
}

function Actions({ operator }: { operator: OperatorAccount }) {
  const { login, active } = operator;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton aria-label={`Actions on ${login}`}>
          <IconDots size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() =>
            confirmDestroy({
              title: `Reset the authenticator app of ${login}?`,
              text: 'All sessions end, and passkeys and recovery codes stop working. The next login sets up an authenticator app again.',
              action: 'Reset',
              onConfirm: () => change(operator, { reset_authenticator: true }, 'Reset'),
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
                text: 'All sessions end, and the account can no longer log in.',
                action: 'Deactivate',
                onConfirm: () => change(operator, { active: false }, `${login} is deactivated`),
              })
            }
          >
            Deactivate
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => change(operator, { active: true }, `${login} is active again`)}>
            Activate
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks for the account of a new operator. */
function AddForm({ onDone }: { onDone: () => void }) {
  const { form, busy, submit } = useSavedForm({
    initialValues: { login: '', name: '', role: 'viewer' as OperatorRole, password: '' },
    schema: NewOperator,
    send: (values) => addOperator(NewOperator.parse(values)),
    done: (_saved, { login }) => `${login.trim()} is added`,
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      <TextInput label="Login" data-autofocus {...form.getInputProps('login')} />
      <TextInput label="Name" {...form.getInputProps('name')} />
      <Choice label="Role" data={roleOptions} {...form.getInputProps('role')} />
      <PasswordInput
        label="First password"
        description="The operator sets up an authenticator app at the first login."
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <FormButtons action="Add" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
