import { byId } from './dom.js';
import { reportPath } from './api.js';

let shown = '';
let watched = null;

/** Shows the report of a run or an experiment that has ended; null shows none. */
export function showReport(item) {
  showPage(item === null ? '' : reportPath(item, 'html'));
}

/** Shows a page of this server as a report. An empty path shows none. */
export function showPage(path) {
  if (path === shown) return;
  shown = path;
  const frame = byId('report');
  frame.hidden = true;
  if (path === '') return;
  frame.onload = () => fit(frame);
  frame.src = path;
  frame.hidden = false;
}

/** Sets the height of the frame to that of the report, so that only the page scrolls. */
function fit(frame) {
  watched?.disconnect();
  const page = frame.contentDocument?.documentElement;
  if (!page) return;
  // The page shows title and state above the frame.
  page.classList.add('embedded');
  watched = new ResizeObserver(() => { frame.style.height = `${page.scrollHeight}px`; });
  watched.observe(page.querySelector('body'));
}
