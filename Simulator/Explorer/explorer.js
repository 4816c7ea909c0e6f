'use strict';

const interval = 1000;
const svgNamespace = 'http://www.w3.org/2000/svg';
const byId = id => document.getElementById(id);
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const cell = (text, isNumber) => element('td', { className: isNumber ? 'number' : '' }, text);

const head = (text, isNumber) => element('th', { scope: 'col', className: isNumber ? 'number' : '' }, text);

function shape(name, attributes) {
  const made = document.createElementNS(svgNamespace, name);
  for (const [attribute, value] of Object.entries(attributes))
    made.setAttribute(attribute, value);
  return made;
}

/** RU of each of the last seconds as a bar, with a dashed line at the budget; a second with 429s has another colour. */
function chart(partition, data) {
  const height = 28;
  const top = Math.max(partition.budgetPerSecond, ...partition.lastSeconds.map(one => one.requestUnits)) * 1.1;
  const picture = shape('svg', { viewBox: `0 0 ${data.seconds * 3} ${height}`, preserveAspectRatio: 'none', role: 'img' });
  const title = shape('title', {});
  title.textContent = `Request units of the last ${data.seconds} seconds`;
  picture.append(title);
  for (const one of partition.lastSeconds) {
    const tall = one.requestUnits > 0 ? Math.max(1, one.requestUnits / top * height) : 0;
    const x = (data.seconds - 1 - (data.second - one.second)) * 3;
    picture.append(shape('rect', {
      x, y: height - Math.max(tall, one.throttled ? 2 : 0), width: 2, height: Math.max(tall, one.throttled ? 2 : 0),
      class: one.throttled ? 'throttled' : 'used',
    }));
  }
  const budget = height - partition.budgetPerSecond / top * height;
  picture.append(shape('line', { x1: 0, x2: data.seconds * 3, y1: budget, y2: budget, class: 'budget' }));
  return picture;
}

function partitionRow(partition, data) {
  const last = partition.lastSeconds.find(one => one.second === data.second);
  const picture = element('td');
  picture.append(chart(partition, data));
  return element('tr', {},
    cell(partition.id, true), cell(whole.format(partition.documents), true), cell(whole.format(last?.requestUnits ?? 0), true),
    cell(whole.format(partition.budgetPerSecond), true), cell(whole.format(last?.throttled ?? 0), true),
    cell(whole.format(partition.throttled), true), cell(whole.format(partition.requestUnits), true), picture);
}

function containerBlock(container, data) {
  const name = `${container.database} / ${container.name}`;
  const titles = [['Partition', true], ['Documents', true], ['RU/s', true], ['Budget RU/s', true], ['429s/s', true], ['429s', true],
    ['RU', true], [`Last ${data.seconds} s`, false]];
  const table = element('table', {},
    element('thead', {}, element('tr', {}, ...titles.map(([text, isNumber]) => head(text, isNumber)))),
    element('tbody', {}, ...container.partitions.map(partition => partitionRow(partition, data))));
  const scroll = element('div', { className: 'scroll', tabIndex: 0 }, table);
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', `Partitions of ${name}`);
  return element('div', { className: 'container' },
    element('h3', {}, name),
    element('p', { className: 'note' },
      `${whole.format(container.documents)} documents, partition key ${container.partitionKeyPath}, `
      + `${container.autoscale ? 'at most ' : ''}${whole.format(container.throughput)} RU/s`),
    scroll);
}

function requestRow(request) {
  const status = request.subStatus ? `${request.status}/${request.subStatus}` : `${request.status}`;
  const row = element('tr', {},
    cell(request.at.slice(11, 23)), cell(request.what), cell(request.container ?? ''), cell(request.mode), cell(request.partition ?? '', true),
    cell(status, true), cell(fine.format(request.requestUnits), true));
  if (request.status >= 400)
    row.children[5].classList.add('failed');
  return row;
}

/** Replaces rows while keeping how far the reader has scrolled within each table. */
function show(data) {
  const positions = [...document.querySelectorAll('#containers .scroll')].map(one => one.scrollLeft);
  const focused = [...document.querySelectorAll('#containers .scroll')].indexOf(document.activeElement);
  byId('empty').hidden = data.containers.length > 0;
  byId('containers').replaceChildren(...data.containers.map(container => containerBlock(container, data)));
  document.querySelectorAll('#containers .scroll').forEach((one, i) => { one.scrollLeft = positions[i] ?? 0; });
  document.querySelectorAll('#containers .scroll')[focused]?.focus({ preventScroll: true });
  byId('requests').replaceChildren(...data.requests.map(requestRow));
}

function report(text, isFailure) {
  const state = byId('state');
  if (state.textContent !== text)
    state.textContent = text;
  state.classList.toggle('failed', isFailure);
}

async function refresh() {
  try {
    const response = await fetch('data', { cache: 'no-store' });
    if (!response.ok)
      throw new Error(`status ${response.status}`);
    show(await response.json());
    report('Figures are simulated, and as of the last whole second.', false);
  } catch (error) {
    report(`The account does not respond (${error.message}); the figures below are the last ones.`, true);
  }
  setTimeout(refresh, interval);
}

refresh();
