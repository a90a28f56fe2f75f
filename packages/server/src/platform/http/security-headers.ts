import type { FastifyHelmetOptions } from '@fastify/helmet';
import { type PublicAddress, publicUrlOf } from './public-url.ts';

/** Settings that the headers depend on. */
export interface PolicySettings extends PublicAddress {
  /** Origin that serves user files; null where it is this server. */
  assetOrigin: string | null;
  captcha: { kind: string };
}

/** Security headers of all responses. */
export function securityHeaders(config: PolicySettings): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives: policyDirectives(config) },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ?? false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  };
}

/** Browser features that no page uses, denied by the Permissions Policy (W3C). */
export const PERMISSIONS_POLICY = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Content security policy of a page with its own style elements, named by `'nonce-…'` or `'sha256-…'`. The page is also at the
 * origins `others`.
 */
export function policyWithStyles(
  config: PolicySettings,
  styles: string,
  others: readonly string[] = [],
): string {
  const directives = policyDirectives(config);
  directives['connect-src']?.push(...others.map(socketOriginOf));
  directives['style-src'] = ["'self'", styles];
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join(';');
}

function policyDirectives(config: PolicySettings): Record<string, string[]> {
  const assets = config.assetOrigin ? [config.assetOrigin] : [];
  const recaptcha =
    config.captcha.kind === 'recaptcha' ? ['https://www.google.com', 'https://www.gstatic.com'] : [];
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...recaptcha],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', 'https:', ...assets],
    'media-src': ["'self'", 'blob:', ...assets],
    'font-src': ["'self'", 'data:'],
    'worker-src': ["'self'", 'blob:'],
    'connect-src': ["'self'", socketOrigin(config), ...assets, ...recaptcha],
    'frame-src': ["'self'", 'blob:', ...assets, ...recaptcha],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
}

/** Origin of the pages' websocket, which some browsers do not include in 'self'. */
function socketOrigin(config: PolicySettings): string {
  return socketOriginOf(new URL(publicUrlOf(config)).origin);
}

const socketOriginOf = (origin: string): string => origin.replace(/^http/, 'ws');
