import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import { PRODUCT } from '@bidwell/contract/branding/product';
import { join } from 'node:path';
import Pdf from 'pdfkit';
import { printable } from './characters.ts';
import { monthNames } from '@bidwell/contract/lib/calendar';
import { decimalsOf } from '../amounts.ts';

type Doc = InstanceType<typeof Pdf>;
type Element = ReturnType<Doc['struct']>;

// Points, 72 to the inch, of a page of A4.
const MARGIN = 50;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 20;
const AMOUNT_WIDTH = 110;
const FIRST_COLUMN = WIDTH / 2 + 10;
const GAP = 6;
const TEXT_SIZE = 9.5;
const LOGO = { width: 144, height: 36 };
const GREY = '#555555';

/** A cell of text with its place in the tags. */
interface Cell {
  tag: 'H1' | 'H2' | 'P' | 'TH' | 'TD';
  text: string;
  x?: number;
  y: number;
  width: number;
  align?: 'left' | 'right';
  bold?: boolean;
  size?: number;
  color?: string;
}

/**
 * Draws an invoice or a credit note as PDF. The same snapshot gives the same bytes. Fonts are read from `fontFolder`. The document is
 * tagged: headings, paragraphs and the table, in the order of reading. `logo` is a PNG without transparency, at the top.
 */
export async function drawInvoice(
  snapshot: InvoiceSnapshot,
  fontFolder: string,
  logo: Buffer | null = null,
): Promise<Buffer> {
  const product = printable(snapshot.product ?? PRODUCT);
  const title = `${snapshot.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${snapshot.number}`;
  const doc = new Pdf({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: printable(title),
      Author: printable(snapshot.seller.legal_name),
      Producer: product,
      Creator: product,
      CreationDate: new Date(`${snapshot.issuedOn}T00:00:00Z`),
    },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.once('end', resolve);
    doc.once('error', reject);
  });
  doc.registerFont('regular', join(fontFolder, 'DejaVuSansCondensed.ttf'));
  doc.registerFont('bold', join(fontFolder, 'DejaVuSansCondensed-Bold.ttf'));
  const root = doc.struct('Document');
  doc.addStructure(root);
  const top = logo ? drawLogo(doc, root, { logo, alt: product }) : MARGIN;
  let y = drawHead(doc, root, { top, snapshot });
  y = drawLines(doc, root, { y, snapshot });
  y = drawSums(doc, root, { y, snapshot });
  drawNotes(doc, root, { y, snapshot });
  root.end();
  drawFooters(doc, snapshot);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Draws the logo at the top left. Returns where to go on. */
function drawLogo(doc: Doc, root: Element, { logo, alt }: { logo: Buffer; alt: string }): number {
  root.add(
    doc.struct('Figure', { alt }, () => {
      doc.image(logo, MARGIN, MARGIN, { fit: [LOGO.width, LOGO.height] });
    }),
  );
  return MARGIN + LOGO.height + 2 * GAP;
}

/** Draws one cell as a child of an element. Returns its height. */
function drawCell(doc: Doc, parent: Element, { tag, text, x = 0, y, width, ...style }: Cell): number {
  const options = { width, align: style.align ?? 'left' };
  const shown = printable(text);
  doc.font(style.bold ? 'bold' : 'regular').fontSize(style.size ?? TEXT_SIZE);
  const height = doc.heightOfString(shown, options);
  parent.add(
    doc.struct(tag, {}, () => {
      doc
        .font(style.bold ? 'bold' : 'regular')
        .fontSize(style.size ?? TEXT_SIZE)
        .fillColor(style.color ?? 'black')
        .text(shown, MARGIN + x, y, options);
    }),
  );
  return height;
}

