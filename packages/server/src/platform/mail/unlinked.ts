/**
 * A text in which no program that shows messages finds an address to link, or a person to mention: messages go to people in the name of the
 * server, and anyone may call a company, a campaign or a report anything. A dot within a name, as in the login `grace.hopper`, is followed by a
 * word joiner, which is not seen and is in no domain. Amounts such as 1.50 stay as they are. Pure.
 */
export function unlinked(text: string): string {
  return text
    .replaceAll(/(?<=\S)([.\u3002\uFF0E\uFF61])(?=\p{L})/gu, '$1\u2060')
    .replaceAll(/:(?=[/\\])/g, ': ')
    .replaceAll(/([@\uFF20])(?=\S)/gu, '$1 ')
    .replaceAll(/(?<=\S)(?=[@\uFF20])/gu, ' ');
}
