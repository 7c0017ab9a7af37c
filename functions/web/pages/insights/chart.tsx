import { number } from "../../../ui/words.ts";

interface Point {
  label: string;
  value: number;
}

interface ChartProps {
  /** The heading of the values. */
  measure: string;
  /** The heading of the periods. */
  period: string;
  points: Point[];
}

/** Units of the drawing. The page stretches it, so words stand beside it. */
const HEIGHT = 100;
/** The part of a bar's place that it fills. */
const FILLED = 0.8;

/** Bars over time, and the same as a table. Nothing here needs a script. */
export const Chart = ({ measure, period, points }: ChartProps) => {
  const most = roundUp(Math.max(1, ...points.map(({ value }) => value)));
  const least = 0 - roundUp(Math.max(0, ...points.map(({ value }) => -value)));
  const scale = HEIGHT / (most - least);
  const zero = most * scale;
  return (
    <figure class="chart">
      <figcaption>
        {measure} by {period.toLowerCase()}, in UTC
      </figcaption>
      <div class="chart-plot" aria-hidden="true">
        <div class="chart-scale">
          <span>{number(most)}</span>
          <span>{number(least)}</span>
        </div>
        <svg viewBox={`0 0 ${points.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path class="chart-line" d={`M0 ${round(zero)}H${points.length}`} />
          {points.map(({ label, value }, at) => (
            <rect
              x={round(at + (1 - FILLED) / 2)}
              y={round(value < 0 ? zero : zero - value * scale)}
              width={FILLED}
              height={round(Math.abs(value) * scale)}
            >
              <title>{`${label}: ${number(value)}`}</title>
            </rect>
          ))}
        </svg>
        <div class="chart-ends">
          <span>{points[0]?.label}</span>
          <span>{points.at(-1)?.label}</span>
        </div>
      </div>
      <details>
        <summary>{measure} as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{period}</th>
              <th scope="col">{measure}</th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ label, value }) => (
              <tr>
                <th scope="row">{label}</th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};

const round = (value: number) => Math.round(value * 1000) / 1000;

/** The next number whose first digit alone is not zero, or is followed by a 5. */
function roundUp(value: number): number {
  if (value <= 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  const step = value > 10 ? unit / 2 : unit;
  return Math.ceil(value / step) * step;
}
