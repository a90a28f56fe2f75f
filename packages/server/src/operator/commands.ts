import type {
  LedgerCheck,
  ModerationItem,
  OperatorCompany,
  SspInput,
  TopUpItem,
} from '@bidwell/contract/operator';
import { parseArgs } from 'node:util';
import type { OperatorClient } from './client.ts';
import { OperatorError } from './client.ts';

/** A command of the operator's command line. */
export interface Command {
  usage: string;
  summary: string;
  run(client: OperatorClient, args: string[]): Promise<void>;
}

type Options = Record<string, string | undefined>;

/** Reads `--name value` options; those in `required` must be there. */
function optionsOf(
  args: string[],
  required: string[],
  optional: string[] = [],
): { options: Options; positionals: string[] } {
  const names = [...required, ...optional];
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const missing = required.find((name) => !values[name]);
  if (missing) throw new OperatorError(`--${missing} is missing.`);
  return { options: values as Options, positionals };
}

function only(positionals: string[], what: string): string {
  const [value] = positionals;
  if (!value) throw new OperatorError(`Which ${what}? Give its id.`);
  return value;
}

function amountOf(text: string): number {
  const amount = Number(text);
  if (!(amount > 0 && Number.isFinite(amount))) throw new OperatorError(`"${text}" is no amount of dollars.`);
  return amount;
}

function money(path: 'credit' | 'debit', verb: string): Command {
  return {
    usage: `${path} --company UUID --amount 500 --reason TEXT`,
    summary: `${verb} a company's balance`,
    async run(client, args) {
      const { options } = optionsOf(args, ['company', 'amount', 'reason']);
      const { company, amount, reason } = options;
      await client.call('POST', `/companies/${company}/${path}`, { amount: amountOf(amount!), reason });
      console.log(`${path === 'credit' ? 'Credited' : 'Debited'} $${amountOf(amount!).toFixed(2)}.`);
    },
  };
}

function suspension(suspended: boolean): Command {
  const name = suspended ? 'suspend' : 'resume';
  return {
    usage: `${name} COMPANY`,
    summary: suspended ? 'stops everything a company runs' : 'lets a suspended company run again',
    async run(client, args) {
      const uuid = only(optionsOf(args, []).positionals, 'company');
      await client.call('PUT', `/companies/${uuid}/suspension`, { suspended });
      console.log(suspended ? 'Suspended.' : 'Resumed.');
    },
  };
}

function decision(status: 'Approved' | 'Rejected'): Command {
  const rejected = status === 'Rejected';
  return {
    usage: rejected ? 'reject UUID --reason TEXT' : 'approve UUID | approve all',
    summary: `${rejected ? 'rejects' : 'approves'} an app or creative that waits for moderation`,
    async run(client, args) {
      const { options, positionals } = optionsOf(args, rejected ? ['reason'] : []);
      const uuid = only(positionals, 'app or creative');
      const { items } = (await client.call('GET', '/moderation')) as { items: ModerationItem[] };
      const decided = !rejected && uuid === 'all' ? items : items.filter((item) => item.uuid === uuid);
      if (decided.length === 0) throw new OperatorError('Nothing of that id waits for moderation.');
      for (const item of decided) {
        await client.call('POST', `/${item.entity}s/${item.uuid}/decision`, {
          status,
          ...(rejected && { reason: options['reason'] }),
        });
        console.log(`${status} ${item.entity} “${item.name}”.`);
      }
    },
  };
}

function topUp(status: 'success' | 'declined'): Command {
  const name = status === 'success' ? 'confirm' : 'decline';
  return {
    usage: `${name} TOP-UP`,
    summary: `${name}s a top-up that a company asked for`,
    async run(client, args) {
      await client.call('POST', `/top-ups/${only(optionsOf(args, []).positionals, 'top-up')}/decision`, {
        status,
      });
      console.log(status === 'success' ? 'Confirmed.' : 'Declined.');
    },
  };
}

