/** A status, `unreadable` for a response that is not a bid response, or the code of the error that broke a connection. */
type Kind = number | string;

/** What statuses of the server mean. */
const MEANINGS: Record<Kind, string> = {
  400: 'the server cannot read the request',
  404: 'the server has no exchange of this name with this secret: compare --ssp and --secret with "ssp list"',
  408: 'the request took too long to arrive',
  413: 'the request is too large',
  415: 'the server does not know the encoding of the request',
  429: 'the server, or a proxy before it, limits the requests',
  500: 'the server failed: its log says why',
  502: 'a proxy does not reach the server',
  503: 'the server, or a proxy before it, is not available',
  504: 'a proxy waited too long for the server',
  unreadable: 'a bid response that does not follow OpenRTB, or is for another request',
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'there is no host of this name',
};

/** Counts bad responses by kind, since each kind has its own cause. */
export class BadResponses {
  readonly #counts = new Map<Kind, number>();

  add(kind: Kind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** Each kind with its number and what it means, the most frequent first. */
  lines(): string[] {
    return [...this.#counts]
      .toSorted(([, one], [, other]) => other - one)
      .map(([kind, count]) => `${count} × ${nameOf(kind)}${MEANINGS[kind] ? `: ${MEANINGS[kind]}` : ''}`);
  }
}

function nameOf(kind: Kind): string {
  if (typeof kind === 'number') return `HTTP ${kind}`;
  return kind === 'unreadable' ? 'HTTP 200' : `no answer (${kind})`;
}

/** The kind of a failed call. */
export function kindOf(error: unknown): Kind {
  return error instanceof Error && 'code' in error ? String(error.code) : 'broken connection';
}
