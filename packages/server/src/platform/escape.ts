const entities: Record<string, string> = {
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an attribute or element of HTML. */
export function escapeHtml(text: string): string {
  const withoutAmpersands = text.includes('&') ? text.replaceAll('&', '&amp;') : text;
  if (!/[<>"']/.test(withoutAmpersands)) return withoutAmpersands;
  return withoutAmpersands.replaceAll(/[<>"']/g, (character) => entities[character]!);
}

/** Escapes text for an attribute or element of XML 1.0; removes characters that XML does not allow. */
export function escapeXml(text: string): string {
  return escapeHtml(xmlCharacters(text));
}

/** Wraps text in a CDATA section; splits it at `]]>`. */
export function cdata(text: string): string {
  return `<![CDATA[${xmlCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Percent-encodes the characters of a URL that RFC 3986 does not allow. */
export function encodedUrl(url: string): string {
  if (/^(?:[\w\-.~:/?#@!$&'()*+,;=]|%[\da-f]{2})*$/i.test(url)) return url;
  return url
    .replaceAll(/%(?![\da-f]{2})/gi, '%25')
    .replaceAll(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, (character) =>
      /\p{Surrogate}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character),
    );
}

/** A value as JSON for an inline script: it cannot contain `</script>` or `<!--`. */
export function scriptValue(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Removes characters outside XML 1.0, production 2. */
function xmlCharacters(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- these are what it is about
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
    '',
  );
}
