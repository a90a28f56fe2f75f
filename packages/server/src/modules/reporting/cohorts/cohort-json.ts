import type { CohortReport } from '@bidwell/contract/reports/cohorts';

/** Rows that are written between two yields: each has a cell with several figures for each day. */
const ROWS_AT_ONCE = 20;

/** The response with a cohort report as JSON, up to some megabytes. A generator; run it with `runYielding`. */
export function* cohortJson({ rows, ...others }: CohortReport): Generator<void, string> {
  const parts: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    // Without the brackets around these rows.
    parts.push(JSON.stringify(rows.slice(from, from + ROWS_AT_ONCE)).slice(1, -1));
    yield;
  }
  return `{"data":{"rows":[${parts.join(',')}],${JSON.stringify(others).slice(1)}}`;
}
