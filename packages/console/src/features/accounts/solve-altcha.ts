import { consoleMessages } from '@bidwell/contract/text/messages';
import type { Challenge } from 'altcha-lib/types';

/**
 * Solves a proof-of-work challenge. Returns the payload for the server: base64 of challenge and solution. Throws when
 * it cannot be solved in time.
 */
export async function solveAltcha(challenge: object): Promise<string> {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ]);
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  if (!solution) throw new Error(consoleMessages.captchaTooSlow);
  return btoa(JSON.stringify({ challenge, solution }));
}
