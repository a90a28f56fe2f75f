/** Ticks of a chart's y axis: from 0 in steps of max/5, rounded up; in steps of 1 while the maximum is below 5. */
export function axisSteps(max: number): number[] {
  const step = max < 5 ? 1 : Math.ceil(max / 5);
  const steps: number[] = [];
  for (let value = 0; value <= Math.max(max, step) + step * 0.999; value += step) steps.push(value);
  return steps;
}

/** Like {@link axisSteps}, in steps of 1, 2 or 5 times a power of ten, for values that may be small. */
export function fineAxisSteps(max: number): number[] {
  if (max <= 0) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(max / 5));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= max / 5)!;
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, index) => index * step);
}
