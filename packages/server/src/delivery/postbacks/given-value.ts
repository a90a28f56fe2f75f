import { APPSFLYER_MACROS } from '@bidwell/contract/measurement/partners/appsflyer-macros';
import { POSTBACK_PARAMETERS, nameKeyOf } from '@bidwell/contract/measurement/partners/description';
import { COMMON_PARAMETERS, REASON_PARAMETERS } from '@bidwell/contract/measurement/partners/event-rules';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';

/** Longest text that may stand for a missing value. */
const CHARS_MAX = 100;

/** Placeholders that programs send for a missing value: words of their languages, also in brackets, dashes and empty quotation marks. */
const ABSENT =
  /^(null|undefined|none|nil|nan|na|n\/a|n\.a\.|\(null\)|\(none\)|\(not set\)|<null>|\\n|-{1,3}|""|''|0{8}-0{4}-0{4}-0{4}-0{12})$/i;

/**
 * A macro in braces, single to triple, also after a sign, and Branch's `${(event_data.revenue)!""}`. JSON has quotation marks within its
 * braces.
 */
const IN_BRACES = /^[$#@~]?\{{1,3}[^{}"]+\}{1,3}$|^\$\{\([\w.~]+\)!""\}$/;

/** A text in brackets that programs put around the names of macros, and after `$` alone. */
const IN_BRACKETS = /^(?:[[(<%#@!*_|$].*[\])>%#@!*_|$]|\$\w+)$/;

/** Names of macros, as {@link nameKeyOf} them. A name of an event may be in brackets, too, so that only these are macros there. */
const MACROS: ReadonlySet<string> = new Set(
  [
    ...APPSFLYER_MACROS,
    ...POSTBACK_PARAMETERS,
    ...Object.values(COMMON_PARAMETERS).flat(),
    ...REASON_PARAMETERS,
    ...Object.values(PARTNERS).flatMap(({ postbacks }) => Object.values(postbacks.macros)),
    // Customary names of others.
    'reason',
    'status',
    'value',
    'sum',
    'payout',
    'cost',
    'time',
    'ts',
    'date',
    'datetime',
    'order_id',
  ].map(nameKeyOf),
);

/** Singular's own event of revenue, which is named as macros of others are written. */
const EVENT_OF_SINGULAR = '__REVENUE__';

/** Escapes of the characters around macros, whose percent signs may be escaped in turn. */
const ESCAPES = /%(?:25)*(21|22|23|24|25|28|29|3C|3E|3F|40|5B|5D|5F|7B|7C|7D|7E)/gi;

/**
 * Whether a text is a value, and not empty, a placeholder of a missing one, or a macro that was not replaced, percent-encoded or not:
 * `{amount}`, `[amount]`, `__AMOUNT__`, `%%amount%%`. Pure.
 */
export function isGiven(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return false;
  if (trimmed.length > CHARS_MAX) return true;
  const plain = trimmed.replaceAll(ESCAPES, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return !ABSENT.test(plain) && !IN_BRACES.test(plain) && !isMacroInBrackets(plain);
}

function isMacroInBrackets(text: string): boolean {
  return text !== EVENT_OF_SINGULAR && IN_BRACKETS.test(text) && MACROS.has(nameKeyOf(text));
}
