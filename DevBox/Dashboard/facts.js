// Values that the program sets: defaults and names of a spec's fields, and the share that counts as at a limit.
export const { fields, partitionShare } = await (await fetch('facts.json')).json();
