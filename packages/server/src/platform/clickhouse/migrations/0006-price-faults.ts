/** The reason why a charging event was not charged its own price; empty otherwise. */
export const priceFaults = [
  `alter table events add column if not exists price_fault LowCardinality(String) default ''`,
];
