/** The load of the API bench: a child process that sends sequential requests over one connection, as a browser does. */
import { Agent, request } from 'undici';
import { handleOrders } from './child.ts';

/** One request; `body` is sent as JSON. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  token?: string;
  body?: object;
}

/** Result of a request; in the order of the requests. */
export interface Answered {
  latencyMs: number;
  /** Size of the body as sent, usually compressed. */
  bytes: number;
}

const dispatcher = new Agent({ connections: 1, pipelining: 1 });

async function send({ method, url, token, body }: Call): Promise<Answered> {
  const headers = {
    'accept-encoding': 'gzip, deflate, br',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const sentMs = performance.now();
  const answer = await request(url, {
    method,
    headers,
    dispatcher,
    ...(body && { body: JSON.stringify(body) }),
  });
  const content = await answer.body.arrayBuffer();
  const latencyMs = performance.now() - sentMs;
  if (answer.statusCode >= 300)
    throw new Error(
      `${method} ${url} answered ${answer.statusCode}: ${Buffer.from(content).toString().slice(0, 500)}`,
    );
  return { latencyMs, bytes: content.byteLength };
}

async function run(calls: Call[]): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const call of calls) answers.push(await send(call));
  return answers;
}

handleOrders(run);
