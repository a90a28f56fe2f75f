/** Whether a person opted out of the sale of their data, by a US Privacy String (IAB Tech Lab, "U.S. Privacy String", 1.0). */
export function isOptedOutOfSale(usPrivacy: string): boolean {
  return /^1.y/i.test(usPrivacy);
}
