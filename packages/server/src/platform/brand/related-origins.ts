import type { Http } from '../http/server.ts';
import type { PublicAddress } from '../http/public-url.ts';
import type { BrandReader } from './brand-reader.ts';
import { consoleOrigins } from './page-brand.ts';

/**
 * Serves the origins at which browsers offer the passkeys of PUBLIC_URL: those of the brand's domains too (section 5.11 of Web Authentication,
 * level 3, "related origins").
 */
export function registerRelatedOrigins(http: Http, brand: BrandReader, address: PublicAddress): void {
  http.get('/.well-known/webauthn', { schema: { hide: true } }, async (_request, reply) => {
    const origins = consoleOrigins(await brand.current(), address);
    return reply.type('application/json').header('cache-control', 'no-cache').send({ origins });
  });
}
