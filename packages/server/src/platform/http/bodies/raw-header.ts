import type { IncomingMessage } from 'node:http';

/**
 * A header of a request by its name in lower case; several with the name are joined. `IncomingMessage.headers` builds an
 * object of all headers first, which takes longer than the few looks that a small request needs.
 */
export function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const own = rawHeaders[at]!;
    if (own.length !== name.length || own.toLowerCase() !== name) continue;
    found = found === undefined ? rawHeaders[at + 1]! : `${found}, ${rawHeaders[at + 1]!}`;
  }
  return found;
}
