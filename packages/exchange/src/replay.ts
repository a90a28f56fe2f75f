import { parseArgs } from 'node:util';
import { z } from 'zod';
import { bidAddress } from './bid-address.ts';
import { createHttpClient } from './http-client.ts';
import { seededRandom } from './random.ts';
import { recordedRequests } from './replay/input.ts';
import { mutated } from './replay/mutate.ts';
import { noBidCounters, risen } from './replay/no-bid-counters.ts';
import { sendAll } from './replay/send.ts';
import { type Summary, Tally } from './replay/tally.ts';
import { bidCheckOf } from './replay/validate.ts';

const usage = `Sends recorded OpenRTB bid requests to a running server and reports how it responded.

  npm run replay -- PATH --url http://127.0.0.1:8080 --ssp NAME --secret SECRET
                    [--concurrency 8] [--repeat 1] [--timeout-ms 5000]
                    [--mutate N [--seed 1]] [--validate SCHEMA.json]… [--reasons]

  --secret     of the exchange's address at the server, as "ssp list" shows it; an open exchange needs none
  PATH         an .ndjson file (a request a line), a .json file, or a folder of them
  --mutate     sends as many requests, each with one byte changed: every position of every request in turn
  --validate   checks each bid against a JSON schema
  --reasons    reports the no-bid reasons, from the server's own counters`;

const Options = z.object({
  path: z.string('Which file or folder?'),
  url: z
    .url({ protocol: /^https?$/, error: 'an address such as http://127.0.0.1:8080' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, '')),
  ssp: z.string('the name of an exchange').regex(/^[a-z0-9][a-z0-9-]{0,30}$/),
  secret: z.string().min(1).optional(),
  concurrency: z.coerce.number().int().min(1).max(1000).default(8),
  repeat: z.coerce.number().int().min(1).max(1_000_000).default(1),
  'timeout-ms': z.coerce.number().int().min(1).max(600_000).default(5000),
  mutate: z.coerce.number().int().min(1).max(100_000_000).optional(),
  seed: z.coerce.number().int().default(1),
  validate: z.array(z.string()).default([]),
  reasons: z.boolean().default(false),
});
type Options = z.infer<typeof Options>;

const PROBLEMS_SHOWN = 20;

try {
  const options = readOptions();
  process.exitCode = options ? await replay(options) : 2;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** Returns exit code 0 if every request got a response, none a server error, and every checked bid is valid. */
async function replay(options: Options): Promise<number> {
  const { path, url, ssp, concurrency, repeat, validate } = options;
  const http = createHttpClient({ timeoutMs: options['timeout-ms'], connections: concurrency });
  const { check, dangling } =
    validate.length > 0 ? await bidCheckOf(validate) : { check: null, dangling: [] };
  for (const reference of dangling) console.log(`A reference leads nowhere and is not checked: ${reference}`);
  const counters = async () => noBidCounters((await http.get(`${url}/metrics`)).text, ssp);
  const before = options.reasons ? await counters() : null;

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const tally = new Tally();
  const random = seededRandom(options.seed);
  let problems = 0;
  const startMs = performance.now();
  for (let round = 0; round < repeat && !stop.signal.aborted; round++) {
    const requests = options.mutate
      ? mutated(recordedRequests(path), options.mutate, random)
      : recordedRequests(path);
    await sendAll(requests, {
      http,
      address: bidAddress(url, ssp, options.secret),
      concurrency,
      tally,
      check,
      onProblem: (source, problem) => {
        if (++problems <= PROBLEMS_SHOWN) console.log(`${source}: ${problem}`);
      },
      signal: stop.signal,
    });
  }
  const summary = tally.summary((performance.now() - startMs) / 1000);
  const reasons = before ? risen(before, await counters()) : null;
  await http.close();
  print(summary, reasons);
  console.log(JSON.stringify({ ...summary, ...(reasons && { reasons }) }));
  const { timeout, broken } = summary.answers;
  const failures = Object.entries(summary.statuses).filter(([status]) => Number(status) >= 500).length;
  return timeout + broken + failures + summary.invalidBids > 0 || summary.requests === 0 ? 1 : 0;
}

function print(summary: Summary, reasons: Record<string, number> | null): void {
  const { answers, latencyMs } = summary;
  console.log(`${summary.requests} requests in ${summary.seconds} s (${summary.requestsPerSecond} a second)`);
  console.log(
    `bid ${answers.bid} (${summary.impsBid} imps) | no bid (204) ${answers.no_bid} | bad request (400) ${answers.bad_request} | ` +
      `other ${answers.other_status} | no answer in time ${answers.timeout} | broken ${answers.broken}`,
  );
  if (answers.other_status > 0) console.log(`statuses ${JSON.stringify(summary.statuses)}`);
  if (summary.invalidBids > 0) console.log(`bids that a schema refuses: ${summary.invalidBids}`);
  if (latencyMs) {
    const { p50, p90, p95, p99, max } = latencyMs;
    console.log(`latency ms: p50 ${p50} | p90 ${p90} | p95 ${p95} | p99 ${p99} | max ${max}`);
  }
  for (const [reason, count] of Object.entries(reasons ?? {})) console.log(`no bid, ${reason}: ${count}`);
}

function readOptions(): Options | null {
  try {
    const text = { type: 'string' } as const;
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        url: text,
        ssp: text,
        secret: text,
        concurrency: text,
        repeat: text,
        'timeout-ms': text,
        mutate: text,
        seed: text,
        validate: { type: 'string', multiple: true },
        reasons: { type: 'boolean' },
      },
    });
    const parsed = Options.safeParse({ ...values, path: positionals[0] });
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      console.error(`${path[0] === 'path' ? 'PATH' : `--${path.join('.')}`}: ${message}`);
    }
  } catch (error) {
    console.error((error as Error).message);
  }
  console.error(`\n${usage}`);
  return null;
}
