/** Messages of money that only the server writes, in responses of the API. */
export const financeApiMessages = {
  balanceOnly: (balance: string) => `The balance is only ${balance}`,
  balanceWithCredit: (balance: string, limit: string) =>
    `The balance is ${balance} and the credit limit ${limit}`,
  topUpsWaiting: (count: number) => `${count} top-ups already wait for a decision`,
  topUpDecided: (status: string) => `This top-up is ${status} already`,
  amountPositive: 'Enter an amount above 0',
} as const;
