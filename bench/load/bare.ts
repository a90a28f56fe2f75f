/** The reference of the CPU measurements: a process with a bare node:http server, which reads the body and answers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleOrders } from './child.ts';
import { cpuMicros } from './cpu.ts';

/** Sets the length of the answers in bytes, where given. Answered with the server's port and CPU time so far. */
export interface BareOrder {
  answerBytes?: number;
}

/** State of the bare server. */
export interface BareState {
  port: number;
  cpuMicros: number;
}

let answer = '';
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

handleOrders(async ({ answerBytes }: BareOrder): Promise<BareState> => {
  if (answerBytes !== undefined) answer = ' '.repeat(answerBytes);
  return { port, cpuMicros: cpuMicros() };
});
