import { join } from 'node:path';
import type { Role } from '@bidwell/server/config/environment';
import { ManagedProcess } from './managed-process.ts';

const READY_TIMEOUT_MS = 5000;

/** A server process with one role. */
export interface RoleProcess {
  role: Role;
  port: number;
  url: string;
  dataDir: string;
  process: ManagedProcess;
}

/** The shared settings of all server processes of a cluster. */
export interface RoleProcessOptions {
  /** The built server. */
  program: string;
  /** The parent of each process's DATA_DIR. */
  folder: string;
  environment: Readonly<Record<string, string>>;
}

/** The process number `index` of a role, not started. */
export function roleProcess(
  role: Role,
  index: number,
  port: number,
  { program, folder, environment }: RoleProcessOptions,
): RoleProcess {
  const name = `${role}-${index}`;
  const url = `http://127.0.0.1:${port}`;
  const dataDir = join(folder, name);
  return {
    role,
    port,
    url,
    dataDir,
    process: new ManagedProcess({
      name,
      command: process.execPath,
      args: ['--enable-source-maps', program],
      environment: { ...environment, ROLES: role, PORT: String(port), DATA_DIR: dataDir },
      hasChannel: true,
      isReady: () => isReady(url),
    }),
  };
}

/** True if /readyz at the URL returns 200 in time. */
export async function isReady(url: string, timeoutMs = READY_TIMEOUT_MS): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
