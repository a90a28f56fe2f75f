import {
  readConversionValues,
  updateConversionValues,
} from '@bidwell/contract/skadnetwork/conversion-value-endpoints';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { changeConversionValues, conversionValuesOf } from './conversion-values.ts';

/** Registers the calls about the conversion values of apps. */
export function registerConversionValues(http: Http, ctx: Context): void {
  route(http, readConversionValues, async (request) => ({
    data: await conversionValuesOf(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, updateConversionValues, async (request) => ({
    data: await changeConversionValues(ctx, actorOf(request), request.params.uuid, request.body),
  }));
}
