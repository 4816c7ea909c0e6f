import { byId, element, say } from './dom.js';
import { read, reportPath, resume, stop } from './api.js';
import { showExperiment } from './experiment.js';
import { invalidOf } from './figures.js';
import { showReport } from './report.js';
import { clearRun, showRun } from './run.js';
import { write } from './place.js';

const POLL_MS = 1000;
const HIDDEN_POLL_MS = 5000;
const COPIED_MS = 2000;
const ACTIVE = ['queued', 'running', 'stopping'];
const NAMES = { run: 'Run', experiment: 'Experiment' };
const PHASES = {
  preparing: 'preparing the container',
  waitingForRoles: 'waiting until the roles hold',
  running: 'running the workload',
  verifying: 'counting the documents',
  reporting: 'writing the report',
  cleaningUp: 'cleaning up',
  ended: 'ending',
};

let current = null;
let timer = null;
let onChange = () => {};

/** Sets the function that is called when the state of the run or experiment has changed. */
export function connectWatch(changed) {
  onChange = changed;
  byId('stop').addEventListener('click', () => act(stop));
  byId('resume').addEventListener('click', () => act(resume));
  byId('copy').addEventListener('click', copyLink);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) poll(); });
}

/** Shows a run or an experiment and follows it to its end. */
export function watch(item) {
  if (current?.id === item.id && current.kind === item.kind) return;
  current = { ...item, status: null, announced: '' };
  clearRun();
  showReport(null);
  say(byId('watch-title'), `${NAMES[item.kind]} ${item.id}`);
  byId('watch-hint').hidden = byId('example').hidden = true;
  byId('run').hidden = true;
  for (const part of byId('run').querySelectorAll('[data-of]')) part.hidden = true;
  byId('badges').replaceChildren();
  poll();
}

async function poll() {
  clearTimeout(timer);
  const asked = current;
  if (!asked) return;
  try {
    const status = await read(asked);
    if (asked !== current) return;
    trouble(current.failure ?? null);
    show(status);
    if (ACTIVE.includes(status.state)) schedule();
  } catch (problem) {
    if (asked !== current) return;
    trouble(problem.message);
    if (problem.status !== 404) schedule();
  }
}

function schedule() {
  timer = setTimeout(poll, document.hidden ? HIDDEN_POLL_MS : POLL_MS);
}

async function act(action) {
  byId('stop').disabled = byId('resume').disabled = true;
  const asked = current;
  asked.failure = null;
  try {
    await action(asked);
  } catch (problem) {
    // It stays until the next action. A poll does not remove it.
    asked.failure = problem.message;
  }
  byId('watch').focus();
  await poll();
}

/** The address of the run or experiment, for other users of this server. */
async function copyLink() {
  const address = new URL(write(current), location.href).href;
  try {
    await navigator.clipboard.writeText(address);
    say(byId('copied'), 'Copied.');
  } catch {
    say(byId('copied'), address);
    return;
  }
  setTimeout(() => say(byId('copied'), ''), COPIED_MS);
}

function trouble(text) {
  byId('trouble').hidden = text === null;
  say(byId('trouble'), text ?? '');
}

function show(status) {
  const before = current.status?.state;
  current.status = status;
  byId('run').hidden = false;
  say(byId('watch-title'), status.name || `${NAMES[current.kind]} ${status.id}`);
  if (current.kind === 'run') showRun(status);
  else showExperiment(status);
  showState(status);
  showVerdict(status);
  showActions(status);
  if (before !== status.state) onChange();
}

function doingOf(status) {
  if (status.state === 'running') {
    return status.phase === 'running' && status.done === 0 ? 'starting the workers' : PHASES[status.phase];
  }
  return status.state === 'queued' && status.runsAhead > 0
    ? `waits for ${status.runsAhead} other${status.runsAhead === 1 ? '' : 's'}`
    : null;
}

function showState(status) {
  const doing = doingOf(status);
  const badges = [element('span', { class: `badge ${status.state}` }, status.state)];
  const invalid = invalidOf(status);
  if (invalid.length > 0) badges.push(element('span', { class: 'badge invalid' }, `not valid: ${invalid.join(', ')}`));
  if (status.simulated || status.outcome?.simulated) badges.push(element('span', { class: 'badge sim' }, 'simulated'));
  if (doing) badges.push(element('span', { class: 'doing' }, doing));
  const box = byId('badges');
  if (box.textContent !== badges.map(badge => badge.textContent).join('')) box.replaceChildren(...badges);

  // A screen reader announces every tenth of the progress, not every second.
  const share = byId('progress').value;
  const tenth = `${status.state}${status.state === 'running' ? ` ${Math.floor(share * 10 + 1e-9) * 10} %` : ''}`;
  if (tenth !== current.announced) say(byId('announce'), `${NAMES[current.kind]} ${status.id}: ${tenth}`);
  current.announced = tenth;

  const reasons = byId('reasons');
  const troubles = [...status.reasons, ...(status.warnings ?? []).map(warning => warning.text)];
  reasons.hidden = troubles.length === 0;
  reasons.replaceChildren(...troubles.map(reason => element('li', {}, reason)));
}

/** The outcome in a sentence, and whether the condition of --fail-if was met. */
function showVerdict({ verdict, outcome, failIf }) {
  const sentence = verdict ?? outcome?.limit?.text ?? null;
  byId('verdict').hidden = sentence === null;
  say(byId('verdict'), sentence ?? '');
  byId('fail-if').hidden = failIf === null;
  if (failIf === null) return;
  byId('fail-if').className = `condition ${failIf.holds === null ? '' : failIf.holds ? 'failed' : 'complete'}`;
  const open = outcome?.state === 'complete' ? 'Not decided, because it rests on figures that are not valid:' : 'Fails if';
  say(byId('fail-if'), failIf.holds === null ? `${open} ${failIf.condition}`
    : `${failIf.holds ? 'Failed' : 'Passed'}: ${failIf.condition} ${failIf.holds ? 'holds' : 'does not hold'}.`);
}

function showActions(status) {
  const active = ACTIVE.includes(status.state);
  byId('stop').hidden = !active;
  byId('stop').disabled = status.state === 'stopping';
  say(byId('stop'), `Stop this ${current.kind}`);
  byId('resume').hidden = active || current.kind !== 'experiment' || status.state === 'complete';
  byId('resume').disabled = false;
  // A run that was stopped before it began, or that could not start, has no report.
  const hasReport = !active && status.state !== 'interrupted' && Boolean(status.startedAt ?? status.outcome);
  byId('reports').hidden = !hasReport;
  byId('run').classList.toggle('reported', hasReport);
  showReport(hasReport ? current : null);
  for (const format of ['html', 'md', 'csv', 'json']) byId(`report-${format}`).setAttribute('href', reportPath(current, format));
}
