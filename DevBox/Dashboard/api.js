// The HTTP interface, as far as this page uses it.

/** A response that is an error: RFC 9457 problem details. */
export class Problem extends Error {
  constructor(status, details) {
    super(details.detail || details.title || `The server responded with status ${status}.`);
    this.status = status;
    this.errors = details.errors ?? null;
  }
}

const path = id => `/api/runs/${encodeURIComponent(id)}`;

export const reportPath = (id, format) => `${path(id)}/report?format=${format}`;
export const startRun = spec =>
  call('/api/runs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(spec) });
export const readRun = id => call(path(id));
export const stopRun = id => call(`${path(id)}/stop`, { method: 'POST' });

export function listRuns(continuation, pageSize) {
  const query = new URLSearchParams({ pageSize });
  if (continuation) query.set('continuation', continuation);
  return call(`/api/runs?${query}`);
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
    // Not from the interface: the status must do.
  }
  if (!response.ok) throw new Problem(response.status, body ?? {});
  return body;
}
