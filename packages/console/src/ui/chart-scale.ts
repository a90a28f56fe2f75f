/** Ticks of a chart's y axis: from 0 in steps of max/5, rounded up; in steps of 1 while the maximum is below 5. */
export function axisSteps(max: number): number[] {
  const step = max < 5 ? 1 : Math.ceil(max / 5);
  const steps: number[] = [];
  for (let value = 0; value <= Math.max(max, step) + step * 0.999; value += step) steps.push(value);
  return steps;
}
