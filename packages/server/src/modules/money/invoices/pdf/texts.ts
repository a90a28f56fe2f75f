import { monthNames } from '@bidwell/contract/lib/calendar';
import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import { decimalsOf } from '../amounts.ts';

const grouped = new Intl.NumberFormat('en-US');

/** An amount in the smallest unit of a currency with so many decimals, such as 1,234.56. Pure. */
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
export function factsOf({ kind, number, issuedOn, period, correction }: InvoiceSnapshot): [string, string][] {
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
export function partyLines({ address, country, tax_id }: InvoiceSnapshot['seller']): string[] {
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country);
  return [...address.split('\n'), name ?? country, ...(tax_id === '' ? [] : [`Tax ID: ${tax_id}`])];
}

/** The sums below the lines. Pure. */
export function sumsOf({ kind, netCents, tax, totalCents, shown }: InvoiceSnapshot): [string, string][] {
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
export function notesOf({ tax, shown, paymentText }: InvoiceSnapshot): string[] {
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
