import { type PushMessages, nameKeyOf } from '@bidwell/contract/measurement/partners/description';
import { CLICK_ID_NAMES, type PostbackParameters, firstGiven, givenValue } from './postback-reading.ts';

/**
 * The parameters of the postback by which the partner reports what a message to the advertiser is about, so that the message and the
 * postback are about the same install or event. A link of another network has a click id too: only a click of the company is taken from a
 * link, as `isOurClick` says. Pure.
 */
export function parametersOfPush(
  { fields, stored, linkIn, clickIdIn, returns, notOfInstalls }: PushMessages,
  message: PostbackParameters,
  isOurClick: (clickId: string) => boolean,
): PostbackParameters {
  const parameters: Record<string, string> = {};
  const add = (name: string, value: string): void => {
    if (value !== '') parameters[name] = value;
  };
  add('click_id', clickIdOf(linkIn, clickIdIn, message, isOurClick));
  for (const [name, field] of Object.entries(fields)) add(name, givenValue(message, field));
  for (const field of stored) add(field, givenValue(message, field));
  // The parameter in which postbacks may have the token.
  add('token', givenValue(message, 'token'));
  const kind = nameKeyOf(parameters['event_name'] ?? '');
  const isReturn = returns.has(kind);
  if (kind !== 'install' && !isReturn) return parameters;
  for (const name of notOfInstalls) delete parameters[name];
  // As in the postback, a return is an install of a person who had the app.
  return isReturn ? { ...parameters, event_name: 'install', retargeting: 'true' } : parameters;
}

/** The first click id of the company; without one, the id in a field that is for click ids alone. */
function clickIdOf(
  linkIn: PushMessages['linkIn'],
  clickIdIn: PushMessages['clickIdIn'],
  message: PostbackParameters,
  isOurClick: (clickId: string) => boolean,
): string {
  const inFields = clickIdIn.map((field) => givenValue(message, field));
  const inLinks = linkIn.flatMap((field) => clickIdsIn(givenValue(message, field)));
  const ours = [...inFields, ...inLinks].find((id) => id !== '' && isOurClick(id));
  return ours ?? firstGiven(message, CLICK_ID_NAMES);
}

/** The click ids in the query of an address, also of one that is cut off. */
function clickIdsIn(link: string): string[] {
  const query = new URLSearchParams(link.slice(link.indexOf('?') + 1).split('#', 1)[0]);
  return CLICK_ID_NAMES.flatMap((name) => query.getAll(name));
}
