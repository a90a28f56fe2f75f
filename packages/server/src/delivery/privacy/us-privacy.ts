/** Whether a text is a US Privacy String of version 1 (IAB Tech Lab, "U.S. Privacy String", 1.0). */
export function isUsPrivacyString(text: string): boolean {
  return /^1[yn-]{3}$/i.test(text.trim());
}

/** Whether a US Privacy String opts out of the sale of personal data. */
export function isOptedOutOfSale(usPrivacy: string): boolean {
  return /^\s*1.y/i.test(usPrivacy);
}
