/** Height of the legend below a chart, in pixels. */
export const LEGEND_HEIGHT = 36;

/** Room of a value axis at a side of a chart, in pixels. */
export const AXIS_WIDTH = 64;
