const CALL_TIMEOUT_MS = 30_000;

/** Sends a postback to a server as a device does. Resolves to the status of the response; 0 for none, after which it is sent again. */
export async function postPostback(url: string, body: Record<string, unknown>): Promise<number> {
  try {
    const response = await fetch(`${url}/skadnetwork/postback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
