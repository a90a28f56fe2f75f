/** Why an event that may charge did not charge a price of its own; nothing where it did. */
export const priceFaults = [
  `alter table events add column if not exists price_fault LowCardinality(String) default ''`,
];
