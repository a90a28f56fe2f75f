import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import { pdfText } from '@bidwell/testing/files/pdf-text';
import { picture } from '@bidwell/testing/files/pictures';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Pdf from 'pdfkit';
import { expect, test } from 'vitest';
import { printable, unprintable } from './characters.ts';
import { drawInvoice } from './draw-invoice.ts';

const fonts = fileURLToPath(new URL('./fonts', import.meta.url));

const invoice: InvoiceSnapshot = {
  kind: 'invoice',
  number: 'INV-2026-00012',
  issuedOn: '2026-02-02',
  period: { month: '2026-01', firstDay: '2026-01-01', lastDay: '2026-01-31', timeZone: 'Europe/Berlin' },
  seller: {
    legal_name: 'Anzeigen Größe GmbH',
    address: 'Hauptstraße 1\n10115 Berlin',
    country: 'DE',
    tax_id: 'DE123456789',
  },
  buyer: { legal_name: 'ООО Игры', address: 'Οδός 5\nŁódź', country: 'PL', tax_id: '' },
  lines: [
    { description: 'Puzzle, summer', micros: 1_234_567_890, cents: 123_457 },
    { description: 'Launch 🚀 中文', micros: 5000, cents: 0 },
  ],
  netCents: 123_457,
  tax: { label: 'VAT', rate_percent: 19, note: 'Reverse charge does not apply.', cents: 23_457 },
  totalCents: 146_914,
  shown: {
    currency: 'EUR',
    perDollarMillionths: 923_400,
    date: '2026-01-30',
    source: 'European Central Bank',
    minorUnits: 135_660,
  },
  correction: null,
  paymentText: 'Paid from the balance.',
};

test('shows all figures and texts, and characters without a glyph as their code points', async () => {
  expect(pdfText(await drawInvoice(invoice, fonts))).toEqual([
    'Invoice',
    'Anzeigen Größe GmbH',
    'Hauptstraße 1',
    '10115 Berlin',
    'Germany',
    'Tax ID: DE123456789',
    'Bill to',
    'ООО Игры',
    'Οδός 5',
    'Łódź',
    'Poland',
    'Invoice number: INV-2026-00012',
    'Date of issue: 2 Feb 2026',
    'Period: 1 Jan 2026 to 31 Jan 2026',
    'Time zone: Europe/Berlin',
    'Media spend by campaign',
    'Amount in USD',
    'Puzzle, summer',
    '1,234.57',
    'Launch [U+1F680] [U+4E2D][U+6587]',
    '0.00',
    'Net',
    '1,234.57',
    'VAT 19%',
    '234.57',
    'Total in USD',
    '1,469.14',
    'Total in EUR',
    '1,356.60',
    'Reverse charge does not apply.',
    'The total in EUR is for information: 1 USD = 0.9234 EUR on 30 Jan 2026 (European Central Bank).',
    'Paid from the balance.',
    'Anzeigen Größe GmbH · INV-2026-00012 · Page 1 of 1',
  ]);
});

test('a credit note names its invoice, and leaves out absent parts', async () => {
  const text = pdfText(
    await drawInvoice(
      {
        ...invoice,
        kind: 'credit_note',
        number: 'CN-2026-00001',
        period: null,
        lines: [{ description: 'Wrong campaign', micros: null, cents: 1000 }],
        netCents: 1000,
        tax: null,
        totalCents: 1000,
        shown: null,
        correction: { number: 'INV-2026-00012', issuedOn: '2026-02-02', reason: 'Wrong campaign' },
        paymentText: '',
      },
      fonts,
    ),
  );
  expect(text.slice(0, 1)).toEqual(['Credit note']);
  expect(text.slice(-12)).toEqual([
    'Credit note number: CN-2026-00001',
    'Date of issue: 2 Feb 2026',
    'For invoice: INV-2026-00012 of 2 Feb 2026',
    'Correction',
    'Amount in USD',
    'Wrong campaign',
    '10.00',
    'Net',
    '10.00',
    'Total credited in USD',
    '10.00',
    'Anzeigen Größe GmbH · CN-2026-00001 · Page 1 of 1',
  ]);
});

test('a long table goes on with its head on further pages, and no line is lost or below the margin', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => ({
    description: `Campaign ${index} ${'long name '.repeat(index % 15)}`.trim(),
    micros: 10_000,
    cents: index,
  }));
  const text = pdfText(await drawInvoice({ ...invoice, lines }, fonts));
  const pages = text.filter((piece) => piece.includes('Page '));
  expect(pages.at(-1)).toMatch(new RegExp(`Page ${pages.length} of ${pages.length}$`));
  expect(pages.length).toBeGreaterThan(2);
  expect(text.filter((piece) => piece === 'Media spend by campaign')).toHaveLength(pages.length);
  const found = text.flatMap((piece) => /^Campaign (\d+)\b/.exec(piece)?.[1] ?? []).map(Number);
  expect(found).toEqual(lines.map((_, index) => index));
});

test('the same invoice is the same bytes, and says its title, language and structure', async () => {
  const pdf = await drawInvoice(invoice, fonts);
  expect(await drawInvoice(structuredClone(invoice), fonts)).toEqual(pdf);
  const text = pdf.toString('latin1');
  expect(text).toContain('/Marked true');
  expect(text).toContain('/Lang (en)');
  expect(text).toContain('/DisplayDocTitle true');
  for (const tag of ['H1', 'Table', 'TR', 'TH', 'TD']) expect(text).toContain(`/S /${tag}\n`);
});

test('the printable characters are the characters in both fonts', () => {
  for (const file of ['DejaVuSansCondensed.ttf', 'DejaVuSansCondensed-Bold.ttf']) {
    const doc = new Pdf({ font: join(fonts, file) }) as unknown as {
      _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
    };
    const missing: string[] = [];
    for (let code = 0x20; code < 0x30000; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code).normalize('NFC');
      if (character.length === 1 && unprintable(character).length === 0)
        if (!doc._font.font.hasGlyphForCodePoint(character.codePointAt(0)!)) missing.push(character);
    }
    expect(missing).toEqual([]);
  }
  expect(printable('Zoë\u202Eевро € 中')).toBe('Zoë[U+202E]евро € [U+4E2D]');
});

test('the logo is at the top with the name of the product as its text, and the same bytes each time', async () => {
  const branded = { ...invoice, product: 'Acme Ads' };
  const logo = await picture(600, 150);
  const pdf = await drawInvoice(branded, fonts, logo);
  expect(await drawInvoice(structuredClone(branded), fonts, Buffer.from(logo))).toEqual(pdf);
  const text = pdf.toString('latin1');
  expect(text).toMatch(/obj\s+\(Acme Ads\)/);
  expect(text).not.toContain('Bidwell');
  expect(text).toContain('/Alt (Acme Ads)');
  expect(text).toMatch(/\/Subtype \/Image[\s\S]*?\/Width 600/);
  expect(pdfText(pdf)).toEqual(pdfText(await drawInvoice(branded, fonts)));
});
