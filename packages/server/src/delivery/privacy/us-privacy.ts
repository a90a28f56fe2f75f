/** Whether a US Privacy String (IAB Tech Lab, "U.S. Privacy String", 1.0) opts out of the sale of personal data. */
export function isOptedOutOfSale(usPrivacy: string): boolean {
  return /^1.y/i.test(usPrivacy);
}
