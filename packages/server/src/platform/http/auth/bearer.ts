/** The bearer token of a request; undefined without one. */
export function bearer({ headers }: { headers: { authorization?: string | undefined } }): string | undefined {
  return /^Bearer +([\w.~+/=-]{1,4096})$/i.exec(headers.authorization ?? '')?.[1];
}
