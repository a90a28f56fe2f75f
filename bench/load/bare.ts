/** The reference of the CPU measurements: a process with a bare node:http server, which reads the body and answers, or answers 204 unread. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleOrders } from './child.ts';
import { cpuMicros } from './cpu.ts';

/**
 * Sets the length of the answers in bytes, where given; null for 204 to requests that are not read. Answered with the server's port and CPU
 * time so far.
 */
export interface BareOrder {
  answerBytes?: number | null;
}

/** State of the bare server. */
export interface BareState {
  port: number;
  cpuMicros: number;
}

let answer: string | null = '';
const server = createServer((request, response) => {
  if (answer === null) return response.writeHead(204).end();
  const text = answer;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

handleOrders(async ({ answerBytes }: BareOrder): Promise<BareState> => {
  if (answerBytes !== undefined) answer = answerBytes === null ? null : ' '.repeat(answerBytes);
  return { port, cpuMicros: cpuMicros() };
});
