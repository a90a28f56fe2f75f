import { SavedWarehouseExport } from '@bidwell/contract/warehouse/schema';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Api } from './api.ts';

const HOST = '127.0.0.1';
const BUCKET = 'northlight-events';
const KEY = 'demo-access-key';
/** Files of the export are smaller. */
const OBJECT_BYTES_MAX = 64 * 1024 * 1024;
/** Names as the server makes them: no part is empty or leads up. */
const OBJECT_PATH = new RegExp(`^/${BUCKET}((?:/[\\w=-][\\w.=-]*)+)$`);

/** The S3 bucket of the demo's main company. */
export interface DemoBucket {
  /** Its host and port, which is for the setting ALERT_INTERNAL_HOSTS. */
  host: string;
  close(): Promise<void>;
}

/** Opens a bucket on this machine's loopback address, which stores objects as files in a folder; null where another program has the port. */
export async function openBucket(folder: string, port: number): Promise<DemoBucket | null> {
  const server = createServer((request, response) => {
    takeObject(folder, request, response).catch(() => refuse(response, 500, 'InternalError'));
  }).listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  // The process may end while it is open.
  server.unref();
  return {
    host: `${HOST}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function takeObject(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '/', headers } = request;
  const { pathname } = new URL(url, `http://${HOST}`);
  const [, name] = OBJECT_PATH.exec(decodeURIComponent(pathname)) ?? [];
  if (!headers.authorization?.includes(`Credential=${KEY}/`))
    return refuse(response, 403, 'InvalidAccessKeyId');
  if (method !== 'PUT' || name === undefined) return refuse(response, 403, 'AccessDenied');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > OBJECT_BYTES_MAX) return refuse(response, 400, 'EntityTooLarge');
    chunks.push(chunk);
  }
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.concat(chunks));
  response.writeHead(200, { etag: '"stored"' }).end();
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
}

/** Begins the hourly export of a company's events to the bucket at a host. Throws ApiError. */
export async function exportEvents(api: Api, host: string): Promise<void> {
  const bucket = {
    type: 's3',
    name: 'Event warehouse',
    url: `http://${host}`,
    region: 'us-east-1',
    bucket: BUCKET,
    prefix: '',
    access_key_id: KEY,
    secret_access_key: 'demo-secret-key',
  };
  const { uuid } = await api.send('POST', '/report-destinations', bucket, z.object({ uuid: z.uuid() }));
  const settings = {
    destination_uuid: uuid,
    kinds: ['impressions', 'clicks', 'installs', 'app_events'],
    is_enabled: true,
  };
  await api.send('PUT', '/warehouse-export', settings, SavedWarehouseExport);
}
