import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { ForecastDeps } from './forecast-adset.ts';

interface SeenCities {
  cities: string[];
  is_loading: boolean;
}

/** The cities that most bid requests of the last week name; none in a process that does not forecast. */
export function seenCities(
  _ctx: Context,
  actor: Actor,
  { countries, forecaster }: { countries?: string[] | undefined } & Pick<ForecastDeps, 'forecaster'>,
): SeenCities {
  requirePermission(actor, 'target.read');
  return {
    cities: forecaster ? forecaster.citiesSeen(countries) : [],
    is_loading: forecaster?.isLoading() ?? false,
  };
}
