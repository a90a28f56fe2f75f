import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { type Forecaster, type ForecasterDeps, createForecaster } from './forecast/forecaster.ts';
import { startPriceRecorder } from './forecast/price-recorder.ts';
import type { LearningFeed } from './learning/feed.ts';

/** Calls of delivery about forecasts. */
export interface ForecastCalls {
  /** Forecasts ad sets; null in a process that does not serve the API. */
  forecaster: Forecaster | null;
}

/** The parts of a process that forecast, and that store what forecasts are made from. */
export interface Forecasting {
  calls: ForecastCalls;
  close(): Promise<void>;
}

const STOP_MS = 1000;

/** Starts to store bids by price and, where the API is served, to hold the request sample. */
export function startForecasting(
  deps: DeliveryDeps,
  {
    feed,
    ...parts
  }: Pick<ForecasterDeps, 'snapshot' | 'learning' | 'installPrices' | 'goals'> & { feed: LearningFeed },
): Forecasting {
  const prices = startPriceRecorder(deps);
  feed.subscribeOwn((counts) => prices.add(counts.prices));
  deps.onCounted((events) => {
    for (const event of events) prices.count(event);
  });
  const secure = deps.publicUrl.startsWith('https:');
  const forecaster = deps.forecasts ? createForecaster({ ...deps, ...parts, secure }) : null;
  return {
    calls: { forecaster },
    async close() {
      await withTimeout('forecasts', STOP_MS, deps.log, async () => forecaster?.close());
      await withTimeout('bids by price', STOP_MS, deps.log, () => prices.close());
    },
  };
}
