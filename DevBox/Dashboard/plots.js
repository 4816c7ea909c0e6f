import { shape } from './dom.js';
import { compact, duration } from './figures.js';

const LEFT = 52;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 24;
const WIDEST_BAR = 90;

/** Stacked areas over time. Samples are { at, values }, oldest first; all have as many values as there are colours. */
export function areas(host, samples, colours, height) {
  const frame = frameOf(host, height);
  const totals = samples.map(sample => sample.values.reduce((sum, value) => sum + value, 0));
  const y = axisY(frame, Math.max(4, ...totals));
  const x = axisX(frame, samples);
  const layers = colours.map((colour, layer) => {
    const below = samples.map(sample => sum(sample.values, layer));
    const upper = samples.map((sample, i) => point(x(sample.at), y(below[i] + sample.values[layer])));
    const lower = samples.map((sample, i) => point(x(sample.at), y(below[i]))).reverse();
    return samples.length < 2 ? null : shape('path', { class: `area ${colour}`, d: `M${upper.join('L')}L${lower.join('L')}Z` });
  });
  draw(host, frame, ...frame.lines, ...layers);
}

/** A line for each value over time. Samples as for areas. */
export function lines(host, samples, colours, height) {
  const frame = frameOf(host, height);
  const y = axisY(frame, Math.max(1, ...samples.flatMap(sample => sample.values)));
  const x = axisX(frame, samples);
  const paths = colours.map((colour, line) => shape('path', {
    class: `line ${colour}`, d: `M${samples.map(sample => point(x(sample.at), y(sample.values[line]))).join('L')}`,
  }));
  draw(host, frame, ...frame.lines, ...paths);
}

/** One bar for each value, and a line for what it may be at most; bars from some share of it on are marked. */
export function bars(host, values, limit, share, height) {
  const frame = frameOf(host, height);
  const y = axisY(frame, Math.max(4, limit ?? 0, ...values) * 1.05);
  const step = Math.min(frame.width / values.length, WIDEST_BAR);
  const gap = Math.min(6, step * 0.2);
  const every = Math.ceil(values.length / Math.max(1, Math.floor((step * values.length) / 26)));
  const marks = values.flatMap((value, i) => [
    shape('rect', {
      class: limit && value >= share * limit ? 'cell limit' : 'cell',
      x: (LEFT + i * step + gap / 2).toFixed(1),
      y: y(value).toFixed(1),
      width: Math.max(1, step - gap).toFixed(1),
      height: Math.max(0, y(0) - y(value)).toFixed(1),
    }),
    i % every === 0 ? shape('text', { x: (LEFT + (i + 0.5) * step).toFixed(1), y: frame.height - 6, 'text-anchor': 'middle' }, i) : null,
  ]);
  const line = limit
    ? shape('line', { class: 'budget', x1: LEFT, x2: LEFT + frame.width, y1: y(limit).toFixed(1), y2: y(limit).toFixed(1) })
    : null;
  draw(host, frame, ...frame.lines, ...marks, line);
}

function frameOf(host, height) {
  // As wide as its place on the page, so that text keeps its size on a phone.
  const total = Math.max(220, host.clientWidth || 600);
  return { total, height, width: total - LEFT - RIGHT, lines: [] };
}

function axisY(frame, top) {
  const step = niceStep(top / 4);
  const most = Math.ceil(top / step) * step;
  const y = value => TOP + (1 - value / most) * (frame.height - TOP - BOTTOM);
  for (let value = 0; value <= most + step / 2; value += step) {
    const at = y(value).toFixed(1);
    frame.lines.push(
      shape('line', { class: value === 0 ? 'axis' : 'grid', x1: LEFT, x2: LEFT + frame.width, y1: at, y2: at }),
      shape('text', { x: LEFT - 6, y: Number(at) + 4, 'text-anchor': 'end' }, compact(value)));
  }
  return y;
}

function axisX(frame, samples) {
  const first = samples.length > 0 ? samples[0].at : 0;
  const last = Math.max(first + 10, samples.length > 0 ? samples[samples.length - 1].at : 0);
  const x = at => LEFT + ((at - first) / (last - first)) * frame.width;
  const step = [5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200].find(size => (last - first) / size <= frame.width / 70) ?? 14_400;
  for (let at = Math.ceil(first / step) * step; at <= last; at += step) {
    const anchor = x(at) < LEFT + 12 ? 'start' : x(at) > LEFT + frame.width - 16 ? 'end' : 'middle';
    frame.lines.push(shape('text', { x: x(at).toFixed(1), y: frame.height - 6, 'text-anchor': anchor }, duration(at)));
  }
  return x;
}

function draw(host, frame, ...shapes) {
  const viewBox = `0 0 ${frame.total} ${frame.height}`;
  host.replaceChildren(shape('svg', { viewBox, width: frame.total, height: frame.height, 'aria-hidden': 'true' }, ...shapes));
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 0.1)));
  return [1, 2, 2.5, 5, 10].map(factor => factor * power).find(step => step >= rough);
}

const sum = (values, end) => values.slice(0, end).reduce((total, value) => total + value, 0);
const point = (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`;
