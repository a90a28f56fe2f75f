/** Messages of invoices for users, some shared by server and console. */
export const invoiceMessages = {
  countryCode: 'Two capital letters, such as DE',
  currencyCode: 'Three capital letters, such as EUR',
  currencyNotDollar: 'Invoices are in dollars anyway: choose another currency',
  twoDecimals: 'Use at most two decimals',
  sixDecimals: 'Use at most six decimals',
  ratePositive: 'Enter at least 0.000001',
  invoicePrefix: 'A capital letter, then at most nine capital letters, digits and hyphens',
  invoicePrefixes: 'Invoices and credit notes need different prefixes',
} as const;
