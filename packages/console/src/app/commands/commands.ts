/** An entry of the command palette. */
export interface Command {
  id: string;
  section: string;
  label: string;
  /** Shown next to the label and searched, for example an app's bundle or an ad set's campaign. */
  detail?: string;
  /** Searched but not shown. */
  words?: string;
  run: () => void;
}

const SHOWN_MAX = 40;

/**
 * The commands that contain every word of `text`, by section in the given order and by rank within a section: labels
 * that begin with the first word, labels with a word that does, then all others. Without text the commands of the
 * first two sections. Pure.
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

/** Rank of a match, 0 is best; null when a word does not occur. */
function rankOf(
  { label, detail = '', words: hidden = '', id }: Command,
  words: readonly string[],
): number | null {
  const name = label.toLowerCase();
  const all = `${name} ${detail.toLowerCase()} ${hidden.toLowerCase()} ${id.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return null;
  const [first = ''] = words;
  if (name.startsWith(first)) return 0;
  return name.split(/[\s,./-]+/).some((part) => part.startsWith(first)) ? 1 : 2;
}
