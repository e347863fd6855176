/** Units of the paths of maps that we draw; marks and grid lines are in per cent. */
export const mapSize = { width: 960, height: 640 };
