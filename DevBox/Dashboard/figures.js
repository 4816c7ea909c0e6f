const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export const count = value => whole.format(value);
export const compact = value => (Math.abs(value) < 10_000 ? whole.format(value) : short.format(value));
export const percent = share => `${(share * 100).toFixed(share >= 0.9995 || share === 0 ? 0 : 1)} %`;

export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  const two = value => String(value).padStart(2, '0');
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

export function when(iso) {
  const at = new Date(iso);
  const today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString('en-GB', today
    ? { hour: '2-digit', minute: '2-digit', second: '2-digit' }
    : { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
}
