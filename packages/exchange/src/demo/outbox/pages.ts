import type { Attachment, Email } from 'postal-mime';

/** A mail that the server sent. */
export interface CaughtMail {
  id: number;
  at: Date;
  /** The addresses that it was for. */
  to: string;
  mail: Email;
}

/** The page with all mails, the newest first. */
export function listPage(mails: readonly CaughtMail[], most: number): string {
  const rows = mails.map(
    ({ id, at, to, mail }) =>
      `<tr><td><time>${time(at)}</time></td><td>${escaped(to)}</td>` +
      `<td><a href="/mails/${id}">${escaped(mail.subject || '(no subject)')}</a></td>` +
      `<td>${mail.attachments.filter(isFile).length || ''}</td></tr>`,
  );
  const table = `<table><thead><tr><th>Time (UTC)</th><th>To</th><th>Subject</th><th>Files</th></tr></thead>
    <tbody>${rows.join('')}</tbody></table>`;
  const empty = '<p>No mail yet. Send one: schedule a report, invite someone, or ask for a new password.</p>';
  return page(
    'Outbox of the demo',
    `<h1>Outbox of the demo</h1>
    <p>The mails that the server has sent since its start, at most ${most}. They go nowhere else.</p>
    ${mails.length > 0 ? table : empty}`,
    '<meta http-equiv="refresh" content="10">',
  );
}

/** The page of one mail with its HTML, its text and its files. */
export function mailPage({ id, at, to, mail }: CaughtMail): string {
  const subject = mail.subject || '(no subject)';
  const from = mail.from ? `${mail.from.name ?? ''} <${mail.from.address ?? ''}>`.trim() : '';
  const files = mail.attachments
    .map((file, index) => ({ file, index }))
    .filter(({ file }) => isFile(file))
    .map(
      ({ file, index }) => `<a href="/mails/${id}/files/${index}">${escaped(file.filename ?? 'file')}</a>`,
    );
  const html = mail.html
    ? `<iframe title="The mail as it looks" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escaped(LINKS_OPEN + withImages(mail.html, mail.attachments))}"></iframe>`
    : '';
  return page(
    subject,
    `<p><a href="/">All mails</a></p>
    <h1>${escaped(subject)}</h1>
    <dl><dt>From</dt><dd>${escaped(from)}</dd><dt>To</dt><dd>${escaped(to)}</dd><dt>Time (UTC)</dt><dd>${time(at)}</dd>
    ${files.length > 0 ? `<dt>Files</dt><dd>${files.join(', ')}</dd>` : ''}</dl>
    ${html}
    <h2>As text</h2><pre>${escaped(mail.text ?? '')}</pre>`,
  );
}

/** A file of a mail, by its number; undefined if it has none. */
export function fileOf(
  { mail }: CaughtMail,
  index: number,
): { name: string; body: Uint8Array | string } | undefined {
  const file = mail.attachments[index];
  return file && { name: file.filename ?? 'file', body: bytesOf(file) };
}

const isFile = ({ contentId, disposition }: Attachment) => !contentId || disposition === 'attachment';

const bytesOf = ({ content }: Attachment): Uint8Array | string =>
  typeof content === 'string' ? content : new Uint8Array(content);

/** Links of a mail open in a page of their own: the frame shows nothing else. */
const LINKS_OPEN = '<base target="_blank">';

/** Puts the pictures that a mail carries into its HTML. */
function withImages(html: string, attachments: readonly Attachment[]): string {
  return attachments.reduce((text, file) => {
    const id = file.contentId?.replaceAll(/[<>]/g, '');
    if (!id) return text;
    const data = Buffer.from(bytesOf(file)).toString('base64');
    return text.replaceAll(`cid:${id}`, `data:${file.mimeType};base64,${data}`);
  }, html);
}

const time = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
  th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
  td time { white-space: nowrap; }
  iframe { width: 100%; height: 40rem; border: 1px solid #8884; border-radius: 6px; background: #fff; color-scheme: light; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dd { margin: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }`;

const page = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
${head}<style>${STYLE}</style></head><body>${body}</body></html>`;
