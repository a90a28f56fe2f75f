import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLES, type Role } from '@bidwell/server/config/environment';
import { type TcpRelay, openTcpRelay } from '../engines/tcp-relay.ts';
import { Balancer } from './balancer.ts';
import {
  ENGINES,
  type Engine,
  type EngineName,
  clickhouseEngine,
  natsEngine,
  postgresEngine,
  s3Engine,
} from './engines.ts';
import { freePorts } from './ports.ts';
import { startProxy } from './proxy.ts';
import { type RoleProcess, roleProcess } from './server-processes.ts';

/** Options of {@link startCluster}. */
export interface ClusterOptions {
  /** The built server, packages/server/dist/serve.js. */
  program: string;
  /** Server processes of each role; two by default. */
  processes?: number;
  /** Further environment variables of all server processes. */
  environment?: Readonly<Record<string, string>>;
  /** Engines that the server processes reach through a relay that a test can cut. */
  relays?: readonly EngineName[];
}

/** Processes of all roles and their engines on this machine, behind one address. */
export interface Cluster {
  /** The public address, without a trailing slash. */
  url: string;
  operatorToken: string;
  /** The temporary folder of all processes, which `stop` removes. */
  folder: string;
  engines: Record<EngineName, Engine>;
  /** The environment variables of all server processes. */
  environment: Readonly<Record<string, string>>;
  /** The server processes of each role. */
  servers: Record<Role, RoleProcess[]>;
  relays: Partial<Record<EngineName, TcpRelay>>;
  /** Stops everything in the order of a shutdown, and removes the folder. Resolves to the server processes' exit codes. */
  stop(): Promise<Record<string, number | string>>;
}

/** Trackers pass on their events before the counters stop. */
const STOP_ORDER: readonly (readonly Role[])[] = [['bidder', 'api', 'jobs'], ['tracker'], ['counter']];

/**
 * Starts the engines on free ports and in a temporary folder, then the server processes of each role, and a proxy in front
 * of them. Resolves once all are ready. If one does not start, stops the others and throws with the end of its output.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-cluster-'));
  // PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  const undo: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 10 })];
  try {
    return await startIn(folder, options, undo);
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
}

async function startIn(
  folder: string,
  { program, processes = 2, environment: more = {}, relays: relayed = [] }: ClusterOptions,
  undo: (() => unknown)[],
): Promise<Cluster> {
  const [proxyPort, ...ports] = await freePorts(1 + ENGINES.length + ROLES.length * processes);
  const engines = enginesIn(folder, ports.splice(0, ENGINES.length));
  undo.push(() => Promise.all(Object.values(engines).map((engine) => engine.process.stop())));
  await Promise.all(Object.values(engines).map((engine) => engine.process.start()));

  const relays: Cluster['relays'] = {};
  for (const name of relayed) relays[name] = await openTcpRelay(() => engines[name].port);
  undo.push(() => Object.values(relays).forEach((relay) => relay.close()));

  const url = `http://localhost:${proxyPort}`;
  const operatorToken = randomBytes(24).toString('hex');
  const environment = { ...settings(url, operatorToken), ...addressesOf(engines, relays), ...more };
  const data = join(folder, 'data');
  await mkdir(data);
  const servers = byRole((role) =>
    Array.from({ length: processes }, (_, index) =>
      roleProcess(role, index + 1, ports.pop()!, { program, folder: data, environment }),
    ),
  );
  const all = Object.values(servers).flat();
  undo.push(() => Promise.all(all.map((server) => server.process.kill())));
  await Promise.all(all.map((server) => server.process.start()));
  await openProxy(proxyPort!, servers, undo);
  return {
    url,
    operatorToken,
    folder,
    engines,
    environment,
    servers,
    relays,
    async stop() {
      try {
        return await stopServers(servers);
      } finally {
        await undoAll(undo);
      }
    },
  };
}

function enginesIn(folder: string, ports: readonly number[]): Record<EngineName, Engine> {
  return {
    postgres: postgresEngine(join(folder, 'postgres'), ports[0]!),
    nats: natsEngine(join(folder, 'nats'), ports[1]!),
    clickhouse: clickhouseEngine(join(folder, 'clickhouse'), ports[2]!),
    s3: s3Engine(join(folder, 's3'), ports[3]!),
  };
}

function settings(url: string, operatorToken: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    PUBLIC_URL: url,
    OPERATOR_TOKEN: operatorToken,
    ACCESS_TOKEN_SECRET: randomBytes(24).toString('hex'),
    SIGNING_SECRET: randomBytes(24).toString('hex'),
    ENCRYPTION_KEYS: randomBytes(24).toString('hex'),
    // The proxy.
    TRUST_PROXY: '1',
    STORE_PAGES: 'off',
  };
}

function addressesOf(engines: Record<EngineName, Engine>, relays: Cluster['relays']): Record<string, string> {
  const all = ENGINES.map((name) => engines[name].environment(relays[name]?.port ?? engines[name].port));
  return Object.assign({}, ...all) as Record<string, string>;
}

const byRole = <Value>(valueOf: (role: Role) => Value) =>
  Object.fromEntries(ROLES.map((role) => [role, valueOf(role)])) as Record<Role, Value>;

async function openProxy(port: number, servers: Cluster['servers'], undo: (() => unknown)[]): Promise<void> {
  const balancer = async (role: Role) => {
    const made = new Balancer(servers[role].map((server) => server.port));
    undo.push(() => made.close());
    await made.check();
    return made;
  };
  const [bidder, tracker, api] = await Promise.all([
    balancer('bidder'),
    balancer('tracker'),
    balancer('api'),
  ]);
  const proxy = await startProxy(port, { bidder, tracker, api });
  undo.push(() => proxy.close());
}

async function stopServers(servers: Cluster['servers']): Promise<Record<string, number | string>> {
  const codes: Record<string, number | string> = {};
  for (const roles of STOP_ORDER) {
    const running = roles.flatMap((role) => servers[role]).filter((server) => server.process.isRunning);
    await Promise.all(
      running.map(async (server) => {
        codes[server.process.name] = (await server.process.stop()).code;
      }),
    );
  }
  return codes;
}

/** Calls the functions in the reverse order. A failure of one does not keep the others from being called. */
async function undoAll(undo: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const one of undo.splice(0).toReversed())
    try {
      await one();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, 'The cluster could not be removed.');
}
