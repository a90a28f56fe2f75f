/**
 * A text in which no program that shows messages finds an address to link, or somebody to mention: messages go to people in the name of the
 * server, and anybody may call a company, a campaign or a report anything. Amounts such as 1.50 stay as they are. Pure.
 */
export function unlinked(text: string): string {
  return text
    .replaceAll(/(?<=\S)([.\u3002\uFF0E\uFF61])(?=\p{L})/gu, '$1 ')
    .replaceAll(/:(?=[/\\])/g, ': ')
    .replaceAll(/([@\uFF20])(?=\S)/gu, '$1 ')
    .replaceAll(/(?<=\S)(?=[@\uFF20])/gu, ' ');
}
