import { asciiAddress } from '@bidwell/contract/accounts/domain';

/** A mail address in the one form of all that lead to the same mailbox: regardless of case and Unicode form. Pure. */
export const normalAddress = (email: string): string =>
  asciiAddress(email.normalize('NFKC').trim().toLowerCase());
