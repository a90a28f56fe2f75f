import { MMPS, Mmp } from '@bidwell/contract/apps/fields';
import { toDollars } from '@bidwell/contract/lib/money';
import { PROFILE_SLUGS, type ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import {
  type PartnerCounterpart,
  startPartnerCounterpart,
} from '@bidwell/testing/partners/partner-counterpart';
import { startReviewCounterpart } from '@bidwell/testing/exchange-reviews/review-counterpart';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Counts } from './counts.ts';
import type { PriceKeys } from './encrypted-price.ts';
import { type MoneyCheck, type OperatorAccess, followMoney } from './money-check.ts';
import { PERSONALITIES, type PersonalityName, personalityOf } from './personality.ts';
import { startExchange } from './run.ts';

const usage = `Sends OpenRTB traffic to a running server, holds the auctions and plays the people who see the ads.

  npm run exchange -- --url http://127.0.0.1:8080 --ssp NAME --secret SECRET [--rps 60] [--steady] [--seed 1] [--personality standard]
                      [--seconds N] [--postback-secret SECRET [--push] [--mmp ${MMPS.join('|')}]]
                      [--partners-port PORT --partner-apps ID,ID]
                      [--profile NAME [--cache-scale 1] [--review-seconds 0] [--billing-ids 1,2]] [--public-url URL]
                      [--price-encryption-key KEY --price-integrity-key KEY] [--check --operator-token TOKEN]

  --ssp, --secret    the exchange's name and secret at the server, as "ssp list" shows them: requests go to
                     /openrtb/NAME/SECRET; an open exchange needs no secret
  --rps              requests a second, on the average of a day
  --steady           the same rate at every hour
  --personality      ${Object.entries(PERSONALITIES)
    .map(([name, { title }]) => `${name}: ${title}`)
    .join('\n                     ')}
  --profile          plays a named exchange, and refuses what it would refuse: ${PROFILE_SLUGS.slice(1, 8).join(', ')},
                     ${PROFILE_SLUGS.slice(8).join(', ')}
  --cache-scale      the part of the time for which it caches ads: 0.05 shows them within 6 minutes in place of 120
  --review-seconds   how long it reviews a creative, from the first bid on
  --billing-ids      billing ids that its requests name, for google
  --public-url       PUBLIC_URL of the server, if it is not --url
  --price-…-key      keys of its prices, in Base64, for google
  --seconds          stops by itself
  --check            compares the money at the end with the server's count; exit code 1 if they differ, or a bid was refused
  --operator-token   token of the operator, OPERATOR_TOKEN by default
  --operator-url     address of the operator's calls, if it is not --url
  --postback-secret  the company's postback secret: without it there are no installs
  --push             AppsFlyer also sends messages of its Push API, which count once with its postbacks
  --mmp              for tracking links of unknown hosts
  --partners-port    stands in for measurement partners at this port, the server's PARTNER_STAND_IN: AppsFlyer takes costs of the
                     apps, by their ids at AppsFlyer, with the token "appsflyer-token". Xandr reviews and approves creatives of the
                     member 958, whose user is "reviews" with the password "a-password"`;

const Url = z
  .url({ protocol: /^https?$/, error: 'an address such as http://127.0.0.1:8080' })
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));
const PRICE_KEY_BYTES = 32;
const PriceKey = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === PRICE_KEY_BYTES, '32 bytes in Base64');

const Options = z
  .object({
    url: Url,
    ssp: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'lower-case letters, digits and dashes'),
    secret: z.string().min(1).optional(),
    rps: z.coerce.number().positive().max(20_000).default(60),
    steady: z.boolean().default(false),
    seed: z.coerce.number().int().default(1),
    personality: z
      .enum(Object.keys(PERSONALITIES) as [PersonalityName, ...PersonalityName[]])
      .default('standard'),
    profile: z.enum(PROFILE_SLUGS).optional(),
    'cache-scale': z.coerce.number().positive().max(1).default(1),
    'review-seconds': z.coerce.number().min(0).max(86_400).default(0),
    'billing-ids': z
      .string()
      .regex(/^\d{1,20}(,\d{1,20})*$/, 'numbers with commas between them')
      .transform((ids) => ids.split(','))
      .optional(),
    'public-url': Url.optional(),
    'price-encryption-key': PriceKey.optional(),
    'price-integrity-key': PriceKey.optional(),
    seconds: z.coerce.number().positive().max(1_000_000).optional(),
    check: z.boolean().default(false),
    'operator-token': z.string().min(1).optional(),
    'operator-url': Url.optional(),
    'postback-secret': z.string().min(1).optional(),
    push: z.boolean().default(false),
    mmp: Mmp.default('appsflyer'),
    'partners-port': z.coerce.number().int().min(1).max(65_535).optional(),
    'partner-apps': z
      .string()
      .transform((ids) => ids.split(','))
      .default([]),
  })
  .refine((options) => !options['price-encryption-key'] === !options['price-integrity-key'], {
    path: ['price-integrity-key'],
    message: 'both keys, or none',
  })
  .refine((options) => !options.check || options['operator-token'], {
    path: ['operator-token'],
    message: 'is needed for --check',
  });
