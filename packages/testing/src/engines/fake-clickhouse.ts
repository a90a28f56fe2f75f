/** The part of ClickHouse's HTTP interface that the client uses, on top of chDB: `fake-clickhouse.ts PORT FOLDER`. */
import { createChdbConnection } from 'chdb/connection';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [port, path] = process.argv.slice(2);
const chdb = createChdbConnection({ path: path! });

/** Passes on no settings: the client names its format in the query, and chDB applies settings to the whole session. */
const run = async (query: string, body: Buffer, params: Record<string, string>) => {
  const [, table, columns] = /^insert into (\w+) \(([\w, ]+)\) format RowBinary$/.exec(query) ?? [];
  if (table && columns) return insertBinary(table, columns, body);
  return query === ''
    ? chdb.exec({ query: String(body), query_params: params })
    : chdb.exec({ query, values: Readable.from([String(body)]), query_params: params });
};

let files = 0;
/** Inserts rows that are not text, which chDB reads from files only. */
async function insertBinary(table: string, columns: string, body: Buffer) {
  const { stream } = await chdb.exec({
    query: `select name, type from system.columns where table = '${table}' format JSONEachRow`,
  });
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  const types = new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      if (line === '') return [];
      const { name, type } = JSON.parse(line) as { name: string; type: string };
      return [[name, type]];
    }),
  );
  const structure = columns.split(', ').map((name) => `${name} ${types.get(name)!.replaceAll("'", "\\'")}`);
  const file = `${path!}.rows/${(files += 1)}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, body);
  try {
    return await chdb.exec({
      query: `insert into ${table} (${columns}) select ${columns} from file('${file}', 'RowBinary', '${structure.join(', ')}')`,
    });
  } finally {
    await rm(file);
  }
}

/** The default of ClickHouse (`http_max_uri_size`): parameters of a query are part of the URI. */
const ADDRESS_BYTES_MAX = 1024 ** 2;

createServer({ maxHeaderSize: ADDRESS_BYTES_MAX }, (request, response) => {
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
      const { stream } = await run(searchParams.get('query') ?? '', Buffer.concat(chunks), params);
      await pipeline(stream, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500);
      response.end(error instanceof Error ? error.message : String(error));
    }
  })();
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));

process.once('disconnect', () => process.exit());
