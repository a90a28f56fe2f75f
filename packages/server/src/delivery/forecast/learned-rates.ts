import type { InstallPrices } from '../learning/install-price.ts';
import type { Learning } from '../learning/learning.ts';
import type { CompiledAdset } from '../model/candidate.ts';
import type { ForecastInput } from './forecast.ts';
import type { Place } from './replay.ts';

type LearnedRates = Pick<
  ForecastInput,
  | 'installRateOf'
  | 'rateEvidence'
  | 'installMicrosOf'
  | 'meanInstallMicros'
  | 'valueError'
  | 'rivalValueOf'
  | 'shade'
  | 'firstInstallMicrosOf'
>;

/** What a forecast takes from what is learned: rates and values of installs, their errors, prices, and bid shading. */
export function learnedRates(
  learning: Learning,
  adset: CompiledAdset,
  installPrices: Pick<InstallPrices, 'lastPriceOf'>,
): LearnedRates {
  const { values } = learning;
  const firstInstallMicrosOf = (cpmMicros: number): number => learning.expectedInstallMicros(cpmMicros);
  return {
    installRateOf: (of, placement) => learning.predict(placement).rateOf(of),
    rateEvidence: learning.evidenceOf(adset),
    installMicrosOf: (of, { bundle, country }) => values.micros(of, bundle, country) ?? 1,
    meanInstallMicros: values.meanMicros(adset),
    valueError: adset.goal ? (values.learnedOf(adset.goal.key)?.valueError ?? null) : null,
    rivalValueOf(rival, installRate, place) {
      const ceiling = rival.bundleCpmMicros.get(place.bundle) ?? rival.cpmMicros;
      const price = installPriceOf(rival, place);
      return price === null ? ceiling : Math.min(ceiling, Math.floor(installRate * price * 1000));
    },
    shade: (market, floorCpmMicros, valueCpmMicros) =>
      learning.wins.shadedCpmMicros({ ...market, floorCpmMicros }, valueCpmMicros, () => 1),
    firstInstallMicrosOf,
  };

  /** Value of an install to a running ad set, micros; null when only its CPM counts. */
  function installPriceOf(rival: CompiledAdset, { bundle, country }: Place) {
    const { algorithm, adsetId, cpmMicros, dailyBudgetMicros } = rival;
    const targetMicros = values.micros(rival, bundle, country);
    if (targetMicros) return targetMicros * learning.costs.factorOf(adsetId);
    if (algorithm !== 'Max installs' || dailyBudgetMicros === null) return null;
    return installPrices.lastPriceOf(adsetId, firstInstallMicrosOf(cpmMicros));
  }
}
