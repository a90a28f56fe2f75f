/** ClickHouse's HTTP interface in front of chDB, as much of it as the client uses: `clickhouse-stand-in.ts PORT FOLDER`. */
import { createChdbConnection } from 'chdb/connection';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [port, path] = process.argv.slice(2);
const chdb = createChdbConnection({ path: path! });

/** The client names its format in the text, and chDB takes a setting for the whole session: none is passed on. */
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
