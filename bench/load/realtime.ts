/** Clients of the bench of live updates: holds connections, and says when each broadcast had reached all of them. */
import { WebSocket } from 'ws';

/** What the bench asks for. */
export type RealtimeOrder =
  { kind: 'connect'; port: number; tokens: string[]; connections: number } | { kind: 'disconnect' };

/** A broadcast that reached everyone: milliseconds until a reader had it, at the 50th and 99th percent and the last. */
export interface Broadcast {
  p50Ms: number;
  p99Ms: number;
  lastMs: number;
}

let sockets: WebSocket[] = [];
const latencies = new Map<string, number[]>();

process.on('message', (order: RealtimeOrder) => {
  if (order.kind === 'disconnect') {
    for (const socket of sockets) socket.terminate();
    sockets = [];
    process.send!('disconnected');
  } else {
    void connect(order).then(() => process.send!('connected'));
  }
});
process.send!('ready');

async function connect({
  port,
  tokens,
  connections,
}: Extract<RealtimeOrder, { kind: 'connect' }>): Promise<void> {
  const inBatches = 100;
  for (let begun = 0; begun < connections; begun += inBatches)
    await Promise.all(
      Array.from({ length: Math.min(inBatches, connections - begun) }, (_, index) =>
        open(port, tokens[(begun + index) % tokens.length]!, connections),
      ),
    );
}

function open(port: number, token: string, connections: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
    sockets.push(socket);
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, connect: { token } })));
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const text = data.toString();
      const sent = /"uuid":"(\d+) (\d+)"/.exec(text);
      if (sent) arrived(sent[1]!, BigInt(sent[2]!), connections);
      else if (text === '{}') socket.send('{}');
      else resolve();
    });
  });
}

function arrived(broadcast: string, sentAtNs: bigint, connections: number): void {
  const seen = latencies.get(broadcast) ?? [];
  latencies.set(broadcast, seen);
  seen.push(Number(process.hrtime.bigint() - sentAtNs) / 1e6);
  if (seen.length < connections) return;
  latencies.delete(broadcast);
  seen.sort((a, b) => a - b);
  const at = (share: number) => seen[Math.min(seen.length - 1, Math.floor(seen.length * share))]!;
  const result: Broadcast = { p50Ms: at(0.5), p99Ms: at(0.99), lastMs: seen.at(-1)! };
  process.send!(result);
}
