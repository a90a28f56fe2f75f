/** One thing that the command palette can do. */
export interface Command {
  id: string;
  section: string;
  label: string;
  /** Shown beside the label, and searched: an app's bundle, an ad set's campaign. */
  detail?: string;
  run: () => void;
}

const SHOWN_MAX = 40;

/**
 * The commands that hold every word of `text`, best first within their sections, sections in the order given: a label that
 * begins with the text, then one whose word does, then any. Without text those of the first two sections. Pure.
 */
export function findCommands(commands: readonly Command[], text: string): Command[] {
  const sections = [...new Set(commands.map(({ section }) => section))];
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands.filter(({ section }) => sections.indexOf(section) < 2);
  const ranked = commands.flatMap((command) => {
    const rank = rankOf(command, words);
    return rank === null ? [] : [{ command, rank }];
  });
  ranked.sort(
    (a, b) => sections.indexOf(a.command.section) - sections.indexOf(b.command.section) || a.rank - b.rank,
  );
  return ranked.slice(0, SHOWN_MAX).map(({ command }) => command);
}

/** 0 is best; null when a word is nowhere. */
function rankOf({ label, detail = '', id }: Command, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  const all = `${name} ${detail.toLowerCase()} ${id.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return null;
  const [first = ''] = words;
  if (name.startsWith(first)) return 0;
  return name.split(/[\s,./-]+/).some((part) => part.startsWith(first)) ? 1 : 2;
}
