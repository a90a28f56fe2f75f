/** Repeated in tables, since some mail programs give them a font of their own. */
export const MAIL_FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * The page of a mail: readable on a phone, and in the colours of the reader, light or dark, as it sets no colours. Long links
 * break. Pure.
 */
export function mailPage(content: string): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    // Keeps mail programs from linking text that they take for phone numbers or places.
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    '<style>:root{color-scheme:light dark}</style></head>',
    `<body style="margin:0;padding:16px;${MAIL_FONT};font-size:14px;line-height:1.5;overflow-wrap:anywhere">`,
    `<div style="max-width:720px">`,
    content.trimEnd(),
    '</div></body></html>',
    '',
  ].join('\n');
}

/** A text as it is written in the HTML of a mail. */
export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