const ssp: Command = {
  usage:
    'ssp list | ssp add SLUG --name NAME [SETTINGS] | ssp set SLUG [SETTINGS], where SETTINGS are ' +
    '--name NAME, --charge-on billing|win|impression|first, --auction-type request|first|second, --click-macro TEXT, ' +
    '--price-macro TEXT, --loss-macro TEXT, --timeout-ms N, --requests-per-second N, --secret TEXT, --active true|false; ' +
    'none takes back a number or a secret',
  summary: 'lists and configures exchanges; each sends its bid requests to /openrtb/SLUG',
  async run(client, args) {
    const [verb, ...rest] = args;
    const { ssps } = (await client.call('GET', '/ssps')) as { ssps: (SspInput & { slug: string })[] };
    if (verb === 'list') return console.table(ssps);
    if (verb !== 'add' && verb !== 'set') throw new OperatorError(`Usage: ${ssp.usage}`);
    const { options, positionals } = optionsOf(rest, [], Object.keys(sspSettings));
    const slug = only(positionals, 'exchange');
    const present = ssps.find((known) => known.slug === slug);
    if (verb === 'add' && present)
      throw new OperatorError(`The exchange ${slug} is there already: use ssp set.`);
    if (verb === 'set' && !present) throw new OperatorError(`There is no exchange ${slug}: use ssp add.`);
    const { slug: _slug, ...before } = present ?? { slug, name: slug };
    const named = Object.entries(options).filter(([, text]) => text !== undefined);
    const changes = named.map(([option, text]) => [option.replaceAll('-', '_'), sspSettings[option]!(text!)]);
    await client.call('PUT', `/ssps/${slug}`, { ...before, ...Object.fromEntries(changes) });
    const secret = options['secret'] ?? present?.secret ?? 'none';
    console.log(`Saved. Its bid requests go to /openrtb/${slug}${secret === 'none' ? '' : `/${secret}`}`);
  },
};

const asText = (text: string) => text;
const orNone = (text: string) => (text === 'none' ? null : text);

function numberOrNone(text: string): number | null {
  if (text === 'none') return null;
  if (!/^\d+$/.test(text)) throw new OperatorError(`"${text}" is no number.`);
  return Number(text);
}

/** The options of `ssp add` and `ssp set`, and how each is read. */
const sspSettings: Record<string, (text: string) => string | number | boolean | null> = {
  name: asText,
  'charge-on': asText,
  'auction-type': asText,
  'click-macro': asText,
  'price-macro': asText,
  'loss-macro': asText,
  'timeout-ms': numberOrNone,
  'requests-per-second': numberOrNone,
  secret: orNone,
  active(text) {
    if (text !== 'true' && text !== 'false') throw new OperatorError('--active is true or false.');
    return text === 'true';
  },
};

const rates: Command = {
  usage: 'rates | rates set EUR --dollars 1.08',
  summary: 'lists what currencies are worth, or sets one; exchanges that count in others get no bid',
  async run(client, args) {
    const { options, positionals } = optionsOf(args, [], ['dollars']);
    const [verb, currency] = positionals;
    if (verb === undefined) {
      const { rates: known } = (await client.call('GET', '/rates')) as { rates: object[] };
      return known.length === 0 ? console.log('Dollars only.') : console.table(known);
    }
    if (verb !== 'set' || !currency) throw new OperatorError(`Usage: ${rates.usage}`);
    if (!options['dollars']) throw new OperatorError('--dollars is missing.');
    await client.call('PUT', `/rates/${currency}`, { dollars: amountOf(options['dollars']) });
    console.log(`One ${currency} is ${options['dollars']} dollars.`);
  },
};

const checkLedger: Command = {
  usage: 'check-ledger',
  summary: 'proves that entries sum to zero, balances equal their entries, and reports equal the ledger',
  async run(client) {
    const books = (await client.call('GET', '/ledger/check')) as LedgerCheck;
    const { transactions, entries, balances, disagreements } = books;
    const extent = `${transactions} transactions, ${entries} entries, balances of $${balances.toFixed(2)}`;
    if (disagreements.length === 0) return console.log(`The books agree: ${extent}.`);
    console.table(disagreements);
    throw new OperatorError(`The books disagree in ${disagreements.length} places (${extent}).`);
  },
};

/** Every command, by name. */
export const commands: Record<string, Command | undefined> = {
  companies: {
    usage: 'companies',
    summary: 'lists the companies with their logins and balances',
    async run(client) {
      const { companies } = (await client.call('GET', '/companies')) as { companies: OperatorCompany[] };
      console.table(
        companies.map(({ uuid, name, logins, balance, suspended }) => ({
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
    summary: 'lists what waits for a decision',
    async run(client) {
      const { items } = (await client.call('GET', '/moderation')) as { items: ModerationItem[] };
      if (items.length === 0) console.log('Nothing waits.');
      else console.table(items);
    },
  },
  approve: decision('Approved'),
  reject: decision('Rejected'),
  'top-ups': {
    usage: 'top-ups',
    summary: 'lists the top-ups that companies asked for',
    async run(client) {
      const { top_ups: topUps } = (await client.call('GET', '/top-ups')) as { top_ups: TopUpItem[] };
      if (topUps.length === 0) console.log('None.');
      else console.table(topUps);
    },
  },
  confirm: topUp('success'),
  decline: topUp('declined'),
  'check-ledger': checkLedger,
  rates,
  ssp,
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
    'It speaks to the running server (BIDWELL_URL, else HOST and PORT) with OPERATOR_TOKEN or DATA_DIR’s.',
    'A command that writes prints its Idempotency-Key. Repeated within a day with --idempotency-key KEY it is carried out',
    'once: do so when you do not know whether it went through.',
  ].join('\n');
}
