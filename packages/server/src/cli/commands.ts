import * as endpoints from '@bidwell/contract/operator/endpoints';
import { type Decision, type ModerationItem, moderatedEntities } from '@bidwell/contract/moderation/schema';
import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { Uuid } from '@bidwell/contract/lib/wire';
import { backupCommand, moveCommand, restoreCommand } from './backup-commands.ts';
import { type OperatorClient, OperatorError } from './client.ts';
import { copyFilesCommand } from './copy-files.ts';
import { type Command, amountOf, only, optionsOf } from './command.ts';
import { addOperatorCommand, operatorsCommand, resetOperatorCommand } from './operator-commands.ts';
import { ssp, unreadablePrices } from './ssp-command.ts';

function money(name: 'credit' | 'debit', verb: string): Command {
  const endpoint = name === 'credit' ? endpoints.creditCompany : endpoints.debitCompany;
  return {
    usage: `${name} --company UUID --amount 500 --reason TEXT`,
    summary: `${verb} a company's balance`,
    async run(client, args) {
      const { required } = optionsOf(args, ['company', 'amount', 'reason']);
      const amount = amountOf(required('amount'));
      await client.call(endpoint, {
        params: { uuid: required('company') },
        body: { amount, reason: required('reason') },
      });
      console.log(`${name === 'credit' ? 'Credited' : 'Debited'} $${amount.toFixed(2)}.`);
    },
  };
}

function suspension(suspended: boolean): Command {
  return {
    usage: suspended ? 'suspend COMPANY [--reason TEXT]' : 'resume COMPANY',
    summary: suspended ? 'stops everything a company runs' : 'lets a suspended company run again',
    async run(client, args) {
      const { options, positionals } = optionsOf(args, [], suspended ? ['reason'] : []);
      const uuid = only(positionals, 'company');
      const { reason = '' } = options;
      await client.call(endpoints.suspendCompany, { params: { uuid }, body: { suspended, reason } });
      console.log(suspended ? 'Suspended.' : 'Resumed.');
    },
  };
}

/** Formats one item of the moderation queue: what it is, its link, and the changes against the approved version. */
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

function kindOf(text: string | undefined): ModerationItem['entity'] | undefined {
  if (text === undefined) return undefined;
  const kind = moderatedEntities.find((known) => known === text);
  if (!kind) throw new OperatorError(`--kind is one of ${moderatedEntities.join(', ')}.`);
  return kind;
}

