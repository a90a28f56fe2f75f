import * as endpoints from '@bidwell/contract/operator/endpoints';
import { type Decision, type ModerationItem, moderatedEntities } from '@bidwell/contract/moderation/schema';
import { DeviceErasureInput } from '@bidwell/contract/operator/device-erasure';
import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { Uuid } from '@bidwell/contract/lib/wire';
import { z } from 'zod';
import { backupCommand, moveCommand, restoreCommand } from './backup-commands.ts';
import { type OperatorClient, OperatorError } from './client.ts';
import { copyFilesCommand } from './copy-files.ts';
import { type Command, calling, checked, command } from './command.ts';
import { sspCommands } from './ssp-command.ts';
import * as accounts from '@bidwell/contract/operator-accounts/endpoints';
import { NewOperator } from '@bidwell/contract/operator-accounts/schema';
import { randomBytes } from 'node:crypto';

/** Formats one item of the moderation queue: kind and name, link, and the changes against the approved version. */
function described({
  entity,
  uuid,
  company_uuid: company,
  name,
  link,
  since,
  pending,
  approved,
}: ModerationItem) {
  const fields = Object.entries(pending)
    .filter(([field, value]) => (approved ? approved[field] !== value : value))
    .map(([field, value]) => `  ${field}: ${approved ? `${approved[field] ?? '-'} → ` : ''}${value ?? '-'}`);
  const heading = `${entity.replaceAll('_', ' ')} “${name}” ${uuid} (company ${company}, since ${since})`;
  return [heading, ...(link ? [`  ${link}`] : []), ...fields].join('\n');
}

/** The entities with an id that wait, or one of them by kind and id. Throws OperatorError if there is none. */
async function waitingFor(
  client: OperatorClient,
  uuid: string,
  kind?: ModerationItem['entity'],
): Promise<Decided[]> {
  const { items } = Uuid.safeParse(uuid).success
    ? await client.call(endpoints.listModeration, { query: { uuid } })
    : { items: [] };
  if (items.length > 0) return items;
  if (kind) return [{ entity: kind, uuid, name: uuid }];
  throw new OperatorError('Nothing with this id is waiting for moderation.');
}

type Decided = Pick<ModerationItem, 'entity' | 'uuid' | 'name'>;

async function decide(
  client: OperatorClient,
  { entity, uuid, name }: Decided,
  body: Decision,
): Promise<void> {
  await client.call(endpoints.decisions[entity], { params: { uuid }, body });
  console.log(`${body.status} ${entity.replaceAll('_', ' ')} “${name}”.`);
}

/** Approves page after page of the queue until nothing is left that was not approved before. */
async function approveAll(client: OperatorClient): Promise<void> {
  const approved = new Set<string>();
  for (;;) {
    const { items } = await client.call(endpoints.listModeration);
    // A call that was repeated with its key changes nothing, so its entity may still wait.
    const left = items.filter(({ uuid }) => !approved.has(uuid));
    if (left.length === 0 && approved.size === 0)
      throw new OperatorError('Nothing with this id is waiting for moderation.');
    if (left.length === 0) return;
    for (const item of left) {
      await decide(client, item, { status: 'Approved' });
      approved.add(item.uuid);
    }
  }
}

/** Reads all pages of the list of companies. */
async function allCompanies(client: OperatorClient, q: string | undefined): Promise<OperatorCompany[]> {
  const found: OperatorCompany[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, limit: 200, ...(q !== undefined && { q }) };
    const { companies, total } = await client.call(endpoints.listCompanies, { query });
    found.push(...companies);
    if (companies.length === 0 || found.length >= total) return found;
  }
}

const PASSWORD_BYTES = 12;

/** A password that is shown once, to the operator who runs the command. */
const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');
const { role, password: chosen } = NewOperator.shape;

