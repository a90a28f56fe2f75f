import type { LearningCounts, PriceCounts, RateCounts } from './counts.ts';
import { STEPS } from './win-rates.ts';

/** Version of the format; also of the scale of price steps. */
export const COUNTS_VERSION = 1;

/** Longest message, bytes: reading one takes a bidder less than a millisecond. */
const BYTES_MAX = 64 * 1024;
const TEXT_CHARS_MAX = 300;

/** A sum as an array: of rates with eleven elements, of prices with six. */
type Row = (string | number)[];
const RATE_TEXTS = 6;
const RATE_LENGTH = 11;
const PRICE_TEXTS = 3;
const PRICE_LENGTH = 6;

/** Writes sums as messages of at most 64 KiB: JSON arrays of rows. A sum with an overlong text is left out. */
export function encodeCounts({ rates, prices }: LearningCounts): Buffer[] {
  const messages: Buffer[] = [];
  let rows: string[] = [];
  let bytes = 2;
  const end = (): void => {
    if (rows.length > 0) messages.push(Buffer.from(`[${rows.join(',')}]`));
    rows = [];
    bytes = 2;
  };
  const add = (row: Row): void => {
    if (row.some((value) => typeof value === 'string' && value.length > TEXT_CHARS_MAX)) return;
    const text = JSON.stringify(row);
    const length = Buffer.byteLength(text) + 1;
    if (bytes + length > BYTES_MAX) end();
    rows.push(text);
    bytes += length;
  };
  for (const sums of rates) {
    const { companyId, adsetId, creativeId, format, bundle, country } = sums;
    const { impressions, clicks, installs, charges, mediaMicros } = sums;
    add([
      companyId,
      adsetId,
      creativeId,
      format,
      bundle,
      country,
      impressions,
      clicks,
      installs,
      charges,
      mediaMicros,
    ]);
  }
  for (const { exchange, format, country, step, placed, won } of prices)
    add([exchange, format, country, step, placed, won]);
  end();
  return messages;
}

/** Reads what {@link encodeCounts} wrote; null if anything in it is not valid. */
export function decodeCounts(content: Buffer): LearningCounts | null {
  let rows: unknown;
  try {
    rows = JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(rows)) return null;
  const rates: RateCounts[] = [];
  const prices: PriceCounts[] = [];
  for (const row of rows as unknown[]) {
    if (isRow(row, RATE_TEXTS, RATE_LENGTH)) {
      const [companyId, adsetId, creativeId, format, bundle, country] = row as string[];
      const [impressions, clicks, installs, charges, mediaMicros] = row.slice(RATE_TEXTS) as [
        number,
        number,
        number,
        number,
        number,
      ];
      if (impressions < 0 || clicks < 0 || charges < 0 || mediaMicros < 0) return null;
      rates.push({
        companyId: companyId!,
        adsetId: adsetId!,
        creativeId: creativeId!,
        format: format!,
        bundle: bundle!,
        country: country!,
        impressions,
        clicks,
        installs,
        charges,
        mediaMicros,
      });
    } else if (isRow(row, PRICE_TEXTS, PRICE_LENGTH)) {
      const [exchange, format, country, step, placed, won] = row as [
        string,
        string,
        string,
        number,
        number,
        number,
      ];
      if (step < 0 || step >= STEPS || placed < 0 || won < 0) return null;
      prices.push({ exchange, format, country, step, placed, won });
    } else return null;
  }
  return { rates, prices };
}

/** Whether a row has the length, texts first and then integers. */
function isRow(row: unknown, texts: number, length: number): row is Row {
  return (
    Array.isArray(row) &&
    row.length === length &&
    row.every((value, index) =>
      index < texts
        ? typeof value === 'string' && value.length <= TEXT_CHARS_MAX
        : Number.isSafeInteger(value),
    )
  );
}