/** The title, the parties, and the number and dates. Returns where to go on. */
function drawHead(
  doc: Doc,
  root: Element,
  { top, snapshot }: { top: number; snapshot: InvoiceSnapshot },
): number {
  const { kind, seller, buyer } = snapshot;
  const title = kind === 'invoice' ? 'Invoice' : 'Credit note';
  const half = { width: WIDTH / 2 - 10 };
  drawCell(doc, root, { tag: 'H1', text: title, y: top, ...half, bold: true, size: 22 });
  const right = { x: FIRST_COLUMN, width: WIDTH - FIRST_COLUMN };
  let sellerY = top;
  sellerY += drawCell(doc, root, { tag: 'P', text: seller.legal_name, y: sellerY, ...right, bold: true });
  for (const text of partyLines(seller))
    sellerY += drawCell(doc, root, { tag: 'P', text, y: sellerY, ...right });
  const second = Math.max(sellerY, top + 40) + 24;
  let buyerY = second;
  buyerY += drawCell(doc, root, { tag: 'H2', text: 'Bill to', y: buyerY, ...half, color: GREY });
  buyerY += drawCell(doc, root, { tag: 'P', text: buyer.legal_name, y: buyerY, ...half, bold: true });
  for (const text of partyLines(buyer)) buyerY += drawCell(doc, root, { tag: 'P', text, y: buyerY, ...half });
  let factsY = second;
  for (const [name, value] of factsOf(snapshot))
    factsY += drawCell(doc, root, { tag: 'P', text: `${name}: ${value}`, y: factsY, ...right });
  return Math.max(buyerY, factsY) + 28;
}

/** The table of lines, over as many pages as it takes. Returns where to go on. */
function drawLines(
  doc: Doc,
  root: Element,
  { y: top, snapshot }: { y: number; snapshot: InvoiceSnapshot },
): number {
  const what = snapshot.kind === 'invoice' ? 'Media spend by campaign' : 'Correction';
  const table = doc.struct('Table');
  root.add(table);
  let y = drawRow(doc, table, { tag: 'TH', y: top, text: what, amount: 'Amount in USD' });
  for (const { description, cents } of snapshot.lines) {
    const width = WIDTH - AMOUNT_WIDTH;
    const height = doc.font('regular').fontSize(TEXT_SIZE).heightOfString(printable(description), { width });
    if (y + height > BOTTOM) {
      doc.addPage();
      y = drawRow(doc, table, { tag: 'TH', y: MARGIN, text: what, amount: 'Amount in USD' });
    }
    y = drawRow(doc, table, { tag: 'TD', y, text: description, amount: amountText(cents) });
  }
  table.end();
  return y + 8;
}

function drawRow(
  doc: Doc,
  table: Element,
  { tag, y, text, amount }: { tag: 'TH' | 'TD'; y: number; text: string; amount: string },
): number {
  const row = doc.struct('TR');
  table.add(row);
  const bold = tag === 'TH';
  const height = drawCell(doc, row, { tag, text, y, width: WIDTH - AMOUNT_WIDTH, bold });
  const x = WIDTH - AMOUNT_WIDTH;
  drawCell(doc, row, { tag, text: amount, x, y, width: AMOUNT_WIDTH, align: 'right', bold });
  row.end();
  drawRule(doc, y + height + GAP / 2);
  return y + height + GAP;
}

/** A line across the page, which is no content. */
function drawRule(doc: Doc, y: number): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor('#cccccc')
    .stroke();
  doc.endMarkedContent();
}

/** The sums, kept together on one page. Returns the position after them. */
function drawSums(
  doc: Doc,
  root: Element,
  { y: top, snapshot }: { y: number; snapshot: InvoiceSnapshot },
): number {
  const sums = sumsOf(snapshot);
  let y = top;
  if (y + sums.length * 20 > BOTTOM) {
    doc.addPage();
    y = MARGIN;
  }
  for (const [name, amount] of sums) {
    const bold = name.startsWith('Total');
    const width = WIDTH - AMOUNT_WIDTH;
    const height = drawCell(doc, root, { tag: 'P', text: name, y, width, align: 'right', bold });
    drawCell(doc, root, { tag: 'P', text: amount, x: width, y, width: AMOUNT_WIDTH, align: 'right', bold });
    y += height + GAP;
  }
  return y + 14;
}

