import type { LogEvent } from 'kysely';
import { recordPast } from '../telemetry/tracing.ts';

/** Records a statement that was executed as a part of the current trace, without its parameters. */
export function recordStatement({ query, queryDurationMillis, ...rest }: LogEvent): void {
  recordPast(
    'postgresql statement',
    { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
    { durationMs: queryDurationMillis, ...('error' in rest && { error: rest.error }) },
  );
}
