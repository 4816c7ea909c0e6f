// The address says what the page shows, so that a link opens it: #<run>, #experiment/<id>, #compare/<a>/<b>.

/** What an address names; null if it names nothing. */
export function read(hash) {
  const parts = hash.replace(/^#/, '').split('/').map(decode);
  if (parts.length === 3 && parts[0] === 'compare') return { kind: 'comparison', a: parts[1], b: parts[2] };
  if (parts.length === 2 && parts[0] === 'experiment') return { kind: 'experiment', id: parts[1] };
  return parts.length === 1 && parts[0] && parts[0] !== 'watch' ? { kind: 'run', id: parts[0] } : null;
}

/** The address of a run, an experiment or a comparison. */
export const write = place => (place.kind === 'comparison'
  ? `#compare/${encodeURIComponent(place.a)}/${encodeURIComponent(place.b)}`
  : `#${place.kind === 'experiment' ? 'experiment/' : ''}${encodeURIComponent(place.id)}`);

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
