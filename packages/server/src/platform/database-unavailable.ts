/**
 * Error codes of Node for a failed connection, and SQLSTATEs of PostgreSQL: 08 (connection), 53300 (too many
 * connections), 57P01 to 57P05 (shutting down, starting, ended for being idle), 57014 (statement timeout), 55P03 (lock
 * timeout), 25P03 and 25P04 (transaction timeouts), 25006 (a standby, read only).
 */
const unavailableCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|ETIMEDOUT|EPIPE|08\w{3}|53300|57P0[1-5]|57014|55P03|25P03|25P04|25006)$/;
const unavailableMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Timeout error\.$|socket hang up)/;

/**
 * True for an error of a database that cannot be reached or does not respond in time, as opposed to one that rejects a
 * statement.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, cause } = error as Error & { code?: unknown };
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  return unavailableMessages.test(message) || (cause !== undefined && isDatabaseUnavailable(cause));
}
