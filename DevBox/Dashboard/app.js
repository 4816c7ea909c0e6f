import { byId } from './dom.js';
import { connectForm } from './form.js';
import { connectRuns, mark, newest, refresh } from './runs.js';
import { connectWatch, watch, watchedId } from './watch.js';

const LIST_POLL_MS = 5000;

function choose(id, focus) {
  history.replaceState(null, '', `#${encodeURIComponent(id)}`);
  watch(id);
  mark(id);
  if (focus) {
    byId('watch').focus({ preventScroll: true });
    byId('watch').scrollIntoView({ block: 'nearest' });
  }
}

const chosen = () => decodeURIComponent(location.hash.slice(1));

connectForm(async id => {
  choose(id, true);
  await newest();
  mark(id);
});
connectRuns(id => choose(id, true));
connectWatch(() => refresh(watchedId()));
window.addEventListener('hashchange', () => { if (chosen() && chosen() !== 'watch') choose(chosen(), false); });

const runs = await refresh();
const first = chosen() && chosen() !== 'watch' ? chosen() : runs[0]?.id;
if (first) choose(first, false);
setInterval(() => { if (!document.hidden) refresh(watchedId()); }, LIST_POLL_MS);
