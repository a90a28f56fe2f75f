import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { ForecastDeps } from './forecast-adset.ts';

/** The cities that most bid requests of the last week name; none in a process that does not forecast. */
export function seenCities(
  _ctx: Context,
  actor: Actor,
  { countries, forecaster }: { countries?: string[] | undefined } & Pick<ForecastDeps, 'forecaster'>,
): string[] {
  requirePermission(actor, 'target.read');
  return forecaster ? forecaster.citiesSeen(countries) : [];
}