/** Lists and adds operators, and gives them new passwords. */
const operatorCommands = {
  operators: calling(accounts.listOperators, {}, ({ operators }) =>
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
      await client.call(accounts.addOperator, { body });
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
      const { operators } = await client.call(accounts.listOperators);
      const found = operators.find((operator) => operator.login === login);
      if (!found) throw new OperatorError(`There is no operator ${login}.`);
      const body = { password: newPassword(), reset_authenticator: true as const };
      await client.call(accounts.changeOperator, { params: { uuid: found.uuid }, body });
      console.log(`Password: ${body.password}`);
      console.log('The next login at /operator sets up an authenticator app.');
    },
  }),
};

/** The operator's commands, by name; some names have two words. */
export const commands: Readonly<Record<string, Command>> = {
  companies: command({
    options: z.object({ search: z.string().optional() }),
    summary:
      'List the companies with their logins and balances, or those whose name or login contains a text',
    async run(client, { search }) {
      console.table(
        (await allCompanies(client, search)).map(({ uuid, name, logins, balance, suspended }) => ({
          uuid,
          name,
          logins: logins.join(', '),
          balance,
          suspended,
        })),
      );
    },
  }),
  credit: calling(
    endpoints.creditCompany,
    { of: '--company' },
    (_, { amount }) => `Credited $${amount.toFixed(2)}.`,
  ),
  debit: calling(
    endpoints.debitCompany,
    { of: '--company' },
    (_, { amount }) => `Debited $${amount.toFixed(2)}.`,
  ),
  suspend: calling(
    endpoints.suspendCompany,
    { of: 'company', sets: { suspended: true } },
    () => 'Suspended.',
  ),
  resume: calling(
    endpoints.suspendCompany,
    { of: 'company', sets: { suspended: false, reason: '' } },
    () => 'Resumed.',
  ),
  'prove-domain': calling(
    endpoints.proveSsoDomain,
    { of: 'company' },
    ({ domain }) => `${domain} is proven.`,
  ),
  moderation: calling(endpoints.listModeration, {}, ({ items, waiting }) =>
    [
      ...(items.length === 0 ? ['Nothing is waiting for moderation.'] : items.map(described)),
      ...(waiting > items.length ? [`These are the oldest ${items.length} of ${waiting}.`] : []),
    ].join('\n'),
  ),
  approve: command({
    of: 'one',
    summary: 'Approve what is waiting for moderation: the entity with an id, or all',
    async run(client, _options, uuid) {
      if (uuid === 'all') return approveAll(client);
      for (const item of await waitingFor(client, uuid)) await decide(client, item, { status: 'Approved' });
    },
  }),
  reject: command({
    of: 'one',
    options: z.object({
      reason: z.string(),
      withdraw: z.enum(['yes', 'no']).optional(),
      kind: z.enum(moderatedEntities).optional(),
    }),
    summary:
      'Reject what is waiting for moderation; the approved version keeps running unless withdrawn. With --kind, ' +
      'approved entities can be rejected too',
    async run(client, { reason, withdraw, kind }, uuid) {
      const body: Decision = {
        status: 'Rejected',
        reason,
        ...(withdraw && { withdraw: withdraw === 'yes' }),
      };
      for (const item of await waitingFor(client, uuid, kind)) await decide(client, item, body);
    },
  }),
  'top-ups': calling(endpoints.listTopUps, {}, ({ top_ups: rows }) => rows),
  confirm: calling(endpoints.decideTopUp, { of: 'top-up', sets: { status: 'success' } }, () => 'Confirmed.'),
  decline: calling(endpoints.decideTopUp, { of: 'top-up', sets: { status: 'declined' } }, () => 'Declined.'),
  'check-ledger': command({
    summary: 'Check that entries sum to zero, balances equal their entries, and reports equal the ledger',
    async run(client) {
      const { transactions, entries, balances, disagreements } = await client.call(endpoints.checkLedger);
      const extent = `${transactions} transactions, ${entries} entries, balances of $${balances.toFixed(2)}`;
      if (disagreements.length === 0) return console.log(`The ledger is consistent: ${extent}.`);
      console.table(disagreements);
      throw new OperatorError(`Discrepancies in the ledger: ${disagreements.length} (${extent}).`);
    },
  }),
  'stop-bidding': command({
    options: z.object({ reason: z.string() }),
    summary: 'Stop the bidding of all companies on all exchanges, within two seconds',
    async run(client, { reason }) {
      await client.call(endpoints.switchBidding, { body: { stopped: true, reason } });
      console.log('Bidding is stopped.');
    },
  }),
  'resume-bidding': calling(
    endpoints.switchBidding,
    { sets: { stopped: false, reason: '' } },
    () => 'Bidding has resumed.',
  ),
  rates: calling(endpoints.listRates, {}, ({ rates }) =>
    rates.length === 0 ? 'Only US dollars: no other rates are set.' : rates,
  ),
  'rates set': calling(
    endpoints.putRate,
    { of: 'currency' },
    ({ currency, dollars }) => `One ${currency} is ${dollars} dollars.`,
  ),
  'erase-device': command({
    of: 'device',
    options: DeviceErasureInput.omit({ id: true }),
    summary:
      'Erase a device or a person by an id that measurement partners report, such as an IDFA or a GAID: nothing is stored ' +
      'of it any more, and what is stored is removed',
    async run(client, options, id) {
      const body = checked(DeviceErasureInput, { ...options, id }, () => 'device');
      const { uuid, id_hash: idHash } = await client.call(endpoints.eraseDevice, { body });
      console.log(
        [
          `Erasure ${uuid}, in the audit log as ${idHash}.`,
          'Postbacks that name the device are no longer stored. What is stored is removed now, and what was on its way in ten',
          'minutes: "erasures" shows what was found. Backups that were made before have it until they are deleted.',
        ].join('\n'),
      );
    },
  }),
  erasures: calling(endpoints.listDeviceErasures, {}, ({ erasures }) =>
    erasures.map(
      ({
        uuid,
        requested_at: requested,
        finished_at: finished,
        revoked_at: revoked,
        postbacks,
        events,
        clicks,
      }) => ({
        uuid,
        requested,
        postbacks,
        in_app_events: events,
        clicks,
        finished: finished ?? 'not yet',
        revoked: revoked ?? 'no',
      }),
    ),
  ),
  'revoke-erasure': calling(
    endpoints.revokeDeviceErasure,
    { of: 'erasure' },
    () => 'Revoked. Later postbacks of the device count again; what was deleted stays deleted.',
  ),
  ...sspCommands,
  'unreadable-prices': calling(endpoints.listUnreadablePrices, {}, ({ unreadable_prices: rows }) => rows),
  ...operatorCommands,
  'copy-files': copyFilesCommand,
  backup: backupCommand,
  restore: restoreCommand,
  move: moveCommand,
};

