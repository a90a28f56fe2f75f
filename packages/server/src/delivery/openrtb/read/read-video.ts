import type { Micros } from '@bidwell/contract/lib/money';
import { type JsonObject, arrayOf, flagOf, integerOf, numberOf, objectOf, textOf } from '../json.ts';
import { readContentTypes, readCodes, readSize } from './read-imp-fields.ts';
import { type DurationFloor, type ParsedVideo, type Size, protocolsAmong } from '../../model/bid-request.ts';

/** Entries of `durfloors` that are read. */
export const DURATION_FLOORS_MAX = 50;
const POD_ID_CHARS_MAX = 255;
/** Upper bound of `maxseq`, above the number of ads in any real pod. */
const POD_ADS_MAX = 20;

/**
 * Reads `imp.video` (OpenRTB 2.6, 3.2.7). `screen` is the device's screen size, used for an interstitial without a size;
 * `floorOf` converts a CPM in the imp's currency to micros; `vastVersions` are those that the exchange takes, null for all.
 */
export function readVideo(
  video: JsonObject,
  interstitial: boolean,
  screen: Size | null,
  floorOf: (value: unknown) => Micros,
  vastVersions: readonly string[] | null,
): ParsedVideo {
  const podSeconds = numberOf(video['poddur']);
  return {
    mimes: readContentTypes(video['mimes'], 'video'),
    secondsMin: positive(video['minduration'], 0),
    secondsMax: positive(video['maxduration'], Infinity),
    exactSeconds: readCodes(video['rqddurs']),
    // OpenRTB 2.2 has a single code in `protocol`.
    protocols: protocolsAmong(
      [...readCodes(video['protocols']), ...readCodes(video['protocol'])],
      vastVersions,
    ),
    size: readSize(video) ?? (interstitial ? screen : null),
    skippable: video['skip'] === undefined || video['skip'] === null ? null : flagOf(video['skip']),
    skipMinSeconds: positive(video['skipmin'], 0),
    skipAfterSeconds: positive(video['skipafter'], 0),
    linear: integerOf(video['linearity'], 1) !== 2,
    deliveries: readCodes(video['delivery']),
    kbpsMin: positive(video['minbitrate'], 0),
    kbpsMax: positive(video['maxbitrate'], Infinity),
    boxing: integerOf(video['boxingallowed'], 1) !== 0,
    // Placement 5 and the newer subtype 3 are both "interstitial".
    fullScreen: interstitial || integerOf(video['placement'], 0) === 5 || arrayOf(video['plcmt'], 1)[0] === 3,
    blockedAttributes: readCodes(video['battr']),
    apis: readCodes(video['api']),
    podId: textOf(video['podid']).slice(0, POD_ID_CHARS_MAX),
    podSeconds: podSeconds > 0 ? podSeconds : null,
    podAdsMax: Math.min(POD_ADS_MAX, Math.max(1, integerOf(video['maxseq'], POD_ADS_MAX))),
    floorPerSecondCpmMicros: floorOf(video['mincpmpersec']),
    durationFloors: arrayOf(video['durfloors'], DURATION_FLOORS_MAX).map((floor) =>
      readDurationFloor(objectOf(floor), floorOf),
    ),
  };
}

/** Reads an entry of `durfloors` (OpenRTB 2.6, 3.2.35). */
function readDurationFloor(floor: JsonObject, floorOf: (value: unknown) => Micros): DurationFloor {
  return {
    secondsMin: positive(floor['mindur'], 0),
    secondsMax: positive(floor['maxdur'], Infinity),
    floorCpmMicros: floorOf(floor['bidfloor']),
  };
}

/** A number above 0, otherwise the fallback: exchanges send 0 and -1 for "no limit". */
function positive(value: unknown, fallback: number): number {
  const number = numberOf(value);
  return number > 0 ? number : fallback;
}
