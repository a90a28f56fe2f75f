import type { FastifyReply } from 'fastify';
import { type PublicAddress, publicUrlOf } from '../http/public-url.ts';
import type { Http } from '../http/server.ts';
import type { BrandReader } from './brand-reader.ts';
import { consoleOrigins, logoPath } from './page-brand.ts';

interface WellKnown {
  brand: BrandReader;
  /** The address of the server, and where weaknesses of it are reported to: a URI, or null. */
  config: PublicAddress & { securityContact: string | null };
  now: () => Date;
  /** Where people change their password. */
  passwordPage: string;
}

/** Crawlers that follow the links of an ad would count as its clicks. Pages of the console ask in their HTML not to be listed. */
const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /t/\n';

const SECURITY_TXT_DAYS = 90;

/** Serves the files that browsers, crawlers and researchers look for at a fixed address of each site. Others are not found. */
export function registerWellKnown(http: Http, { brand, config, now, passwordPage }: WellKnown): void {
  const text = (reply: FastifyReply, content: string) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(content);
  const at = (path: string, respond: (reply: FastifyReply) => Promise<FastifyReply>) =>
    http.get(path, { schema: { hide: true } }, async (_request, reply) => respond(reply));
  // The origins at which browsers offer the passkeys of PUBLIC_URL: also the origins of the brand's domains (section 5.11 of Web
  // Authentication, level 3, "related origins").
  at('/.well-known/webauthn', async (reply) => {
    const origins = consoleOrigins(await brand.current(), config);
    return reply.type('application/json').header('cache-control', 'no-cache').send({ origins });
  });
  // Password managers lead people there ("A Well-Known URL for Changing Passwords" of the W3C).
  at('/.well-known/change-password', async (reply) => reply.redirect(passwordPage));
  at('/robots.txt', async (reply) => text(reply, ROBOTS));
  at('/favicon.ico', async (reply) => {
    const { logo } = await brand.current();
    return reply
      .header('cache-control', 'public, max-age=3600')
      .redirect(logo ? logoPath(logo, 'icon') : '/logo.svg');
  });
  const { securityContact } = config;
  if (securityContact === null) return;
  // RFC 9116.
  at('/.well-known/security.txt', async (reply) => {
    const expires = new Date(now().getTime() + SECURITY_TXT_DAYS * 86_400_000);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      `Canonical: ${publicUrlOf(config)}/.well-known/security.txt`,
    ];
    return text(reply, `${lines.join('\n')}\n`);
  });
}
