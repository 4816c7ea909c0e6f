// Draws the charts that Analysis/Charts/Chart.cs describes with uPlot, in reports and on the page of serve.

const NARROW = 440;
const HEIGHT = 280;
const PRINT_HEIGHT = 190;
const AXIS = 46;
const PRINT_WIDTH = 690;
const REACH = 24;
const CUSTOM = ['range', 'stepRange', 'dots', 'diamonds', 'ticks', 'bars', 'spans', 'lines'];
const BEHIND = ['range', 'stepRange', 'bars', 'spans', 'lines'];
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
const views = new Set();

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => views.forEach(view => view.redraw()));
addEventListener('beforeprint', () => printing(true));
addEventListener('afterprint', () => printing(false));

/** Print is always light and has one width. */
function printing(on) {
  document.documentElement.classList.toggle('printing', on);
  views.forEach(view => view.print(on));
}

/** Charts on one x axis, each in an element of its own: they have one cursor and one zoom, and the last one has the axis. */
export function stack(hosts) {
  return hosts.map((host, i) => new ChartView(host, { group: hosts[0], height: i === 0 ? 200 : 104, bare: i < hosts.length - 1 }));
}

/** A chart with its legend in an element of the page. */
export class ChartView {
  #chart; #key; #plot; #zoomed = false; #hidden = new Set(); #width = 0; #printing = false; #x; #y; #at; #order; #of;
  #legend = make('div', 'legend'); #canvas = make('div', 'canvas'); #tip = make('div', 'tip');

