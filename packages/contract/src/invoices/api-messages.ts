/** Messages of invoices that only the server writes, in responses of the API. */
export const invoiceApiMessages = {
  invoices: 'invoices',
  invoiceSettings: 'Enter who issues invoices first.',
  invoiceBilling: 'The company has not entered its billing details yet.',
  invoiceMonthOpen: (month: string) => `The month ${month} is not over yet.`,
  invoiceExists: (number: string) => `The month has an invoice already: ${number}.`,
  invoiceOrder: (month: string) => `There is an invoice of ${month} already, and invoices follow the months.`,
  invoiceNothing: 'There is nothing to invoice for this month.',
  creditNoteOfNote: 'A credit note corrects an invoice, not another credit note.',
  creditNoteMax: (rest: string) => `At most ${rest} of the invoice can be credited.`,
  charactersNotPrinted: (characters: string) =>
    `Invoices cannot show these characters: ${characters}. Use Latin, Greek or Cyrillic letters.`,
} as const;
