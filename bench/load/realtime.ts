/** Clients of the live updates bench: hold connections and report when each broadcast has reached all recipients. */
import { WebSocket } from 'ws';
import { handleOrders } from './child.ts';

/** An order to connect clients to the server at `port`, with a token each. Answered once they are connected. */
export interface RealtimeOrder {
  port: number;
  tokens: string[];
  connections: number;
}

/** A completed broadcast: milliseconds until clients received it; 50th and 99th percentile, and the last one. */
export interface Broadcast {
  p50Ms: number;
  p99Ms: number;
  lastMs: number;
}

const latencies = new Map<string, number[]>();

handleOrders(connect);

async function connect({ port, tokens, connections }: RealtimeOrder): Promise<void> {
  const inBatches = 100;
  for (let begun = 0; begun < connections; begun += inBatches)
    await Promise.all(
      Array.from({ length: Math.min(inBatches, connections - begun) }, (_, index) =>
        open(port, tokens[(begun + index) % tokens.length]!),
      ),
    );
}

function open(port: number, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, connect: { token } })));
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      const sent = /"uuid":"(\d+) (\d+) (\d+)"/.exec(text);
      if (sent) arrived(sent[1]!, BigInt(sent[2]!), Number(sent[3]));
      else if (text === '{}') socket.send('{}');
      else resolve();
    });
  });
}

function arrived(broadcast: string, sentAtNs: bigint, readers: number): void {
  const seen = latencies.get(broadcast) ?? [];
  latencies.set(broadcast, seen);
  seen.push(Number(process.hrtime.bigint() - sentAtNs) / 1e6);
  if (seen.length < readers) return;
  latencies.delete(broadcast);
  seen.sort((a, b) => a - b);
  const at = (share: number) => seen[Math.min(seen.length - 1, Math.floor(seen.length * share))]!;
  const result: Broadcast = { p50Ms: at(0.5), p99Ms: at(0.99), lastMs: seen.at(-1)! };
  process.send!(result);
}