type Options = z.infer<typeof Options>;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (!options) return 2;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const partners = await openPartners(options);
  const { seconds, 'postback-secret': postbackSecret } = options;
  const compare = options.check ? await followMoney(accessOf(options)) : null;
  const timer = seconds && setTimeout(() => stop.abort(), seconds * 1000);
  const exchange = startExchange({
    url: options.url,
    ssp: options.ssp,
    secret: options.secret,
    requestsPerSecond: options.rps,
    steady: options.steady,
    seed: options.seed,
    personality: options.profile
      ? personalityOf(options.profile, options['cache-scale'])
      : options.personality,
    publicUrl: options['public-url'],
    priceKeys: priceKeysOf(options),
    agreement: {
      billingIds: options['billing-ids'] ?? [],
      reviewMs: options['review-seconds'] * 1000,
    },
    postback: postbackSecret ? { mmp: options.mmp, secret: postbackSecret, push: options.push } : undefined,
    signal: stop.signal,
  });
  const print = () => {
    console.log(lineOf(exchange.counts(), options.profile));
    for (const line of exchange.badResponses()) console.log(`  bad answers: ${line}`);
    if (partners) console.log(`  ${storedLine(partners)}`);
    for (const line of exchange.refusals()) console.log(`  refused: ${line}`);
  };
  const report = setInterval(print, 5000);
  await exchange.finished;
  clearInterval(report);
  clearTimeout(timer || undefined);
  print();
  await partners?.close();
  const counts = exchange.counts();
  console.log(JSON.stringify(counts));
  if (!compare) return 0;
  const check = await compare(counts.spendMicros);
  console.log(checkLine(check));
  return check.isEqual && counts.rejectedBids === 0 ? 0 : 1;
}

/** Stands in for the measurement partners, and for an exchange that reviews creatives, if a port is given. */
async function openPartners({
  'partners-port': port,
  'partner-apps': apps,
}: Options): Promise<PartnerCounterpart | null> {
  if (port === undefined) return null;
  const reviews = await startReviewCounterpart();
  reviews.judge = (creative) => (creative.state = 'approved');
  const partners = await startPartnerCounterpart({ port, others: reviews });
  partners.appsFlyer.apps = apps.map((id) => ({ id, timeZone: 'UTC' }));
  return partners;
}

/** The costs and postbacks that the partners have stored. */
function storedLine(partners: PartnerCounterpart): string {
  const costs = partners.costs();
  const micros = costs.reduce((sum, { spendMicros }) => sum + spendMicros, 0);
  return `stored by partners: ${costs.length} rows of costs, $${toDollars(micros).toFixed(5)}; ${partners.postbacks().length} postbacks`;
}

function accessOf({ url, ssp, ...options }: Options): OperatorAccess {
  return { url: options['operator-url'] ?? url, token: options['operator-token']!, ssp };
}

function priceKeysOf(options: Options): PriceKeys | undefined {
  const { 'price-encryption-key': encryption, 'price-integrity-key': integrity } = options;
  return encryption && integrity ? { encryption, integrity } : undefined;
}

function readOptions(): Options | null {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    const { values } = parseArgs({
      options: {
        url: text,
        ssp: text,
        secret: text,
        rps: text,
        steady: flag,
        seed: text,
        personality: text,
        profile: text,
        'cache-scale': text,
        'review-seconds': text,
        'billing-ids': text,
        'public-url': text,
        'price-encryption-key': text,
        'price-integrity-key': text,
        seconds: text,
        check: flag,
        'operator-token': text,
        'operator-url': text,
        'postback-secret': text,
        push: flag,
        mmp: text,
        'partners-port': text,
        'partner-apps': text,
      },
    });
    const token = values['operator-token'] ?? process.env['OPERATOR_TOKEN'];
    const parsed = Options.safeParse({ ...values, 'operator-token': token });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) console.error(`--${issue.path.join('.')}: ${issue.message}`);
  } catch (error) {
    console.error((error as Error).message);
  }
  console.error(`\n${usage}`);
  return null;
}

function lineOf(counts: Readonly<Counts>, profile: ProfileSlug | undefined): string {
  const { requests, bids, wins, impressions, clicks, installs, late, badAnswers, skipped } = counts;
  // A named exchange has its own money to the micro.
  const spent = toDollars(counts.spendMicros).toFixed(profile ? 6 : 2);
  const problems = late + badAnswers + skipped + counts.noticeFailures;
  const rejected = profile ? `, ${counts.rejectedBids} bids refused` : '';
  const unreviewed = counts.unreviewed > 0 ? `, ${counts.unreviewed} before their review` : '';
  return (
    `${requests} requests, ${bids} bids, ${wins} wins, ${impressions} impressions, ${clicks} clicks, ` +
    `${installs} installs, $${spent}${rejected}${unreviewed}${problems > 0 ? ` (${late} late, ${badAnswers} bad answers, ${skipped} skipped, ${counts.noticeFailures} failed notices)` : ''}`
  );
}

function checkLine({ exchange, server, isEqual }: MoneyCheck): string {
  const own = `The exchange counted $${toDollars(exchange).toFixed(6)}`;
  return isEqual
    ? `${own}, and so did the server.`
    : `${own}, the server $${toDollars(server).toFixed(6)}: a difference of $${toDollars(exchange - server).toFixed(6)}.`;
}
