import { ExchangeHealth } from '@bidwell/contract/operator/exchange-health';
import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/** Where the server's own count of an exchange is read. */
export interface OperatorAccess {
  /** Base URL of the operator's calls. */
  url: string;
  token: string;
  /** The exchange's slug. */
  ssp: string;
}

/** A comparison of two counts of money. */
export interface MoneyCheck {
  exchange: Micros;
  server: Micros;
  isEqual: boolean;
}

const MINUTE_MS = 60_000;
/** The server reports longer times in steps of several minutes. */
const MINUTES_MAX = 150;
/** How long the server may take to count the last notices. */
const COUNTED_WITHIN_MS = 90_000;
const POLL_MS = 3000;
const CALL_TIMEOUT_MS = 20_000;

const Envelope = z.object({ data: ExchangeHealth });

/**
 * Begins to follow the server's count of an exchange's charges. The returned function compares it with the exchange's own
 * count of the same time, and waits up to 90 seconds until they are equal. Both throw for an error of the operator API.
 */
export async function followMoney(
  access: OperatorAccess,
  now: () => number = Date.now,
): Promise<(exchange: Micros) => Promise<MoneyCheck>> {
  const before = await health(access, 1);
  const fromMs = before.from.getTime();
  const spent = async (): Promise<Micros> => {
    const minutes = Math.floor(now() / MINUTE_MS) - Math.floor(fromMs / MINUTE_MS) + 1;
    if (minutes > MINUTES_MAX) throw new Error(`Runs of up to ${MINUTES_MAX} minutes can be compared.`);
    const { from, spend } = await health(access, minutes);
    // A minute that began in between makes the time begin a minute later.
    return from.getTime() > fromMs ? spent() : toMicros(spend) - toMicros(before.spend);
  };
  return async (exchange) => {
    const endMs = now() + COUNTED_WITHIN_MS;
    for (;;) {
      const server = await spent();
      if (server === exchange || now() >= endMs) return { exchange, server, isEqual: server === exchange };
      await wait(POLL_MS);
    }
  };
}

async function health(
  { url, token, ssp }: OperatorAccess,
  minutes: number,
): Promise<{ from: Date; spend: number }> {
  const response = await fetch(`${url}/api/operator/ssps/${ssp}/health?minutes=${minutes}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`The operator API responded with status ${response.status}.`);
  const { data } = Envelope.parse(await response.json());
  return { from: new Date(data.from), spend: data.total.spend };
}