function drawNotes(
  doc: Doc,
  root: Element,
  { y: top, snapshot }: { y: number; snapshot: InvoiceSnapshot },
): void {
  let y = top;
  for (const text of notesOf(snapshot)) {
    const height = doc.font('regular').fontSize(TEXT_SIZE).heightOfString(printable(text), { width: WIDTH });
    if (y + height > BOTTOM) {
      doc.addPage();
      y = MARGIN;
    }
    y += drawCell(doc, root, { tag: 'P', text, y, width: WIDTH }) + GAP;
  }
}

/** The number and the page at the foot of each page, which are no content. */
function drawFooters(doc: Doc, { number, seller }: InvoiceSnapshot): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(start + page);
    // The foot is below the margin, where text would begin a new page.
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination' });
    doc
      .font('regular')
      .fontSize(8)
      .fillColor(GREY)
      .text(
        printable(`${seller.legal_name} · ${number} · Page ${page + 1} of ${count}`),
        MARGIN,
        BOTTOM + 24,
        {
          width: WIDTH,
          align: 'center',
          lineBreak: false,
        },
      );
    doc.endMarkedContent();
  }
}

const grouped = new Intl.NumberFormat('en-US');

/** An amount in the smallest unit of a currency with `decimals` decimals, such as 1,234.56. Pure. */
export function amountText(minorUnits: number, decimals = 2): string {
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = grouped.format(BigInt(digits.slice(0, digits.length - decimals)));
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction}`;
}

/** A date as letters have it: 2 Feb 2026. */
function dateText(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${monthNames[month! - 1]} ${year}`;
}

/** The fields above the lines, with their names. Pure. */
function factsOf({ kind, number, issuedOn, period, correction }: InvoiceSnapshot): [string, string][] {
  return [
    [kind === 'invoice' ? 'Invoice number' : 'Credit note number', number],
    ['Date of issue', dateText(issuedOn)],
    ...(period
      ? ([
          ['Period', `${dateText(period.firstDay)} to ${dateText(period.lastDay)}`],
          ['Time zone', period.timeZone],
        ] as [string, string][])
      : []),
    ...(correction
      ? ([['For invoice', `${correction.number} of ${dateText(correction.issuedOn)}`]] as [string, string][])
      : []),
  ];
}

/** The lines of a party's address. Pure. */
function partyLines({ address, country, tax_id }: InvoiceSnapshot['seller']): string[] {
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country);
  return [...address.split('\n'), name ?? country, ...(tax_id === '' ? [] : [`Tax ID: ${tax_id}`])];
}

/** The sums below the lines. Pure. */
function sumsOf({ kind, netCents, tax, totalCents, shown }: InvoiceSnapshot): [string, string][] {
  return [
    ['Net', amountText(netCents)],
    ...(tax ? ([[`${tax.label} ${tax.rate_percent}%`, amountText(tax.cents)]] as [string, string][]) : []),
    [kind === 'invoice' ? 'Total in USD' : 'Total credited in USD', amountText(totalCents)],
    ...(shown
      ? ([[`Total in ${shown.currency}`, amountText(shown.minorUnits, decimalsOf(shown.currency))]] as [
          string,
          string,
        ][])
      : []),
  ];
}

/** The sentences below the sums. Pure. */
function notesOf({ tax, shown, paymentText }: InvoiceSnapshot): string[] {
  return [
    ...(tax && tax.note !== '' ? [tax.note] : []),
    ...(shown
      ? [
          `The total in ${shown.currency} is for information: 1 USD = ${rateText(shown.perDollarMillionths)} ${shown.currency} ` +
            `on ${dateText(shown.date)} (${shown.source}).`,
        ]
      : []),
    ...(paymentText === '' ? [] : [paymentText]),
  ];
}

/** Millionths as a decimal number without trailing zeros. */
function rateText(millionths: number): string {
  const digits = amountText(millionths, 6);
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end);
}
