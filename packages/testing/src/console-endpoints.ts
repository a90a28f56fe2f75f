import type { Permission } from '@bidwell/contract/accounts/permission';
import { CONSOLE_API, type Endpoint } from '@bidwell/contract/lib/endpoint';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Every call of the console's API. */
export const consoleEndpoints = async (): Promise<Endpoint[]> =>
  endpointsInFiles((file) => !file.startsWith('operator'));

/** Every call of the operator's API. */
export const operatorEndpoints = async (): Promise<Endpoint[]> =>
  endpointsInFiles((file) => file.startsWith('operator'));

async function endpointsInFiles(isOfApi: (file: string) => boolean): Promise<Endpoint[]> {
  const folder = fileURLToPath(new URL('../../contract/src', import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('endpoints.ts') && isOfApi(file),
  );
  // Not by a pattern, whose list of files the transformer caches.
  const modules = await Promise.all(
    files.map(async (file): Promise<unknown> => import(/* @vite-ignore */ join(folder, file))),
  );
  return modules.flatMap(endpointsIn);
}

function endpointsIn(value: unknown): Endpoint[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('method' in value && 'path' in value) return [value as Endpoint];
  return Object.values(value).flatMap(endpointsIn);
}

/** A call of the console's API that needs a permission. */
export interface PermittedCall {
  /** As in the OpenAPI document: `METHOD /path/{template}`. */
  name: string;
  method: Endpoint['method'];
  permission: Permission;
  /** Whether the path has the id of something. */
  hasId: boolean;
}

/** Every call of the console's API that needs a permission. */
export async function permittedCalls(): Promise<PermittedCall[]> {
  const endpoints = await consoleEndpoints();
  return endpoints
    .filter(({ isPublic }) => !isPublic)
    .map(({ method, path, companyPermission }) => ({
      name: `${method} ${CONSOLE_API}${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      method,
      permission: companyPermission!,
      hasId: path.includes(':'),
    }));
}
