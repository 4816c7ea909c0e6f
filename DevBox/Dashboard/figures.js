const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

export const count = value => whole.format(value);
export const compact = value => (Math.abs(value) < 10_000 ? whole.format(value) : short.format(value));
export const percent = share => `${(share * 100).toFixed(share >= 0.9995 || share === 0 ? 0 : 1)} %`;

/** A number with three significant digits below 1,000, and without decimals above. */
export const brief = value => (Math.abs(value) >= 1000 ? whole : digits).format(value);
export const milliseconds = value => `${brief(value)} ms`;

/** Says which figures of a run or an experiment are not valid. */
export const invalidOf = item => item.invalid ?? item.outcome?.invalid ?? [];

export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  const two = value => String(value).padStart(2, '0');
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** A duration as text, such as 38 s, 2 min 5 s and 11 h 0 min 46 s. */
export function span(seconds) {
  const s = Math.max(0, Math.round(seconds));
  const minutes = `${Math.floor(s / 60) % 60} min ${s % 60} s`;
  return s < 60 ? `${s} s` : s < 3600 ? minutes : `${count(Math.floor(s / 3600))} h ${minutes}`;
}

/** A date and a time. The year is left out if it is the current one. */
export function when(iso) {
  const at = new Date(iso);
  const year = at.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' };
  return at.toLocaleString('en-GB', { day: 'numeric', month: 'short', ...year, hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
