/** Child processes of the bench `audience-upload`: a company that uploads a list, and an exchange with a company that does not. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { handleOrders } from './child.ts';
import { inventedRequests } from './market.ts';

/** Uploads a list of this many ids. */
export interface UploadOrder {
  upload: { url: string; token: string; audience: string; ids: number };
}

/** Sends bid requests and lists audiences for a time, at a steady rate. */
export interface BystanderOrder {
  watch: { url: string; token: string; bidPath: string; durationMs: number };
}

/** Latencies from the time at which a request was due, ms. */
export interface Latencies {
  bidMs: number[];
  listMs: number[];
}

const PART_BYTES = 8 * 1024 ** 2;
const ID_BYTES = 37;
const BIDS_EVERY_MS = 20;
const LISTS_EVERY_MS = 100;
const HEX = Buffer.from('0123456789abcdef');

/** Lines with ids, written without a text for each. */
function idLines(ids: number): Buffer {
  const lines = Buffer.alloc(ids * ID_BYTES, '-');
  const random = randomBytes(ids * 16);
  for (let id = 0; id < ids; id += 1) {
    let at = id * ID_BYTES;
    for (let byte = 0; byte < 16; byte += 1) {
      if (byte === 4 || byte === 6 || byte === 8 || byte === 10) at += 1;
      const value = random[id * 16 + byte]!;
      lines[at] = HEX[value >> 4]!;
      lines[at + 1] = HEX[value & 15]!;
      at += 2;
    }
    lines[at] = 10;
  }
  return lines;
}

async function upload({ url, token, audience, ids }: UploadOrder['upload']): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const path = `${url}/api/internal/audience/${audience}/upload`;
  const call = async (method: string, address: string, body?: BodyInit, type?: string) => {
    const answer = await fetch(address, {
      method,
      headers: { ...headers, ...(type && { 'content-type': type }) },
      ...(body && { body }),
    });
    const { data } = (await answer.json()) as { data: { uuid: string } };
    if (!answer.ok)
      throw new Error(`${method} ${address} was answered ${answer.status}: ${JSON.stringify(data)}`);
    return data;
  };
  const bytes = ids * ID_BYTES;
  const begun = await call('POST', path, JSON.stringify({ mode: 'replace', bytes }), 'application/json');
  const idsOfPart = Math.floor(PART_BYTES / ID_BYTES);
  for (let sent = 0; sent < ids; sent += idsOfPart) {
    const form = new FormData();
    form.set('part', new Blob([new Uint8Array(idLines(Math.min(idsOfPart, ids - sent)))]), 'ids.csv');
    await call('PUT', `${path}/${begun.uuid}?offset=${sent * ID_BYTES}`, form);
  }
  await call('POST', `${path}/${begun.uuid}/finish`);
}

async function watch({ url, token, bidPath, durationMs }: BystanderOrder['watch']): Promise<Latencies> {
  const bodies = inventedRequests(500);
  const steady = async (everyMs: number, send: (n: number) => Promise<void>): Promise<number[]> => {
    const latenciesMs: number[] = [];
    const under: Promise<void>[] = [];
    const startedMs = performance.now();
    for (let n = 0; n * everyMs < durationMs; n += 1) {
      const dueMs = startedMs + n * everyMs;
      await pause(Math.max(0, dueMs - performance.now()));
      under.push(send(n).then(() => void latenciesMs.push(performance.now() - dueMs)));
    }
    await Promise.all(under);
    return latenciesMs;
  };
  const [bidMs, listMs] = await Promise.all([
    steady(BIDS_EVERY_MS, async (n) => {
      const answer = await fetch(`${url}${bidPath}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-openrtb-version': '2.5' },
        body: new Uint8Array(bodies[n % bodies.length]!),
      });
      await answer.arrayBuffer();
      if (answer.status !== 200 && answer.status !== 204)
        throw new Error(`A bid was answered ${answer.status}.`);
    }),
    steady(LISTS_EVERY_MS, async () => {
      const answer = await fetch(`${url}/api/internal/audience`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`A list was answered ${answer.status}.`);
    }),
  ]);
  return { bidMs, listMs };
}

handleOrders(async (order: UploadOrder | BystanderOrder) =>
  'upload' in order ? upload(order.upload) : watch(order.watch),
);
