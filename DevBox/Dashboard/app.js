import { byId } from './dom.js';
import { showComparison } from './comparison.js';
import { connectForm, fillExample } from './form.js';
import { connectList, keepRefreshed, mark, newest, refresh, showKind } from './list.js';
import { read, write } from './place.js';
import { connectWatch, watch } from './watch.js';


let shown = null;
let beforeComparison = null;

/** Shows what the address names. Returns whether it names anything. */
function show(focus) {
  const place = read(location.hash);
  byId('comparison').hidden = place?.kind !== 'comparison';
  if (place === null) return false;
  if (place.kind === 'comparison') showComparison(place.a, place.b);
  else {
    shown = place;
    watch(place);
    mark(place);
  }
  if (focus) focusOn(byId(place.kind === 'comparison' ? 'comparison' : 'watch'));
  return true;
}

function focusOn(section) {
  section.focus({ preventScroll: true });
  section.scrollIntoView({ block: 'nearest' });
}

function go(place) {
  if (write(place) === location.hash) show(true);
  else location.hash = write(place);
}

/** Shows again what was there before the comparison, and focuses the button that opened it. */
function closeComparison() {
  if (byId('comparison').hidden) return;
  byId('comparison').hidden = true;
  history.replaceState(null, '', shown ? write(shown) : location.pathname);
  (beforeComparison?.isConnected ? beforeComparison : byId('watch')).focus();
}

connectForm(async item => {
  showKind(item.kind);
  go(item);
  await newest();
});
connectList((a, b) => {
  beforeComparison = document.activeElement;
  go({ kind: 'comparison', a, b });
});
connectWatch(refresh);
byId('example-fill').addEventListener('click', fillExample);
byId('comparison-close').addEventListener('click', closeComparison);
document.addEventListener('keydown', event => { if (event.key === 'Escape' && !event.defaultPrevented) closeComparison(); });
window.addEventListener('hashchange', () => show(true));

const named = read(location.hash);
if (named?.kind === 'experiment') showKind('experiment');
const items = await refresh();
if (!show(named?.kind === 'comparison')) {
  byId('example').hidden = items.length > 0;
  byId('watch-hint').hidden = items.length === 0;
  if (items.length > 0) {
    history.replaceState(null, '', write(items[0]));
    show(false);
  }
}
keepRefreshed();
