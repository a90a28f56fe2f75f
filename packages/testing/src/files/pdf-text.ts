import { inflateSync } from 'node:zlib';

/** The text of a PDF as this project writes it (fonts by glyph, with a table of their characters), piece by piece in its order. */
export function pdfText(pdf: Buffer): string[] {
  const objects = objectsOf(pdf);
  const fonts = new Map<string, Map<string, string>>();
  for (const { head } of objects.values())
    for (const [, name, id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!)?.head ?? '')?.[1];
      if (table) fonts.set(name!, charactersOf(objects.get(table)!.content));
    }
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return pages.flatMap(({ head }) => {
    const contents = /\/Contents (\d+) 0 R/.exec(head)![1]!;
    return piecesOf(objects.get(contents)!.content, fonts);
  });
}

interface PdfObject {
  head: string;
  content: string;
}

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, id, body] = match as unknown as [string, string, string];
    const at = body.indexOf('\nstream\n');
    const head = at < 0 ? body : body.slice(0, at);
    const raw = at < 0 ? '' : body.slice(at + 8, body.lastIndexOf('\nendstream'));
    const content = head.includes('/FlateDecode')
      ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1')
      : raw;
    objects.set(id, { head, content });
  }
  return objects;
}

/** The characters of a font by its glyph, four hexadecimal digits. */
function charactersOf(table: string): Map<string, string> {
  const characters = new Map<string, string>();
  for (const [, first, , list] of table.matchAll(/<(\w{4})> <(\w{4})> \[([^\]]*)\]/g))
    [...list!.matchAll(/<([\w ]*)>/g)].forEach(([, code], index) =>
      characters.set(
        (Number.parseInt(first!, 16) + index).toString(16).padStart(4, '0'),
        Buffer.from(code!.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
      ),
    );
  return characters;
}

/** What each operator of text shows. */
function piecesOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const pieces: string[] = [];
  let font: ReadonlyMap<string, string> | undefined;
  for (const [, name, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name) font = fonts.get(name);
    else {
      const glyphs = [...shown!.matchAll(/<(\w*)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g) ?? []);
      pieces.push(glyphs.map((glyph) => font?.get(glyph.toLowerCase()) ?? '\u{FFFD}').join(''));
    }
  }
  return pieces;
}
