// The parts of the HTTP interface that this page uses.

/** An error response: problem details by RFC 9457. */
export class Problem extends Error {
  constructor(status, details) {
    super(details.detail || details.title || `The server responded with status ${status}.`);
    this.status = status;
    this.errors = details.errors ?? null;
  }
}

// Kinds are 'run' and 'experiment'; a search for a limit is an experiment.
const collection = kind => `/api/${kind}s`;
const path = ({ kind, id }) => `${collection(kind)}/${encodeURIComponent(id)}`;
const post = (url, body) => call(url, body === undefined
  ? { method: 'POST' }
  : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });

export const reportPath = (item, format) => `${path(item)}/report?format=${format}`;
export const start = (kind, json, failIf) => post(`${collection(kind)}${failIf ? `?${new URLSearchParams({ failIf })}` : ''}`, json);
export const read = item => call(path(item));
export const stop = item => post(`${path(item)}/stop`);
export const resume = item => post(`${path(item)}/resume`);
export const compare = (a, b) => call(`/api/compare?${new URLSearchParams({ a, b })}`);

export const size = question => post('/api/size', JSON.stringify(question));
export const resultPath = (id, format) => `/api/size/${encodeURIComponent(id)}?format=${format}`;
export const result = id => call(resultPath(id, 'json'));

/** Reads a page of a list. The names are the same for both kinds. */
export async function list(kind, parameters) {
  const used = Object.entries(parameters).filter(([, value]) => value);
  const page = await call(`${collection(kind)}?${new URLSearchParams(used)}`);
  return { items: page[`${kind}s`].map(item => ({ kind, ...item })), continuation: page.continuation };
}

async function call(url, options = {}) {
  let response;
  try {
    response = await fetch(url, { cache: 'no-store', ...options });
  } catch {
    throw new Problem(0, { detail: 'The server does not respond. Is "DevBox serve" still running?' });
  }
  const text = await response.text();
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    // The response is not from the interface, so only its status is known.
  }
  if (!response.ok) throw new Problem(response.status, body ?? {});
  return body;
}
