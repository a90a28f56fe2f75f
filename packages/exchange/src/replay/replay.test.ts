import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../http-client.ts';
import { listening } from '../testing/listening.ts';
import { type RecordedRequest, recordedRequests } from './input.ts';
import { noBidCounters, risen } from './no-bid-counters.ts';
import { seededRandom } from '../random.ts';
import { mutated } from './mutate.ts';
import { sendAll } from './send.ts';
import { Tally } from './tally.ts';
import { bidCheckOf } from './validate.ts';

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-replay-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function bodies(path: string): Promise<string[]> {
  const all: string[] = [];
  for await (const { body } of recordedRequests(path)) all.push(body.toString());
  return all;
}

test('a folder yields every line, file and list element in order, and skips the rest', async () => {
  const folder = await folderOf({
    'a.ndjson': '{"id":"1"}\n\n{"id":"2"}\r\n',
    'b/c.json': '{\n  "id": "3"\n}\n',
    'd.json': '[{"id":"4"},{"id":"5"}]',
    'e.json': '{"id": broken',
    'notes.txt': 'not traffic',
  });
  expect(await bodies(folder)).toEqual([
    '{"id":"1"}',
    '{"id":"2"}',
    '{\n  "id": "3"\n}\n',
    '{"id":"4"}',
    '{"id":"5"}',
    '{"id": broken',
  ]);
  expect(await bodies(join(folder, 'a.ndjson'))).toHaveLength(2);
});

test('each request is sent once, and its response is counted by kind', async () => {
  const received: string[] = [];
  const url = await listening((_request, response, body) => {
    received.push(body);
    const bid = { id: 'x', seatbid: [{ bid: [{ impid: '1' }, { impid: '2' }] }] };
    if (body === 'bid') response.writeHead(200).end(JSON.stringify(bid));
    else if (body === 'none') response.writeHead(204).end();
    else if (body === 'bad') response.writeHead(400).end();
    else if (body === 'nbr') response.writeHead(200).end('{"id":"x","nbr":2}');
    else if (body === 'break') response.destroy();
    // Other requests never get a response.
  });
  async function* requests(texts: readonly string[]): AsyncGenerator<RecordedRequest> {
    for (const body of texts) yield { body, source: body };
  }
  const tally = new Tally();
  const problems: string[] = [];
  const sent = async (texts: readonly string[], timeoutMs: number) => {
    const http = createHttpClient({ timeoutMs, connections: 3 });
    onTestFinished(() => http.close());
    await sendAll(requests(texts), {
      http,
      address: `${url}/openrtb/test`,
      concurrency: 3,
      tally,
      check: (body) => ((body as { cur?: string }).cur === 'USD' ? null : 'no currency'),
      onProblem: (source, problem) => problems.push(`${source}: ${problem}`),
      signal: new AbortController().signal,
    });
  };
  await sent(['bid', 'none', 'bad', 'nbr', 'break', 'bid'], 60_000);
  await sent(['hang'], 300);
  const summary = tally.summary(2);
  expect(received).toHaveLength(7);
  expect(summary).toMatchObject({
    requests: 7,
    answers: { bid: 2, no_bid: 1, bad_request: 1, other_status: 1, timeout: 1, broken: 1 },
    statuses: { 200: 3, 204: 1, 400: 1 },
    impsBid: 4,
    invalidBids: 2,
    requestsPerSecond: 3.5,
  });
  expect(problems).toContain('hang: No answer within 300 ms');
  expect(problems.filter((problem) => problem === 'bid: no currency')).toHaveLength(2);
});

test('latencies are reported as percentiles', () => {
  const tally = new Tally();
  for (let ms = 100; ms >= 1; ms--) tally.addResponse('no_bid', 204, ms);
  expect(tally.summary(1).latencyMs).toEqual({ p50: 50, p90: 90, p95: 95, p99: 99, max: 100 });
  expect(new Tally().summary(1).latencyMs).toBeNull();
});

test('bids are checked against schemas of several drafts; a dangling reference is reported and accepts anything', async () => {
  const folder = await folderOf({
    'old.json': JSON.stringify({
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'bid-response',
      required: ['id'],
      properties: { id: { type: 'string' }, nbr: { $ref: '#/definitions/missing' } },
    }),
    'new.json': JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { cur: { $ref: '#/$defs/currency' } },
      $defs: { currency: { type: 'string', minLength: 3 } },
    }),
    'none.json': '[]',
  });
  const { check, dangling } = await bidCheckOf([join(folder, 'old.json'), join(folder, 'new.json')]);
  expect(dangling).toEqual([expect.stringContaining('#/definitions/missing')]);
  expect(check({ id: 'x', nbr: 2, cur: 'USD' })).toBeNull();
  expect(check({ cur: 'USD' })).toContain("required property 'id'");
  expect(check({ id: 'x', cur: 'U' })).toContain('fewer than 3 characters');
  await expect(bidCheckOf([join(folder, 'none.json')])).rejects.toThrow('is not a JSON schema');
});

test('the reasons are the increases of the counters of this exchange', () => {
  const metrics = (country: number) =>
    '# TYPE bidwell_no_bids_total counter\n' +
    `bidwell_no_bids_total{ssp="a",reason="country"} ${country}\n` +
    'bidwell_no_bids_total{reason="floor",ssp="a"} 7\nbidwell_no_bids_total{ssp="b",reason="os"} 99\n';
  const before = noBidCounters(metrics(3), 'a');
  expect([...before]).toEqual([
    ['country', 3],
    ['floor', 7],
  ]);
  expect(risen(before, noBidCounters(metrics(8), 'a'))).toEqual({ country: 5 });
});

test('mutated requests differ from the recorded ones, reach every byte, and are the same for the same seed', async () => {
  async function* recorded(): AsyncGenerator<RecordedRequest> {
    yield { body: '{"id":"1"}', source: 'a' };
    yield { body: '{"id":"22"}', source: 'b' };
  }
  const all = async (count: number, seed: number): Promise<RecordedRequest[]> => {
    const found: RecordedRequest[] = [];
    for await (const one of mutated(recorded(), count, seededRandom(seed))) found.push(one);
    return found;
  };
  const many = await all(400, 1);
  expect(many).toHaveLength(400);
  expect(await all(400, 1)).toEqual(many);
  expect(await all(400, 2)).not.toEqual(many);
  const places = (source: string) =>
    new Set(
      many.filter((one) => one.source.startsWith(source)).map((one) => /byte (\d+)/.exec(one.source)![1]),
    );
  expect([places('a').size, places('b').size]).toEqual([10, 11]);
  const changed = many.filter(({ body }) => !['{"id":"1"}', '{"id":"22"}'].includes(body.toString()));
  expect(changed.length).toBeGreaterThan(380);
  async function* nothing(): AsyncGenerator<RecordedRequest> {}
  await expect(mutated(nothing(), 1, seededRandom(1)).next()).rejects.toThrow(
    'There is no request to mutate',
  );
});
