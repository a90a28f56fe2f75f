import { useLocalStorage } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import dayjs from 'dayjs';

/** Days, both inclusive, YYYY-MM-DD. */
interface Range {
  start: string;
  end: string;
}

/** The range of days in the address; without one, the last that was chosen here, else the last 7 days. */
export function useRangeSearch(): [Range, (range: Range) => void] {
  const { from, to } = useSearch({ strict: false }) as { from?: string; to?: string };
  const navigate = useNavigate();
  const today = dayjs().format('YYYY-MM-DD');
  const [days, setDays] = useLocalStorage<number>({
    key: 'bidwell.range-days',
    defaultValue: 7,
    getInitialValueInEffect: false,
  });
  const usual = {
    start: dayjs(today)
      .subtract(days - 1, 'day')
      .format('YYYY-MM-DD'),
    end: today,
  };
  const range = from && to && from <= to ? { start: from, end: to } : usual;
  const change = ({ start, end }: Range): void => {
    // A range that ends today is remembered by its length, so that tomorrow it still ends today.
    if (end === today) setDays(dayjs(end).diff(dayjs(start), 'day') + 1);
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, from: start, to: end }),
      replace: true,
    });
  };
  return [range, change];
}