/** The command that arguments name, and the arguments after the name; undefined if there is none. */
export function commandIn(words: readonly string[]): NamedCommand | undefined {
  const count = [2, 1].find((length) => Object.hasOwn(commands, words.slice(0, length).join(' ')));
  if (count === undefined) return undefined;
  const name = words.slice(0, count).join(' ');
  return { name, command: commands[name]!, args: words.slice(count) };
}

interface NamedCommand {
  name: string;
  command: Command;
  args: string[];
}

/** The help of a command. */
export function helpOf({
  name,
  command: { usage: form, summary },
}: Pick<NamedCommand, 'name' | 'command'>): string {
  return [`  ${name} ${form}`.trimEnd(), `      ${summary}`].join('\n');
}

export function usage(): string {
  const lines = Object.entries(commands).map(([name, value]) => helpOf({ name, command: value }));
  return [
    'Usage: npm run operator -- COMMAND',
    '',
    ...lines,
    '',
    'It calls the running server (BIDWELL_URL, else HOST and PORT) with OPERATOR_TOKEN or the token in DATA_DIR.',
    'A command that writes prints its Idempotency-Key. Repeated within a day with --idempotency-key KEY it is carried out',
    'once: repeat it if you do not know whether it succeeded.',
  ].join('\n');
}
