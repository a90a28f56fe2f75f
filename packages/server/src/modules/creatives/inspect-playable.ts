import { readFile } from 'node:fs/promises';
import { externalLoadsOf } from './external-loads.ts';
import type { Inspected } from './inspected.ts';
import { wrongType } from './inspected.ts';

/** A playable: one page of HTML in UTF-8, of at most 5 MB. Says what it loads from elsewhere. Throws Invalid on `playable`. */
export async function inspectPlayable(path: string): Promise<Inspected> {
  const page = decode(await readFile(path));
  const head = page?.slice(0, 4096) ?? '';
  if (
    page === null ||
    page.includes('\0') ||
    !/<(!doctype html|html|head|body|script|div|canvas)\b/i.test(head)
  )
    throw wrongType('playable');
  return {
    contentType: 'text/html; charset=utf-8',
    extension: 'html',
    width: null,
    height: null,
    durationMs: null,
    externalLoads: externalLoadsOf(page),
  };
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
