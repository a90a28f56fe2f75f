const DIGIT_BLOCKS = ['٠', '۰', '०'].map((zero) => zero.codePointAt(0)!);

/**
 * A code as it was typed or pasted, without what apps and people group it by: spaces, dashes, dots and invisible characters. Letters
 * and digits of full width, and digits of Arabic, Persian and Devanagari, are those of ASCII. Pure.
 */
export function ungroupedCode(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s.\p{Pd}\p{Cf}]/gu, '')
    .replaceAll(/\p{Nd}/gu, (digit) => {
      const point = digit.codePointAt(0)!;
      const zero = DIGIT_BLOCKS.find((block) => point >= block && point < block + 10);
      return zero === undefined ? digit : String(point - zero);
    });
}
