import type { InstallPrices } from '../learning/install-price.ts';
import type { Learning } from '../learning/learning.ts';
import type { CompiledAdset } from '../model/candidate.ts';
import type { ForecastInput } from './forecast.ts';

/** What a forecast takes from what is learned: rates of installs, their errors, prices, and bid shading. */
export function learnedRates(
  learning: Learning,
  adset: CompiledAdset,
  installPrices: Pick<InstallPrices, 'lastPriceOf'>,
): Pick<ForecastInput, 'installRateOf' | 'rateEvidence' | 'rivalValueOf' | 'shade' | 'firstInstallMicrosOf'> {
  const firstInstallMicrosOf = (cpmMicros: number): number => learning.expectedInstallMicros(cpmMicros);
  return {
    installRateOf: (of, placement) => learning.predict(placement).rateOf(of),
    rateEvidence: learning.evidenceOf(adset),
    rivalValueOf(rival, installRate, bundle) {
      const ceiling = rival.bundleCpmMicros.get(bundle) ?? rival.cpmMicros;
      const price = installPriceOf(rival);
      return price === null ? ceiling : Math.min(ceiling, Math.floor(installRate * price * 1000));
    },
    shade: (market, floorCpmMicros, valueCpmMicros) =>
      learning.wins.shadedCpmMicros({ ...market, floorCpmMicros }, valueCpmMicros, () => 1),
    firstInstallMicrosOf,
  };

  /** Value of an install to a running ad set, micros; null when only its CPM counts. */
  function installPriceOf(rival: CompiledAdset) {
    const { algorithm, adsetId, cpmMicros, dailyBudgetMicros } = rival;
    const targetMicros = learning.values.meanMicros(rival);
    if (targetMicros) return targetMicros * learning.costs.factorOf(adsetId);
    if (algorithm !== 'Max installs' || dailyBudgetMicros === null) return null;
    return installPrices.lastPriceOf(adsetId, firstInstallMicrosOf(cpmMicros));
  }
}
