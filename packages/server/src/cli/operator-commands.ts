import * as endpoints from '@bidwell/contract/operator-accounts/endpoints';
import { NewOperator } from '@bidwell/contract/operator-accounts/schema';
import { randomBytes } from 'node:crypto';
import { type Command, bodyOf, only, optionsOf } from './command.ts';
import { OperatorError } from './client.ts';

const PASSWORD_BYTES = 12;

/** A password that is shown once, to whoever runs the command. */
const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');

/** Lists the operators. */
export const operatorsCommand: Command = {
  usage: 'operators',
  summary: 'lists the people who may log in at /operator',
  async run(client) {
    const { operators } = await client.call(endpoints.listOperators);
    if (operators.length === 0) return console.log('None. Add one with add-operator.');
    console.table(
      operators.map(({ login, name, role, active, enrolled, locked, last_login_at: lastLogin }) => ({
        login,
        name,
        role,
        active,
        authenticator: locked ? 'codes locked' : enrolled ? 'set up' : 'not set up',
        last_login: lastLogin ?? 'never',
      })),
    );
  },
};

/** Adds an operator, with a generated password unless one is given. */
export const addOperatorCommand: Command = {
  usage: 'add-operator --login LOGIN --name NAME [--role admin|moderator|finance|viewer] [--password TEXT]',
  summary: 'adds a person who may log in at /operator; the first one is an admin',
  async run(client, args) {
    const { options, required } = optionsOf(args, ['login', 'name'], ['role', 'password']);
    const password = options['password'] ?? newPassword();
    const role = options['role'] ?? 'admin';
    const body = bodyOf(NewOperator, { login: required('login'), name: required('name'), role, password });
    await client.call(endpoints.addOperator, { body });
    console.log(`Added ${body.login} as ${body.role}.`);
    if (options['password'] === undefined) console.log(`Password: ${password}`);
    console.log('The first login at /operator sets up an authenticator app.');
  },
};

/** Gives an operator a new password, and lets the account be set up with an authenticator app again. */
export const resetOperatorCommand: Command = {
  usage: 'reset-operator LOGIN',
  summary: 'gives an operator a new password and lets the authenticator app be set up again',
  async run(client, args) {
    const login = only(optionsOf(args, []).positionals, 'operator');
    const { operators } = await client.call(endpoints.listOperators);
    const found = operators.find((operator) => operator.login === login);
    if (!found) throw new OperatorError(`There is no operator ${login}.`);
    const password = newPassword();
    await client.call(endpoints.changeOperator, {
      params: { uuid: found.uuid },
      body: { password, reset_authenticator: true },
    });
    console.log(`Password: ${password}`);
    console.log('The next login at /operator sets up an authenticator app.');
  },
};
