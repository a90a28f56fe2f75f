import { deviceTimeOf, hourOfDay, zoneClock } from '../matching/hours-stage.ts';
import type { RequestProfile } from '../matching/request-profile.ts';
import type { FactorInput } from '../model/bid-factor.ts';

const clock = zoneClock();

/** What the multipliers of ad sets depend on, for a request and a format. */
export function factorInputOf(
  { request, bundle, deviceTypes }: RequestProfile,
  format: string,
  nowMs: number,
  memberships: FactorInput['memberships'],
): FactorInput {
  const { device, ssp } = request;
  return {
    country: device.country,
    exchange: ssp,
    bundle,
    format,
    deviceTypes,
    memberships,
    hourOf: (factors) => hourOfDay(factors, deviceTimeOf(device), nowMs, clock),
  };
}
