import * as endpoints from '@bidwell/contract/operator-accounts/endpoints';
import { NewOperator } from '@bidwell/contract/operator-accounts/schema';
import { randomBytes } from 'node:crypto';
import { OperatorError } from './client.ts';
import { calling, command } from './command.ts';

const PASSWORD_BYTES = 12;

/** A password that is shown once, to whoever runs the command. */
const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');

const { role, password: chosen } = NewOperator.shape;

/** Lists and adds operators, and gives them new passwords. */
export const operatorCommands = {
  operators: calling(endpoints.listOperators, {}, ({ operators }) =>
    operators.length === 0
      ? 'None. Add one with add-operator.'
      : operators.map(({ login, name, role: as, active, enrolled, locked, last_login_at: lastLogin }) => ({
          login,
          name,
          role: as,
          active,
          authenticator: locked ? 'codes locked' : enrolled ? 'set up' : 'not set up',
          last_login: lastLogin ?? 'never',
        })),
  ),
  'add-operator': command({
    options: NewOperator.extend({ role: role.default('admin'), password: chosen.optional() }),
    summary: 'Add a person who may log in at /operator, with a generated password unless one is given',
    async run(client, options) {
      const body = { ...options, password: options.password ?? newPassword() };
      await client.call(endpoints.addOperator, { body });
      console.log(`Added ${body.login} as ${body.role}.`);
      if (!options.password) console.log(`Password: ${body.password}`);
      console.log('The first login at /operator sets up an authenticator app.');
    },
  }),
  'reset-operator': command({
    of: 'operator',
    summary:
      'Give an operator a new password, remove the passkeys and let the authenticator app be set up again',
    async run(client, _options, login) {
      const { operators } = await client.call(endpoints.listOperators);
      const found = operators.find((operator) => operator.login === login);
      if (!found) throw new OperatorError(`There is no operator ${login}.`);
      const body = { password: newPassword(), reset_authenticator: true as const };
      await client.call(endpoints.changeOperator, { params: { uuid: found.uuid }, body });
      console.log(`Password: ${body.password}`);
      console.log('The next login at /operator sets up an authenticator app.');
    },
  }),
};
