/** The price of a notice that could not be read, for operators; empty otherwise. */
export const priceTexts = [`alter table events add column if not exists price_text String default ''`];
