import * as endpoints from '@bidwell/contract/operator/endpoints';
import { type ExchangeList, SspInput } from '@bidwell/contract/operator/schema';
import { type OperatorClient, OperatorError } from './client.ts';
import { type Command, bodyOf, only, optionsOf } from './command.ts';

/** Lists, adds and changes exchanges. */
export const ssp: Command = {
  usage:
    'ssp list | ssp add SLUG --name NAME [SETTINGS] | ssp set SLUG [SETTINGS] | ssp rotate SLUG [--end-old true], where ' +
    'SETTINGS are --name NAME, --charge-on billing|win|impression|first, --auction-type request|first|second, ' +
    '--click-macro TEXT, --price-macro TEXT, --loss-macro TEXT, ' +
    '--price-format plain|google-encrypted, --price-encryption-key KEY, --price-integrity-key KEY, ' +
    '--decimal-comma true|false, --unreadable-price bid|hold|zero, --device-notices none|billing|all, --timeout-ms N, --requests-per-second N, ' +
    '--answer-bytes-max N, --seat TEXT, --secret TEXT, --open true|false, --active true|false; "none" clears a number',
  summary:
    'lists and configures exchanges; each sends its bid requests to /openrtb/SLUG/SECRET. rotate creates a new secret, ' +
    'the old one stays valid for 24 hours; with --open true no secret is needed, and anybody can fetch bids',
  async run(client, args) {
    const [verb, ...rest] = args;
    if (verb === 'rotate') return rotate(client, rest);
    const list = await client.call(endpoints.listExchanges);
    const { ssps } = list;
    if (verb === 'list') return console.table(ssps);
    if (verb !== 'add' && verb !== 'set') throw new OperatorError(`Usage: ${ssp.usage}`);
    const { options, positionals } = optionsOf(rest, [], Object.keys(settings));
    const slug = only(positionals, 'exchange');
    const present = ssps.find((known) => known.slug === slug);
    if (verb === 'add' && present)
      throw new OperatorError(`The exchange ${slug} already exists: use ssp set.`);
    if (verb === 'set' && !present) throw new OperatorError(`There is no exchange ${slug}: use ssp add.`);
    const named = Object.entries(options).filter(([, text]) => text !== undefined);
    const changes = named.map(([option, text]) => [option.replaceAll('-', '_'), settings[option]!(text!)]);
    const input = { ...(present ?? { name: slug }), ...Object.fromEntries(changes) };
    const body = bodyOf(SspInput, input);
    const saved = await client.call(endpoints.putExchange, { params: { slug }, body });
    console.log(`Saved. Its bid requests go to ${addressIn(list, saved.path)}`);
    adviseOn(list);
    if (saved.open)
      console.log(
        `It is open: anybody who knows /openrtb/${slug} can fetch bids in its name and have them charged.`,
      );
  },
};

async function rotate(client: OperatorClient, args: string[]): Promise<void> {
  const { options, positionals } = optionsOf(args, [], ['end-old']);
  const slug = only(positionals, 'exchange');
  const list = await client.call(endpoints.listExchanges);
  const body = { end_old: options['end-old'] !== undefined && yesOrNo('end-old')(options['end-old']) };
  const { path, previous_secret_until: until } = await client.call(endpoints.rotateExchangeSecret, {
    params: { slug },
    body,
  });
  console.log(`Its bid requests go to ${addressIn(list, path)} from now on.`);
  console.log(until === null ? 'The old address no longer works.' : `The old address works until ${until}.`);
  adviseOn(list);
}

/** The whole address of an exchange's bid requests, or its path alone where PUBLIC_URL is not set. */
function addressIn({ public_url: url, public_url_is_set: isSet }: ExchangeList, path: string): string {
  return isSet ? url + path : path;
}

function adviseOn({ public_url_is_set: isSet }: ExchangeList): void {
  if (!isSet)
    console.log(
      'PUBLIC_URL is not set: before this path belongs the address at which exchanges reach this server, such as https://ads.example.com.',
    );
}

const asText = (text: string) => text;

function numberOrNone(text: string): number | null {
  if (text === 'none') return null;
  if (!/^\d+$/.test(text)) throw new OperatorError(`"${text}" is not a number.`);
  return Number(text);
}

const yesOrNo =
  (name: string) =>
  (text: string): boolean => {
    if (text !== 'true' && text !== 'false') throw new OperatorError(`--${name} is true or false.`);
    return text === 'true';
  };

/** Parsers of the options of `ssp add` and `ssp set`. */
const settings: Record<string, (text: string) => string | number | boolean | null> = {
  name: asText,
  'charge-on': asText,
  'auction-type': asText,
  'click-macro': asText,
  'price-macro': asText,
  'loss-macro': asText,
  'price-format': asText,
  'price-encryption-key': asText,
  'price-integrity-key': asText,
  'decimal-comma': yesOrNo('decimal-comma'),
  'unreadable-price': asText,
  'device-notices': asText,
  'timeout-ms': numberOrNone,
  'requests-per-second': numberOrNone,
  'answer-bytes-max': numberOrNone,
  seat: asText,
  secret: asText,
  open: yesOrNo('open'),
  active: yesOrNo('active'),
};

/** Lists notices whose price could not be read, by exchange and reason. */
export const unreadablePrices: Command = {
  usage: 'unreadable-prices [--days 7]',
  summary:
    'lists, by exchange and reason, the notices of the last days without a readable price: what they ' +
    'charged by the rule of their exchange (ssp set SLUG --unreadable-price), the prices of their bids, and an example',
  async run(client, args) {
    const { options } = optionsOf(args, [], ['days']);
    const days = numberOrNone(options['days'] ?? '7') ?? 7;
    const { unreadable_prices: rows } = await client.call(endpoints.listUnreadablePrices, {
      query: { days },
    });
    if (rows.length === 0) console.log('None.');
    else console.table(rows);
  },
};
