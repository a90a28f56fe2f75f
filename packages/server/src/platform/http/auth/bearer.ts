const BEARER = /^Bearer +([\w.~+/=-]{1,4096})$/i;
/** Characters of a header that are looked at. */
const HEADER_CHARS_MAX = 5000;

/**
 * The bearer token of a request; undefined without one. What comes along when a token is pasted is left out: quotation marks and spaces of
 * other kinds around it, and invisible characters.
 */
export function bearer({ headers }: { headers: { authorization?: string | undefined } }): string | undefined {
  const { authorization = '' } = headers;
  return (BEARER.exec(authorization) ?? BEARER.exec(pastedIn(authorization)))?.[1];
}

/** A header as its UTF-8, of which Node.js passes on the bytes, without what is pasted along. */
function pastedIn(header: string): string {
  return Buffer.from(header.slice(0, HEADER_CHARS_MAX), 'latin1')
    .toString()
    .replaceAll(/[\s"'\u{FFFD}\p{Cf}]/gu, ' ')
    .trim();
}
