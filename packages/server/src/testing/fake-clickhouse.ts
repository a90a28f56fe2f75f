/** The part of ClickHouse's HTTP interface that the client uses, on top of chDB: `fake-clickhouse.ts PORT FOLDER`. */
import { createChdbConnection } from 'chdb/connection';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [port, path] = process.argv.slice(2);
const chdb = createChdbConnection({ path: path! });

/** Passes on no settings: the client names its format in the query, and chDB applies settings to the whole session. */
const run = async (query: string, body: string, params: Record<string, string>) =>
  query === ''
    ? chdb.exec({ query: body, query_params: params })
    : chdb.exec({ query, values: Readable.from([body]), query_params: params });

createServer((request, response) => {
  void (async () => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://clickhouse');
    if (pathname === '/ping') return response.end('Ok.\n');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const params = Object.fromEntries(
      [...searchParams].flatMap(([name, value]) =>
        name.startsWith('param_') ? [[name.slice('param_'.length), value]] : [],
      ),
    );
    try {
      const { stream } = await run(searchParams.get('query') ?? '', Buffer.concat(chunks).toString(), params);
      await pipeline(stream, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500);
      response.end(error instanceof Error ? error.message : String(error));
    }
  })();
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));

process.once('disconnect', () => process.exit());
