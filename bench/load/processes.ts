import { readFileSync, readdirSync } from 'node:fs';

/** Length of the kernel's clock tick, in which /proc counts CPU time, in microseconds. */
const TICK_MICROS = 10_000;

interface Stat {
  pid: number;
  parent: number;
  ticks: number;
}

/** CPU time so far of a process and its descendants, ended ones included, in microseconds. Needs Linux's /proc. */
export function cpuMicrosOf(pid: number): number {
  return processesUnder(pid).reduce((sum, { ticks }) => sum + ticks * TICK_MICROS, 0);
}

/** A process and its descendants. */
function processesUnder(pid: number): Stat[] {
  const stats = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [],
  );
  const found = new Set([pid]);
  // Parents are not always older than their children, so the list is read until nothing is added.
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const { pid: one, parent } of stats) if (found.has(parent)) found.add(one);
  }
  return stats.filter((one) => found.has(one.pid));
}

function statOf(pid: number): Stat | null {
  const text = readProc(pid, 'stat');
  if (text === null) return null;
  // The name of the program, in parentheses, may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { pid, parent: fields[1]!, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
}

/** Null if the process has ended. */
function readProc(pid: number, file: 'stat' | 'status'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** Resident memory of a process and its descendants, in MiB; shared pages count for each. Needs Linux's /proc. */
export function residentMibOf(pid: number): number {
  return processesUnder(pid).reduce((sum, one) => {
    const [, kib = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(one.pid, 'status') ?? '') ?? [];
    return sum + Number(kib) / 1024;
  }, 0);
}