  constructor(host, of = {}) {
    this.host = host;
    this.#of = of;
    this.#tip.hidden = true;
    this.#canvas.append(this.#tip);
    host.replaceChildren(this.#legend, this.#canvas);
    new ResizeObserver(() => this.#fit()).observe(host);
    views.add(this);
  }

  /** Shows a chart. If it is the same chart with newer figures, hidden series and zoom are kept. */
  show(chart) {
    const { x, y, series, marks = [] } = chart;
    const key = JSON.stringify([x.unit, y.rows, series.map(one => [one.name, one.kind]), marks.map(mark => mark.name)]);
    this.#chart = chart;
    if (key === this.#key && this.#plot) this.#update();
    else {
      this.#key = key;
      this.#zoomed = false;
      this.redraw();
    }
  }

  print(on) {
    this.#printing = on;
    this.redraw();
  }

  redraw() {
    const width = this.#printing ? PRINT_WIDTH : this.host.clientWidth;
    this.#width = width;
    if (!this.#chart || width < 50) return;
    this.#plot?.destroy();
    this.#zoomed = false;
    this.#measure();
    const data = this.#data();
    this.#plot = new uPlot(this.#options(width), data, this.#canvas);
    this.#showLegend();
  }

  #update() {
    const range = this.#zoomed ? { ...this.#plot.scales.x } : null;
    this.#measure();
    this.#plot.setData(this.#data(), false);
    this.#plot.batch(() => {
      this.#plot.setScale('x', range ? { min: range.min, max: range.max } : { min: this.#x[0], max: this.#x[1] });
      this.#plot.setScale('y', { min: this.#y[0], max: this.#y[1] });
    });
  }

  #fit() {
    if (this.#printing || Math.abs(this.host.clientWidth - this.#width) < 2) return;
    if (!this.#plot || (this.host.clientWidth < NARROW) !== (this.#width < NARROW)) this.redraw();
    else {
      this.#width = this.host.clientWidth;
      this.#plot.setSize({ width: this.#width, height: this.#height() });
    }
  }

  get #rows() { return this.#chart.y.rows ?? null; }
  get #narrow() { return this.#width < NARROW; }
  #shown(one) { return !this.#hidden.has(one.name); }
  #xs(one) { return one.x ?? this.#chart.at; }

  /** Labels are above their rows if there is no room beside them. */
  get #above() { return this.#narrow && this.#rows !== null && Math.max(...this.#rows.map(row => row.length)) > 8; }

  #height() {
    const { height, bare } = this.#of;
    if (height) return Math.round(this.#printing ? height * 0.4 : height) + (bare ? 8 : AXIS);
    if (!this.#rows) return this.#printing ? PRINT_HEIGHT : this.#chart.height ?? (this.#narrow ? 220 : HEIGHT);
    const count = this.#rows.length;
    const row = this.#printing ? 18 : 24;
    return 60 + (this.#above ? 38 * count : Math.max(60, Math.min(row * count, Math.max(10 * row, 10 * count))));
  }

  /** The ends of both axes, from all visible series. */
  #measure() {
    const { series, marks = [], x, y } = this.#chart;
    const shown = series.filter(one => this.#shown(one));
    const used = shown.length > 0 ? shown : series;
    const xs = used.flatMap(one => [...this.#xs(one), ...(one.to ?? [])]);
    this.#x = ends(x, xs);
    if (this.#rows) this.#y = [-0.5, this.#rows.length - 0.5];
    else {
      const stacks = this.#stacks();
      const ys = used.flatMap(one => (one.kind === 'area' ? stacks.get(one) : [...(one.y ?? []), ...(one.low ?? []), ...(one.high ?? [])]));
      this.#y = ends(y, [...ys.filter(value => value !== null), ...marks.filter(mark => mark.axis === 'y').map(mark => mark.from)]);
    }
  }

  #stacks() {
    const stacks = new Map();
    let below = null;
    for (const one of this.#chart.series.filter(area => area.kind === 'area' && this.#shown(area))) {
      below = one.y.map((value, i) => (value ?? 0) + (below?.[i] ?? 0));
      stacks.set(one, below);
    }
    return stacks;
  }

  /** Values by position. Areas are drawn from the top of their stack down, each over the one before it. */
  #data() {
    const { series } = this.#chart;
    this.#order = [...series.filter(one => one.kind === 'area').reverse(), ...series.filter(one => one.kind !== 'area')];
    const lines = this.#order.filter(one => !CUSTOM.includes(one.kind));
    this.#at = [...new Set((lines.length > 0 ? lines : series).flatMap(one => this.#xs(one)))].sort((a, b) => a - b);
    if (this.#at.length === 1) this.#at.push(this.#at[0] + 1);
    const index = new Map(this.#at.map((x, i) => [x, i]));
    const stacks = this.#stacks();
    const columns = this.#order.map(one => {
      const column = Array(this.#at.length).fill(null);
      if (CUSTOM.includes(one.kind)) return column;
      const values = stacks.get(one) ?? one.y;
      const xs = this.#xs(one);
      values.forEach((value, i) => { column[index.get(xs[i])] = value; });
      return column;
    });
    return [this.#at, ...columns];
  }

  #options(width) {
    const { x, y } = this.#chart;
    const text = colour('muted');
    const font = '12px system-ui, sans-serif';
    const grid = { stroke: colour('grid'), width: 1 };
    const ticks = { stroke: colour('grid'), width: 1, size: 5 };
    const labels = !this.#rows || this.#above ? 8
      : Math.min(220, width * 0.3, 18 + Math.max(...this.#rows.map(row => textWidth(row, font))));
    return {
      width,
      height: this.#height(),
      padding: [this.#rows ? 6 : 22, 22, this.#of.bare ? 8 : 0, this.#above ? 8 : 0],
      legend: { show: false },
      cursor: {
        y: false, points: { show: false }, drag: { x: true, y: false }, bind: { dblclick: () => () => this.#reset() },
        ...(this.#of.group && { sync: { key: this.#of.group.id, scales: ['x', null] } }),
      },
      scales: {
        x: { time: false, distr: x.scale === 'logarithmic' ? 3 : 1, range: (u, min, max) => (this.#zoomed ? [min, max] : this.#x) },
        y: { dir: this.#rows ? -1 : 1, distr: y.scale === 'logarithmic' ? 3 : 1, range: () => this.#y },
      },
      axes: [
        {
          show: !this.#of.bare, stroke: text, font, grid: this.#rows ? grid : { show: false }, ticks, size: 28,
          label: x.scale === 'time' ? elapsed(this.#x[1]) : x.unit, labelSize: 18, labelFont: font, labelGap: 0,
          filter: (u, splits) => splits,
          splits: u => this.#ticks(x, u.scales.x, u.bbox.width / devicePixelRatio, true),
          values: (u, splits) => splits.map(value => this.#label(x, value)),
        },
        this.#rows
          ? {
            stroke: text, font, grid: { show: false }, ticks: { show: false }, size: labels, gap: 6, filter: (u, splits) => splits,
            splits: u => rowsThatFit(this.#rows.length, u.bbox.height / devicePixelRatio, this.#above),
            values: (u, splits) => splits.map(row => (this.#above ? '' : cut(this.#rows[row] ?? '', labels - 14, font))),
          }
          : {
            stroke: text, font, grid, ticks: { show: false }, size: 50, gap: 6, filter: (u, splits) => splits,
            splits: u => this.#ticks(y, u.scales.y, u.bbox.height / devicePixelRatio, false),
            values: (u, splits) => splits.map(value => short(value, splits[splits.length - 1], y.scale === 'logarithmic')),
          },
      ],
      series: [{}, ...this.#order.map(one => this.#style(one))],
      hooks: {
        drawAxes: [u => this.#paint(u, true)],
        draw: [u => this.#paint(u, false)],
        setCursor: [u => this.#hover(u)],
        setSelect: [u => { this.#zoomed = u.select.width > 0; }],
        setScale: [(u, key) => { if (key === 'x') this.host.classList.toggle('zoomed', this.#zoomed); }],
      },
    };
  }

  #style(one) {
    const steps = uPlot.paths.stepped({ align: 1 });
    const line = { label: one.name, show: this.#shown(one), points: { show: false }, stroke: colour(one.colour), width: 2 };
    switch (one.kind) {
      case 'area': return { ...line, paths: steps, fill: colour(one.colour), stroke: colour('surface'), width: 0.6 };
      case 'steps': return { ...line, paths: steps };
      case 'dash': return { ...line, dash: [6, 4], spanGaps: true };
      case 'line': return { ...line, spanGaps: true };
      default: return { ...line, paths: () => null };
    }
  }

  #reset() {
    const { group } = this.#of;
    for (const view of views) if (view === this || (group && view.#of.group === group)) view.#showAll();
  }

  #showAll() {
    this.#zoomed = false;
    this.#plot.setScale('x', { min: this.#x[0], max: this.#x[1] });
    this.#tip.hidden = true;
  }

  #ticks(axis, scale, size, across) {
    const [min, max] = [scale.min, scale.max];
    if (axis.ticks) {
      return spaced(axis.ticks.map(tick => tick.at).filter(at => at >= min && at <= max), at => this.#place(scale, at, size), 44);
    }
    if (axis.scale === 'logarithmic') return logarithmic(min, max, across ? size / 50 : Math.min(8, size / 16));
    if (axis.scale === 'time') {
      const step = TIME_STEPS.find(one => (max - min) / one <= size / 64) ?? Math.ceil((max - min) / 8 / 86400) * 86400;
      return steps(min, max, step);
    }
    return steps(min, max, niceStep((max - min) / Math.max(2, size / (across ? 80 : 44))));
  }

  #place(scale, value, size) {
    const of = scale.distr === 3 ? Math.log : v => v;
    return ((of(value) - of(scale.min)) / (of(scale.max) - of(scale.min))) * size;
  }

  #label(axis, value) {
    const named = axis.ticks?.find(tick => tick.at === value);
    if (named) return named.label;
    return axis.scale === 'time' ? clock(value, this.#x[1]) : short(value, this.#x[1], axis.scale === 'logarithmic');
  }

  /** Draws what uPlot has no paths for: ranges and bars behind the lines; dots, marks and labels in front of them. */
  #paint(u, behind) {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    const at = { x: value => u.valToPos(value, 'x', true), y: value => u.valToPos(value, 'y', true) };
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - 6 * ratio, bbox.top - 6 * ratio, bbox.width + 12 * ratio, bbox.height + 12 * ratio);
    ctx.clip();
    for (const one of this.#chart.series) {
      if (!this.#shown(one) || !CUSTOM.includes(one.kind) || BEHIND.includes(one.kind) !== behind) continue;
      ctx.fillStyle = ctx.strokeStyle = colour(one.colour);
      if (one.kind === 'range' || one.kind === 'stepRange') this.#paintRange(ctx, one, at);
      else this.#paintPoints(ctx, one, at, u, ratio);
    }
    if (!behind) this.#paintMarks(ctx, at, bbox, ratio);
    ctx.restore();
    if (!behind) this.#paintLabels(ctx, u, ratio);
  }

  #paintRange(ctx, one, at) {
    const xs = this.#xs(one);
    const stepped = one.kind === 'stepRange';
    const y = value => at.y(Math.min(Math.max(value, this.#y[0]), this.#y[1]));
    ctx.globalAlpha = stepped ? 1 : 0.18;
    for (let from = 0; from < xs.length; from++) {
      if (one.low[from] === null) continue;
      let to = from;
      while (to < xs.length && one.low[to] !== null) to++;
      const ends = i => [at.x(xs[i]), at.x(stepped ? xs[i + 1] ?? this.#chart.x.max ?? xs[i] : xs[i])];
      ctx.beginPath();
      for (let i = from; i < to; i++) ends(i).forEach(x => ctx.lineTo(x, y(one.high[i])));
      for (let i = to - 1; i >= from; i--) ends(i).reverse().forEach(x => ctx.lineTo(x, y(one.low[i])));
      ctx.fill();
      from = to;
    }
    ctx.globalAlpha = 1;
  }

  #paintPoints(ctx, one, at, u, ratio) {
    const row = Math.abs(at.y(1) - at.y(0));
    const across = this.#rows !== null;
    const size = 4.5 * ratio;
    this.#xs(one).forEach((x, i) => {
      const [px, py] = [at.x(x), at.y(one.y[i])];
      if (one.kind === 'bars') ctx.fillRect(px, py, Math.max(ratio, at.x(one.to[i]) - px - ratio / 2), at.y(this.#y[0]) - py);
      else if (one.kind === 'spans' || one.kind === 'lines') {
        const height = one.kind === 'lines' ? 3 * ratio
          : row > 20 * ratio ? Math.min(20 * ratio, row * 0.5) : Math.max(1, row - (row > 5 * ratio ? ratio : 0));
        const full = one.colour.startsWith('h');
        const tall = full ? Math.max(1, row - (row > 6 * ratio ? ratio : 0)) : height;
        ctx.fillRect(px, py - tall / 2, Math.max(ratio, at.x(one.to[i]) - px), tall);
      } else {
        this.#paintInterval(ctx, one, i, px, py, at, across, ratio);
        if (one.kind === 'ticks') ctx.fillRect(px - ratio, py - 9 * ratio, 2 * ratio, 18 * ratio);
        else this.#paintDot(ctx, one, i, px, py, size, ratio);
        if (one.labels?.[i]) this.#paintName(ctx, one.labels[i], px, py, u.bbox, ratio);
      }
    });
  }

  /** A name beside a point, moved to where it has room. */
  #paintName(ctx, name, x, y, bbox, ratio) {
    ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
    ctx.fillStyle = colour('text');
    ctx.textBaseline = 'bottom';
    ctx.textAlign = 'left';
    const left = Math.max(bbox.left, Math.min(x + 8 * ratio, bbox.left + bbox.width - ctx.measureText(name).width));
    ctx.fillText(name, left, y < bbox.top + 20 * ratio ? y + 20 * ratio : y - 6 * ratio);
  }

  /** Says in the corner how many points lie beyond the axes. */
  #paintBeyond(ctx, { bbox: { left, top, width }, scales: { x, y } }, ratio) {
    const points = this.#chart.series.filter(one => this.#shown(one) && (one.kind === 'dots' || one.kind === 'diamonds'))
      .flatMap(one => this.#xs(one).map((at, i) => [at, one.y[i]]));
    const right = points.filter(([at]) => at > x.max).length;
    const above = points.filter(([at, value]) => at <= x.max && value > y.max).length;
    const texts = [above > 0 ? `${above} more, above` : null, right > 0 ? `${right} more, right` : null].filter(Boolean);
    ctx.textAlign = 'right';
    ctx.textBaseline = 'top';
    ctx.fillText(texts.join('; '), left + width, top - 18 * ratio);
  }

  #paintDot(ctx, one, i, x, y, size, ratio) {
    ctx.beginPath();
    if (one.kind === 'diamonds') [[0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]].forEach(([a, b]) => ctx.lineTo(x + a * size, y + b * size));
    else ctx.arc(x, y, size, 0, 7);
    ctx.closePath();
    ctx.lineWidth = one.hollow?.[i] ? 2 * ratio : ratio;
    ctx.fillStyle = one.hollow?.[i] ? colour('surface') : colour(one.colour);
    ctx.strokeStyle = one.hollow?.[i] ? colour(one.colour) : colour('surface');
    ctx.fill();
    ctx.stroke();
    ctx.fillStyle = ctx.strokeStyle = colour(one.colour);
  }

  /** An interval that continues beyond the axis ends in an arrowhead. */
  #paintInterval(ctx, one, i, px, py, at, across, ratio) {
    if (one.low?.[i] == null) return;
    const [least, most] = across ? this.#x : this.#y;
    const along = across ? at.x : at.y;
    const [from, to] = [Math.max(one.low[i], least), Math.min(one.high[i], most)].map(along);
    ctx.lineWidth = 2 * ratio;
    ctx.beginPath();
    ctx.moveTo(across ? from : px, across ? py : from);
    ctx.lineTo(across ? to : px, across ? py : to);
    ctx.stroke();
    const arrow = (end, way) => {
      ctx.beginPath();
      for (const [a, b] of [[-5, -5], [5, 0], [-5, 5]]) {
        ctx.lineTo(across ? end + a * way * ratio : px + b * ratio, across ? py + b * ratio : end - a * way * ratio);
      }
      ctx.fill();
    };
    if (one.high[i] > most) arrow(to, 1);
    if (one.low[i] < least) arrow(from, -1);
  }

  #paintMarks(ctx, at, bbox, ratio) {
    for (const mark of (this.#chart.marks ?? []).filter(one => this.#shown(one))) {
      ctx.strokeStyle = colour(mark.colour);
      ctx.lineWidth = (mark.to == null ? 2 : 4) * ratio;
      ctx.setLineDash(mark.to == null ? [6 * ratio, 4 * ratio] : []);
      ctx.beginPath();
      const [bottom, right] = [bbox.top + bbox.height, bbox.left + bbox.width];
      if (mark.axis === 'y') { ctx.moveTo(bbox.left, at.y(mark.from)); ctx.lineTo(right, at.y(mark.from)); }
      else if (mark.to == null) { ctx.moveTo(at.x(mark.from), bbox.top); ctx.lineTo(at.x(mark.from), bottom); }
      else { ctx.moveTo(at.x(mark.from), bottom + 2 * ratio); ctx.lineTo(at.x(mark.to), bottom + 2 * ratio); }
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }

  #paintLabels(ctx, u, ratio) {
    const font = `${12 * ratio}px system-ui, sans-serif`;
    ctx.save();
    ctx.font = font;
    ctx.fillStyle = colour('muted');
    ctx.textAlign = 'left';
    if (!this.#rows) {
      ctx.textBaseline = 'top';
      ctx.fillText(this.#chart.y.unit, 2 * ratio, 2 * ratio);
      this.#paintBeyond(ctx, u, ratio);
    } else if (this.#above) {
      ctx.textBaseline = 'bottom';
      const over = (this.#chart.series.some(one => one.kind === 'spans') ? 11 : 6) * ratio;
      this.#rows.forEach((row, i) => ctx.fillText(cut(row, u.bbox.width, font), u.bbox.left, u.valToPos(i, 'y', true) - over));
    }
    ctx.restore();
  }

  #hover(u) {
    const { left, top } = u.cursor;
    const lines = left == null || left < 0 ? [] : this.#nearest(u, left, top) ?? this.#column(u, left);
    this.#tip.hidden = lines.length === 0;
    if (lines.length === 0) return;
    this.#tip.replaceChildren(...lines.map(([text, name]) => {
      const line = make('div', '');
      if (name) line.append(make('span', `key ${name}`));
      line.append(text);
      return line;
    }));
    const box = this.#canvas.getBoundingClientRect();
    const over = u.over.getBoundingClientRect();
    const x = over.left - box.left + left;
    const place = x + 14 + this.#tip.offsetWidth > box.width ? Math.max(0, x - 14 - this.#tip.offsetWidth) : x + 14;
    this.#tip.style.left = `${place}px`;
    this.#tip.style.top = `${Math.max(0, Math.min(over.top - box.top + top, box.height - this.#tip.offsetHeight))}px`;
  }

  /** The single point at the mouse. */
  #nearest(u, left, top) {
    let best = null;
    for (const one of this.#chart.series.filter(some => this.#shown(some) && CUSTOM.includes(some.kind) && some.y)) {
      this.#xs(one).forEach((x, i) => {
        const [px, py] = [u.valToPos(x, 'x'), u.valToPos(one.y[i], 'y')];
        const stretch = one.to ? Math.max(0, px - left, left - u.valToPos(one.to[i], 'x')) : Math.abs(px - left);
        const far = one.kind === 'bars' ? Math.hypot(stretch, Math.max(0, py - top)) : Math.hypot(stretch, Math.abs(py - top));
        // Where a dot covers something else, the dot is chosen.
        const distance = far + (one.to ? 8 : 0);
        if (far <= REACH && (best === null || distance < best.distance)) best = { one, i, distance };
      });
    }
    if (best === null) return this.#rows || !this.#chart.series.some(one => !CUSTOM.includes(one.kind)) ? [] : null;
    const { one, i } = best;
    return [[one.titles?.[i] ?? this.#title(one, i), one.colour]];
  }

  #title(one, i) {
    const name = this.#rows ? `${this.#chart.y.unit} ${this.#rows[one.y[i]]}: ${one.name}`.trim() : `${one.name}: ${brief(one.y[i])}`;
    if (!one.to || this.#chart.x.scale !== 'time') return name;
    return `${name}, ${clock(this.#xs(one)[i], this.#x[1])} to ${clock(one.to[i], this.#x[1])}`;
  }

  /** All values at the position of the mouse. */
  #column(u, left) {
    const value = u.posToVal(left, 'x');
    const { series, x, y } = this.#chart;
    const lines = [];
    const stack = series.filter(some => some.kind === 'area' && this.#shown(some));
    let head = null;
    for (const one of series.filter(some => this.#shown(some) && (some.y || some.low) && (this.#xs(some)?.length ?? 0) > 0)) {
      if (CUSTOM.includes(one.kind) && !one.kind.endsWith('ange')) continue;
      const xs = this.#xs(one);
      let i = x.scale === 'time' ? xs.findLastIndex(at => at <= value)
        : xs.reduce((near, at, k) => (Math.abs(at - value) < Math.abs(xs[near] - value) ? k : near), 0);
      i = Math.max(0, i);
      head ??= xs[i];
      const total = stack.reduce((sum, area) => sum + (area.y[i] ?? 0), 0);
      if (stack.length > 1 && one === stack[0]) lines.push([`total: ${brief(total)}`, null]);
      const text = one.y ? brief(one.y[i]) : one.low[i] === null ? '-' : `${brief(one.low[i])} to ${brief(one.high[i])}`;
      lines.push([`${one.name}: ${text}`, one.colour]);
    }
    if (lines.length === 0) return [];
    const place = x.scale === 'time' ? clock(head, this.#x[1]) : `${this.#label(x, head)} ${x.unit}`;
    return [[`${place} (${y.unit})`.replaceAll(' (logarithmic)', ''), null], ...lines];
  }

  #showLegend() {
    const entries = new Map();
    for (const one of this.#chart.series) if (!entries.has(one.name)) entries.set(one.name, [one.colour, shapeOf(one)]);
    for (const { name, colour, to } of this.#chart.marks ?? []) {
      if (!entries.has(name)) entries.set(name, [colour, to == null ? 'dash' : 'line']);
    }
    this.#legend.hidden = entries.size < 2;
    const focus = this.#legend.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    this.#legend.replaceChildren(...[...entries].map(([name, [colour, shape]]) => {
      const button = make('button', '');
      button.type = 'button';
      button.dataset.name = name;
      button.setAttribute('aria-pressed', String(!this.#hidden.has(name)));
      button.append(make('span', `key key-${shape} ${colour}`), name);
      button.addEventListener('click', () => this.#toggle(name));
      return button;
    }));
    const reset = make('button', 'reset');
    reset.type = 'button';
    reset.append('Whole range');
    reset.addEventListener('click', () => this.#reset());
    this.#legend.append(reset);
    if (focus) [...this.#legend.children].find(button => button.dataset.name === focus)?.focus();
  }

  #toggle(name) {
    if (!this.#hidden.delete(name)) this.#hidden.add(name);
    const range = this.#zoomed ? { min: this.#plot.scales.x.min, max: this.#plot.scales.x.max } : null;
    this.redraw();
    if (range) {
      this.#zoomed = true;
      this.#plot.setScale('x', range);
    }
  }
}

const shapeOf = ({ kind, hollow }) => (kind === 'line' || kind === 'steps' || kind === 'lines' ? 'line' : kind === 'dash' ? 'dash'
  : kind === 'dots' ? (hollow?.every(one => one) ? 'hollow' : 'dot') : kind === 'diamonds' ? 'diamond' : 'area');

function make(tag, name) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  return node;
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || '#808080';

function ends(axis, values) {
  const known = values.length > 0 ? values : [0, 1];
  if (axis.scale === 'logarithmic') {
    const [min, max] = [axis.min ?? least(known.filter(value => value > 0)), axis.max ?? most(known)];
    return max > min ? [axis.min ?? min / 1.15, axis.max ?? max * 1.15] : [min / 2, min * 2];
  }
  const max = axis.max ?? most(known) * 1.05;
  const min = axis.min ?? Math.min(0, least(known));
  return [min, max > min ? max : min + 1];
}

const least = values => values.reduce((a, b) => Math.min(a, b), Infinity);
const most = values => values.reduce((a, b) => Math.max(a, b), -Infinity);

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough * 0.999) ?? 10 * power;
}

function steps(min, max, step) {
  const all = [];
  for (let i = Math.ceil(min / step - 1e-9); i * step <= max * (1 + 1e-9); i++) all.push(Number((i * step).toPrecision(12)));
  return all;
}

/** 1, 2 and 5 times powers of ten, or only the powers if there is no room for more. */
function logarithmic(min, max, room) {
  for (const factors of [[1, 2, 3, 4, 5, 6, 8], [1, 2, 5], [1, 3], [1]]) {
    const all = [];
    for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power++) {
      all.push(...factors.map(factor => Number((factor * 10 ** power).toPrecision(12))).filter(value => value >= min && value <= max));
    }
    if (all.length <= room) return all;
  }
  return steps(Math.ceil(Math.log10(min)), Math.log10(max), 2).map(power => 10 ** power);
}

/** The positions that have room beside the one before. The last one is always kept. */
function spaced(values, place, room) {
  const kept = [];
  for (const value of [...values].reverse()) if (kept.length === 0 || place(kept[0]) - place(value) >= room) kept.unshift(value);
  return kept;
}

function rowsThatFit(count, height, all) {
  const every = all ? 1 : Math.max(1, Math.ceil((14 * count) / height));
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => i * every);
}

const ruler = document.createElement('canvas').getContext('2d');

function textWidth(text, font) {
  ruler.font = font;
  return ruler.measureText(text).width;
}

function cut(text, width, font) {
  if (textWidth(text, font) <= width) return text;
  let length = text.length;
  while (length > 1 && textWidth(`${text.slice(0, length)}…`, font) > width) length--;
  return `${text.slice(0, length)}…`;
}

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

const brief = value => (value === null || value === undefined ? '-' : (Math.abs(value) >= 1000 ? whole : digits).format(value));

/** A round value in the unit of the axis's largest one, such as 0.5, 5,000, 20k and 1.5M. */
function short(value, largest, alone) {
  const size = alone ? value : largest;
  if (value === 0) return '0';
  return size >= 1e9 ? `${exact.format(value / 1e9)}G` : size >= 1e6 ? `${exact.format(value / 1e6)}M`
    : size >= 1e4 ? `${exact.format(value / 1e3)}k` : exact.format(value);
}

const elapsed = seconds => (seconds < 3600 ? 'elapsed, min:s' : 'elapsed, h:min:s');

function clock(seconds, all) {
  const s = Math.max(0, Math.round(seconds));
  const two = value => String(value).padStart(2, '0');
  return all < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}
