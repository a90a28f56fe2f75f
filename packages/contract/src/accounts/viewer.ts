import { z } from 'zod';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** Where an operator opens a company's console: the address contains a code that works once, within a minute. */
export const ViewerAddress = z.object({ address: z.string() });

/** Exchanges the code of a {@link ViewerAddress} for a session. */
export const ViewerCode = z.object({ code: z.string().min(1).max(200) });

/** The session of an operator who views a company's console: it can read, and change nothing. */
export const ViewerSession = z.object({
  access_token: z.string(),
  /** It cannot be renewed. */
  expires_at: Timestamp,
  /** The person whose view it is. */
  user_id: Uuid,
  company_name: z.string(),
  /** The company's page in the operator console; null where that is on another address. */
  return_path: z.string().nullable(),
});
export type ViewerSession = z.infer<typeof ViewerSession>;
