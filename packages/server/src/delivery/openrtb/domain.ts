import { domainToASCII } from 'node:url';

const NOT_ASCII = /[^ -~]/;

/**
 * The domain in a text of an exchange, such as `https://www.Apple.com/` and `*.apple.com.`: lower case, in the ASCII form of DNS
 * (WHATWG URL, "domain to ASCII"), without scheme, wildcard, `www.`, port and path. '' if there is none. Never throws.
 */
export function domainOf(text: string): string {
  const address = text.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]+/i, '');
  const end = address.search(/[/\\:?#]/);
  const host = end < 0 ? address : address.slice(0, end);
  // Most domains are ASCII, and need no conversion.
  const domain = NOT_ASCII.test(host) ? domainToASCII(host) : host.toLowerCase();
  return domain
    .replace(/^\*?\./, '')
    .replace(/^www\./, '')
    .replace(/\.$/, '');
}
