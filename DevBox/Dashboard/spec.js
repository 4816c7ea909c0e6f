// Makes specs from the values of a form, without access to the page.

/** What an experiment can vary, with the claims that its variants test and the fewest variants that each claim needs. */
const CLAIMS = {
  workers: { singleUnitPredictsFleet: 2, scalabilityLaw: 5 },
  'client.concurrency': { concurrencyPeak: 3 },
  'client.connectionMode': { directBeatsGateway: 2 },
  'container.throughput': { moreRequestUnits: 2 },
  'container.indexing': { indexingMode: 2 },
};

/** A field's text as its value in a spec. Text that is no number is sent unchanged, so that the server's error names it. */
export function valueOf(text, isNumber) {
  const number = Number(text.replaceAll(',', ''));
  return isNumber && Number.isFinite(number) ? number : text;
}

/** Fields by their paths, such as client.rate, as one object. */
export function nest(fields) {
  const spec = {};
  for (const [path, value] of fields) {
    const names = path.split('.');
    const last = names.pop();
    names.reduce((inner, name) => (inner[name] ??= {}), spec)[last] = value;
  }
  return spec;
}

/** An experiment that varies one setting of a run. With more workers, each worker has as many documents as one alone. */
export function experimentOf(run, { path, values, repeats }) {
  const texts = values.split(/[,;\s]+/).filter(text => text !== '');
  const { id, name, ...base } = run;
  const variants = texts.map(text => {
    const value = valueOf(text, path !== 'client.connectionMode' && path !== 'container.indexing');
    const change = nest([[path, value]]);
    if (path === 'workers' && typeof value === 'number' && typeof base.documents === 'number') change.documents = base.documents * value;
    return { name: `${path.split('.').pop()} ${text}`, change };
  });
  const findings = Object.entries(CLAIMS[path] ?? {})
    .filter(([, fewest]) => variants.length >= fewest)
    .map(([kind]) => ({ kind, variants: variants.map(variant => variant.name) }));
  return { ...given({ id, name, repeats }), base, variants, findings };
}

/** A search for the highest rate that holds. The rate decides the number of documents, so the run's own number is left out. */
export function limitOf({ id, name, limit = {}, ...run }) {
  const { documents, ...base } = run;
  const { stepDuration, ...others } = limit;
  const step = typeof stepDuration === 'number' ? clock(stepDuration) : stepDuration;
  return { ...given({ id, name }), base, limit: given({ ...others, stepDuration: step }) };
}

/** The path of the form's field that an error of the server is about; null if there is none. */
export function fieldOf(path) {
  if (/^variants(\[\d+\](\.change.*|\.name)?)?$/.test(path)) return 'values';
  return path.startsWith('base.') ? path.slice('base.'.length) : path;
}

/** A duration of a spec in seconds. A value that is no duration is returned unchanged. */
export function secondsOf(value) {
  return /^\d\d:\d\d:\d\d/.test(value) ? value.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0) : value;
}

/** A label for a name of a spec, such as "Cross region" for cross-region. */
export function titleOf(name) {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('-', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Seconds in a spec's format of a duration. */
function clock(seconds) {
  const two = value => String(Math.floor(value)).padStart(2, '0');
  const rest = (seconds % 1).toFixed(3).slice(1).replace(/\.?0+$/, '');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${rest}`;
}

const given = fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
