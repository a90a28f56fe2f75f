import { type Nats, openNats } from '../../platform/nats/connection.ts';
import type { Lifetime } from './lifetime.ts';

/** Connects to NATS in the background, for all that this process exchanges with others; null without NATS_URL. */
export function connectNats({ config, log, closing }: Lifetime): Nats | null {
  if (config.natsUrl === undefined) return null;
  const nats = openNats(config.natsUrl, log);
  return closing('NATS', nats, () => nats.close());
}