function decision(status: 'Approved' | 'Rejected'): Command {
  const rejected = status === 'Rejected';
  return {
    usage: rejected
      ? 'reject UUID --reason TEXT [--withdraw yes] [--kind app|creative|creative_group|tracking_link]'
      : 'approve UUID | approve all',
    summary: rejected
      ? 'rejects what is waiting for moderation; the approved version keeps running unless withdrawn. With --kind, ' +
        'approved entities can be rejected too'
      : 'approves what is waiting for moderation',
    async run(client, args) {
      const { options, positionals } = optionsOf(
        args,
        rejected ? ['reason'] : [],
        rejected ? ['withdraw', 'kind'] : [],
      );
      const uuid = only(positionals, 'one');
      const kind = kindOf(options['kind']);
      const body = {
        status,
        ...(rejected && { reason: options['reason'] }),
        ...(options['withdraw'] && { withdraw: options['withdraw'] === 'yes' }),
      };
      if (!rejected && uuid === 'all') return approveAll(client);
      const waiting = Uuid.safeParse(uuid).success
        ? (await client.call(endpoints.listModeration, { query: { uuid } })).items
        : [];
      const decided = waiting.length === 0 && kind ? [{ entity: kind, uuid, name: uuid }] : waiting;
      if (decided.length === 0) throw new OperatorError('Nothing with this id is waiting for moderation.');
      for (const item of decided) await decide(client, item, body);
    },
  };
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

function topUp(status: 'success' | 'declined'): Command {
  const name = status === 'success' ? 'confirm' : 'decline';
  return {
    usage: `${name} TOP-UP`,
    summary: `${name}s a top-up that a company requested`,
    async run(client, args) {
      const uuid = only(optionsOf(args, []).positionals, 'top-up');
      await client.call(endpoints.decideTopUp, { params: { uuid }, body: { status } });
      console.log(status === 'success' ? 'Confirmed.' : 'Declined.');
    },
  };
}

const rates: Command = {
  usage: 'rates | rates set EUR --dollars 1.08',
  summary: 'lists the currency rates, or sets one; exchanges that use other currencies get no bids',
  async run(client, args) {
    const { options, positionals } = optionsOf(args, [], ['dollars']);
    const [verb, currency] = positionals;
    if (verb === undefined) {
      const { rates: known } = await client.call(endpoints.listRates);
      return known.length === 0
        ? console.log('Only US dollars: no other rates are set.')
        : console.table(known);
    }
    if (verb !== 'set' || !currency) throw new OperatorError(`Usage: ${rates.usage}`);
    if (!options['dollars']) throw new OperatorError('--dollars is missing.');
    const dollars = amountOf(options['dollars']);
    await client.call(endpoints.putRate, { params: { currency }, body: { dollars } });
    console.log(`One ${currency} is ${options['dollars']} dollars.`);
  },
};

const stopBidding: Command = {
  usage: 'stop-bidding --reason TEXT',
  summary: 'stops the bidding of all companies on all exchanges, within two seconds',
  async run(client, args) {
    const { required } = optionsOf(args, ['reason']);
    await client.call(endpoints.switchBidding, { body: { stopped: true, reason: required('reason') } });
    console.log('Bidding is stopped.');
  },
};

const resumeBidding: Command = {
  usage: 'resume-bidding',
  summary: 'resumes bidding after stop-bidding',
  async run(client) {
    await client.call(endpoints.switchBidding, { body: { stopped: false } });
    console.log('Bidding has resumed.');
  },
};

const checkLedger: Command = {
  usage: 'check-ledger',
  summary: 'checks that entries sum to zero, balances equal their entries, and reports equal the ledger',
  async run(client) {
    const check = await client.call(endpoints.checkLedger);
    const { transactions, entries, balances, disagreements } = check;
    const extent = `${transactions} transactions, ${entries} entries, balances of $${balances.toFixed(2)}`;
    if (disagreements.length === 0) return console.log(`The ledger is consistent: ${extent}.`);
    console.table(disagreements);
    throw new OperatorError(`Discrepancies in the ledger: ${disagreements.length} (${extent}).`);
  },
};

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

/** The operator's commands, by name. */
export const commands: Record<string, Command | undefined> = {
  companies: {
    usage: 'companies [--search TEXT]',
    summary:
      'lists the companies with their logins and balances, or those whose name or login contains a text',
    async run(client, args) {
      const { search } = optionsOf(args, [], ['search']).options;
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
  },
  credit: money('credit', 'raises'),
  debit: money('debit', 'lowers'),
  suspend: suspension(true),
  resume: suspension(false),
  moderation: {
    usage: 'moderation',
    summary: 'lists what is waiting for moderation',
    async run(client) {
      const { items, waiting } = await client.call(endpoints.listModeration);
      if (items.length === 0) console.log('Nothing is waiting for moderation.');
      else for (const item of items) console.log(described(item));
      if (waiting > items.length) console.log(`These are the oldest ${items.length} of ${waiting}.`);
    },
  },
  approve: decision('Approved'),
  reject: decision('Rejected'),
  'top-ups': {
    usage: 'top-ups',
    summary: 'lists the top-ups that companies requested',
    async run(client) {
      const { top_ups: topUps } = await client.call(endpoints.listTopUps);
      if (topUps.length === 0) console.log('None.');
      else console.table(topUps);
    },
  },
  confirm: topUp('success'),
  decline: topUp('declined'),
  'check-ledger': checkLedger,
  'stop-bidding': stopBidding,
  'resume-bidding': resumeBidding,
  rates,
  ssp,
  'unreadable-prices': unreadablePrices,
  operators: operatorsCommand,
  'add-operator': addOperatorCommand,
  'reset-operator': resetOperatorCommand,
  'copy-files': copyFilesCommand,
  backup: backupCommand,
  restore: restoreCommand,
  move: moveCommand,
};

export function usage(): string {
  const lines = Object.values(commands).flatMap((command) =>
    command ? [`  ${command.usage}`, `      ${command.summary}`] : [],
  );
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
