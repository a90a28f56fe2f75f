/** The parts of delivery that modules and backups use: its readings of ad sets and bid requests, and the types of its results. */
export type { ImportFault, ImportTask } from './audiences/import/import-worker.ts';
export type { DigestKind } from './audiences/audience-file.ts';
export { readAudience } from './audiences/audience-file.ts';
export { PLAIN_KIND, audienceDigestsOf } from './audiences/id-digest.ts';
export { isIdShaped } from './audiences/import/id-reader.ts';
export { IMPORT_MS_MAX, ImportFailed, ImportTooSlow, importIds } from './audiences/import/import-ids.ts';
export type { LimitedBy, NothingBecause, SpendLimits } from './forecast/day.ts';
export type { ForecastResult, TooLittle } from './forecast/forecast.ts';
export { FORECAST_METHOD } from './forecast/forecast.ts';
export type { ForecastQuestion, ForecastValue, Forecaster } from './forecast/forecaster.ts';
export type { Range } from './forecast/ranges.ts';
export { scaled } from './forecast/ranges.ts';
export type { CountedExit } from './funnel/counts.ts';
export type { Market, Placement } from './funnel/market.ts';
export { redacted } from './funnel/redact.ts';
export { countLeftEvents } from './event-log-recovery.ts';
export type { AdsetRow } from './model/candidate.ts';
export { withHyphens } from './model/device-id.ts';
export type { ReviewedAd } from './markup/review.ts';
export { reviewMarkup } from './markup/review.ts';
export type { AdsetPlacements, MarketReader } from './openrtb/market-reader.ts';
export type { LinkHistory } from './postbacks/link-history.ts';
export { adsetsWithLink, linkHistory } from './postbacks/link-history.ts';
export { readEvent } from './postbacks/event-reading.ts';
export type { RemovedOfDevice } from './postbacks/erasure/erase-device.ts';
export { isShared } from './postbacks/erasure/erase-device.ts';
export { hashesOfId, deleteErasedIds, insertErasedIds } from './postbacks/erasure/erased-ids.ts';
export { PeopleSketch } from './audiences/people-sketch.ts';
export { EXCHANGE_MINUTE_DAYS } from './exchanges/exchange-minutes.ts';
export { oversizedOf } from './exchanges/oversized-creatives.ts';
export { hasSigningNetwork, privateKeyPlace } from './skadnetwork/networks.ts';
export { INSTALL_POSTBACK_PATH } from './skadnetwork/postbacks/postback-routes.ts';
export { outcomesSince } from './skadnetwork/signed-bids.ts';
export {
  UnusableKey,
  newPrivateKey,
  privatePem,
  publicKeyOf,
  readPrivateKey,
} from './skadnetwork/signing-keys.ts';
export { allocateSourceIdentifier, storeLastBids } from './skadnetwork/source-identifiers.ts';
export type { EventRules, PayerEvent } from './learning/event-rules-store.ts';
export { eventRulesOf, revenueSourcesBy } from './learning/event-rules-store.ts';
export { VALUE_HALF_LIFE_MS, VALUE_HISTORY_MS } from './learning/goal-record.ts';
export { loadAdsets, unnumberedAdsets } from './snapshot/adset-store.ts';
export { audiencesOfAdset, loadUsedAudiences } from './snapshot/audience-store.ts';
export { isBiddingStopped } from './snapshot/bidding-stop.ts';
export { approvedText, isApproved, loadDraftCreatives } from './snapshot/creative-store.ts';
export { lacksGoal } from './snapshot/missing-goal-store.ts';
export type { CountedEvents } from './counting/counted-events.ts';
export { countedEvents } from './counting/counted-events.ts';
export { registerCounterMetrics } from './counting/counter-metrics.ts';
export type { EventStream } from './counting/event-stream.ts';
export { openEventStream, sharedStream } from './counting/event-stream.ts';
export { eventTable } from './counting/event-table.ts';
export { openLocalEvents } from './counting/local-counter.ts';
export type { LogOwnership } from './counting/log-ownership.ts';
export { AnotherTracker, ownLog } from './counting/log-ownership.ts';
export { partitionStore, rewindPositions, storedPositions } from './counting/partition-store.ts';
export { createPublisher } from './counting/publisher.ts';
export type { RunningCounter } from './counting/counter.ts';
export { runCounter } from './counting/counter.ts';
export type { Delivery } from './delivery.ts';
export { createDelivery } from './delivery.ts';
export { registerIngestMetrics, openIngest } from './event-log/ingest.ts';
export type { Ingest } from './event-log/ingest.ts';
export type { IntakeError } from './event-log/intake.ts';
export { deleteOldQuarantine } from './event-log/quarantine.ts';
export type { ClosedIntake, SharedIntake } from './event-log/shared-intake.ts';
export { ownIntake, shareIntake } from './event-log/shared-intake.ts';
export type { Booking } from './pacing/booking.ts';
export { createBooking } from './pacing/booking.ts';
export { LAG_MS_MAX } from './pacing/leases.ts';
export { createInvalidTrafficDetector } from './trackers/invalid-traffic.ts';
export { createSigner } from './trackers/signer.ts';
export { deliveryJobs } from './jobs.ts';
