import type { Challenge } from 'altcha-lib/types';

/** Solves a proof-of-work challenge and answers the payload that the server verifies: base64 of challenge and solution. */
export async function solveAltcha(challenge: object): Promise<string> {
  const [{ solveChallenge }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
  ]);
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey });
  if (!solution) throw new Error('The captcha could not be solved in time.');
  return btoa(JSON.stringify({ challenge, solution }));
}
