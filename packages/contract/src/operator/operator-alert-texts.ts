/** The warnings that operators get by mail. */
export const operatorAlertTexts = {
  subject: (product: string) => `${product} needs a look`,
  backup: (hours: number) => `The last backup is ${hours} hours old.`,
  ledger: (count: number) => `The daily check of the ledger found ${count} disagreements.`,
  disk: 'A disk of the ClickHouse servers has less than a tenth free.',
} as const;
