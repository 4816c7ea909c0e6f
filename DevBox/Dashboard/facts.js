// What the page shows and the program decides: defaults and names of a spec's fields, and what counts as at a limit.
export const { fields, partitionShare } = await (await fetch('facts.json')).json();
