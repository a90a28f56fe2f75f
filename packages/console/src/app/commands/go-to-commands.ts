import type { CompanyRole, Permission } from '@bidwell/contract/accounts/permission';
import { mayOpen } from '../screen-rights.ts';
import { screenTitles } from '../screens.ts';
import type { Command } from './commands.ts';
import { PLACES, type Place } from './places.ts';
import { mayAs } from '../../lib/api/use-may.ts';

type Path = keyof typeof PLACES;

/** The commands that open a screen, or a part of one, that a role may open. Pure but for `navigate`. */
export function goToCommands(
  role: CompanyRole | undefined,
  navigate: (to: { to: Path; search?: object }) => unknown,
): Command[] {
  const may = (permission?: Permission) =>
    permission === undefined || (role !== undefined && mayAs(role, permission));
  const command = (to: Path, label: string, words: string, search?: object): Command => ({
    id: `Go to ${to}${search ? ` ${label}` : ''}`,
    section: 'Go to',
    label,
    words,
    run: () => void navigate({ to, ...(search && { search }) }),
  });
  return (Object.entries(PLACES) as [Path, Place][])
    .filter(([to]) => mayOpen(role, to))
    .flatMap(([to, { words, parts = [] }]) => [
      command(to, screenTitles[to], words),
      ...parts
        .filter(({ permission }) => may(permission))
        .map((part) => command(to, part.label, part.words, part.search)),
    ]);
}
