import { setTimeout as wait } from 'node:timers/promises';

const WITHIN_MS = 30_000;

/** Differences between entries, ledger and reports of a server; waits until the last spend is posted. */
export async function ledgerProblems(url: string, operatorToken: string): Promise<string[]> {
  const endMs = performance.now() + WITHIN_MS;
  for (;;) {
    const headers = { authorization: `Bearer ${operatorToken}` };
    const response = await fetch(`${url}/api/operator/ledger/check`, { headers });
    const { data } = (await response.json()) as { data: { disagreements: { what: string }[] } };
    if (data.disagreements.length === 0) return [];
    if (performance.now() > endMs) return data.disagreements.map((one) => `ledger: ${JSON.stringify(one)}`);
    await wait(500);
  }
}
