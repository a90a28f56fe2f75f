import { parseArgs } from 'node:util';
import { MMPS, Mmp } from '@bidwell/contract/apps/fields';
import { toDollars } from '@bidwell/contract/lib/money';
import {
  type PartnerCounterpart,
  startPartnerCounterpart,
} from '@bidwell/testing/partners/partner-counterpart';
import { z } from 'zod';
import type { Counts } from './counts.ts';
import { PERSONALITIES, type PersonalityName } from './personality.ts';
import { startExchange } from './run.ts';

const usage = `Sends OpenRTB traffic to a running server, holds the auctions and plays the people who see the ads.

  npm run exchange -- --url http://127.0.0.1:8080 --ssp NAME --secret SECRET [--rps 60] [--steady] [--seed 1] [--personality standard]
                      [--seconds N] [--postback-secret SECRET [--mmp ${MMPS.join('|')}]]
                      [--partners-port PORT --partner-apps ID,ID]

  --ssp, --secret    the exchange's name and secret at the server, as "ssp list" shows them: requests go to
                     /openrtb/NAME/SECRET; an open exchange needs no secret
  --rps              requests a second, on the average of a day
  --steady           the same rate at every hour
  --personality      ${Object.entries(PERSONALITIES)
    .map(([name, { title }]) => `${name}: ${title}`)
    .join('\n                     ')}
  --seconds          stops by itself
  --postback-secret  the company's postback secret: without it there are no installs
  --mmp              for tracking links of unknown hosts
  --partners-port    stands in for measurement partners at this port, the server's PARTNER_STAND_IN: AppsFlyer takes costs of the
                     apps, by their ids at AppsFlyer, with the token "appsflyer-token"`;

const Options = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'an address such as http://127.0.0.1:8080' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, '')),
  ssp: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'lower-case letters, digits and dashes'),
  secret: z.string().min(1).optional(),
  rps: z.coerce.number().positive().max(20_000).default(60),
  steady: z.boolean().default(false),
  seed: z.coerce.number().int().default(1),
  personality: z
    .enum(Object.keys(PERSONALITIES) as [PersonalityName, ...PersonalityName[]])
    .default('standard'),
  seconds: z.coerce.number().positive().max(1_000_000).optional(),
  'postback-secret': z.string().min(1).optional(),
  mmp: Mmp.default('appsflyer'),
  'partners-port': z.coerce.number().int().min(1).max(65_535).optional(),
  'partner-apps': z
    .string()
    .transform((ids) => ids.split(','))
    .default([]),
});

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (!options) return 2;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { seconds, 'postback-secret': postbackSecret } = options;
  const partners = await openPartners(options);
  const timer = seconds && setTimeout(() => stop.abort(), seconds * 1000);
  const exchange = startExchange({
    url: options.url,
    ssp: options.ssp,
    secret: options.secret,
    requestsPerSecond: options.rps,
    steady: options.steady,
    seed: options.seed,
    personality: options.personality,
    postback: postbackSecret ? { mmp: options.mmp, secret: postbackSecret } : undefined,
    signal: stop.signal,
  });
  const print = () => {
    console.log(lineOf(exchange.counts()));
    for (const line of exchange.badResponses()) console.log(`  bad answers: ${line}`);
    if (partners) console.log(`  ${storedLine(partners)}`);
  };
  const report = setInterval(print, 5000);
  await exchange.finished;
  clearInterval(report);
  clearTimeout(timer || undefined);
  print();
  console.log(JSON.stringify(exchange.counts()));
  await partners?.close();
  return 0;
}

/** Stands in for the measurement partners, if a port is given. */
async function openPartners({
  'partners-port': port,
  'partner-apps': apps,
}: z.infer<typeof Options>): Promise<PartnerCounterpart | null> {
  if (port === undefined) return null;
  const partners = await startPartnerCounterpart({ port });
  partners.appsFlyer.apps = apps.map((id) => ({ id, timeZone: 'UTC' }));
  return partners;
}

/** The costs and postbacks that the partners have stored. */
function storedLine(partners: PartnerCounterpart): string {
  const costs = partners.costs();
  const micros = costs.reduce((sum, { spendMicros }) => sum + spendMicros, 0);
  return `stored by partners: ${costs.length} rows of costs, $${toDollars(micros).toFixed(5)}; ${partners.postbacks().length} postbacks`;
}

function readOptions(): z.infer<typeof Options> | null {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      options: {
        url: text,
        ssp: text,
        secret: text,
        rps: text,
        steady: { type: 'boolean' },
        seed: text,
        personality: text,
        seconds: text,
        'postback-secret': text,
        mmp: text,
        'partners-port': text,
        'partner-apps': text,
      },
    });
    const parsed = Options.safeParse(values);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) console.error(`--${issue.path.join('.')}: ${issue.message}`);
  } catch (error) {
    console.error((error as Error).message);
  }
  console.error(`\n${usage}`);
  return null;
}

function lineOf(counts: Readonly<Counts>): string {
  const { requests, bids, wins, impressions, clicks, installs, late, badAnswers, skipped } = counts;
  const spent = toDollars(counts.spendMicros).toFixed(2);
  const problems = late + badAnswers + skipped + counts.noticeFailures;
  return (
    `${requests} requests, ${bids} bids, ${wins} wins, ${impressions} impressions, ${clicks} clicks, ` +
    `${installs} installs, $${spent}${problems > 0 ? ` (${late} late, ${badAnswers} bad answers, ${skipped} skipped, ${counts.noticeFailures} failed notices)` : ''}`
  );
}
